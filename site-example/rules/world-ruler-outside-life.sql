-- id: world/ruler-outside-life
-- description: Somebody ruled before birth or after death.
-- severity: warn
-- reads: entities, relations
-- expected: a reign within the ruler's life

SELECT r.ref AS row,
       coalesce(p.name, p.id) || CASE WHEN time_before(r.valid_from, prop(p.properties, 'birth'),
                                                       r.world)
                                      THEN ' rules before birth.' ELSE ' rules after death.' END
         AS message,
       coalesce(prop(p.properties, 'birth'), '?') || ' to '
         || coalesce(prop(p.properties, 'death'), '?') AS expected,
       coalesce(r.valid_from, '?') || ' to ' || coalesce(r.valid_until, '?') AS actual
FROM relations AS r
JOIN entities AS p ON p.id = r.from_id AND p.type = 'Person' AND p.status = 'active'
WHERE r.type IN ('RULES', 'HOLDS_OFFICE', 'GOVERNS') AND r.status = 'active'
  AND (time_before(r.valid_from, prop(p.properties, 'birth'), r.world)
       OR time_before(prop(p.properties, 'death'), r.valid_from, r.world)
       OR time_before(prop(p.properties, 'death'), r.valid_until, r.world))
