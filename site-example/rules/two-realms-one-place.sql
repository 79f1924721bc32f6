-- id: world/two-realms-one-place
-- description: Two realms control one place at the same time.
-- severity: error
-- reads: entities, relations
-- expected: one realm, or times that do not overlap
SELECT a.ref AS row1, b.ref AS row2,
       'Two realms control ' || coalesce(place.name, a.to_id) || ' at the same time: '
         || min(coalesce(x.name, x.id), coalesce(y.name, y.id)) || ' and '
         || max(coalesce(x.name, x.id), coalesce(y.name, y.id)) || '.' AS message
FROM relations AS a
JOIN relations AS b ON b.to_id = a.to_id AND b.type = 'CONTROLS' AND b.ref > a.ref
JOIN entities AS x ON x.id = a.from_id
JOIN entities AS y ON y.id = b.from_id
LEFT JOIN entities AS place ON place.id = a.to_id
WHERE a.type = 'CONTROLS' AND a.status = 'active' AND b.status = 'active'
  AND x.id <> y.id
  AND x.type IN ('Kingdom', 'Realm', 'Empire') AND y.type IN ('Kingdom', 'Realm', 'Empire')
  AND a.certain_from < b.certain_until AND b.certain_from < a.certain_until
