-- id: world/ruler-outside-life
-- description: Somebody ruled before birth or after death.
-- severity: warn
-- reads: entities, relations
-- expected: a reign within the ruler's life

-- A house or a realm that rules is born by its founding. A title of honour may come after death.
WITH reign AS (
  SELECT r.ref, r.valid_from, r.valid_until, coalesce(p.name, p.id) AS name, p.existed_from,
         p.existed_until, time_before(r.valid_from, p.existed_from, r.world) AS early,
         p.type IN ('Person', 'Human', 'Character', 'Being', 'God', 'Deity') AS lives
  FROM relations AS r
  JOIN entities AS p ON p.id = r.from_id AND p.status = 'active'
  WHERE r.type IN ('RULES', 'HOLDS_OFFICE', 'GOVERNS') AND r.status = 'active'
    AND coalesce(r.properties, '') NOT LIKE '%posthumous%'
    AND coalesce(r.properties, '') NOT LIKE '%honorary%'
    AND coalesce(prop(r.properties, 'claim_kind'), '') NOT IN ('subjective', 'prophetic')
    AND (time_before(r.valid_from, p.existed_from, r.world)
         OR time_before(p.existed_until, r.valid_from, r.world)
         OR time_before(p.existed_until, r.valid_until, r.world))
)
SELECT ref AS row,
       name || CASE WHEN early THEN ' rules before ' ELSE ' rules after ' END
         || CASE WHEN NOT lives THEN 'it existed.' WHEN early THEN 'birth.' ELSE 'death.' END
         AS message,
       coalesce(existed_from, '?') || ' to ' || coalesce(existed_until, '?') AS expected,
       coalesce(valid_from, '?') || ' to ' || coalesce(valid_until, '?') AS actual
FROM reign
