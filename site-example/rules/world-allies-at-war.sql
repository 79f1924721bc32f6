-- id: world/allies-at-war
-- description: Two are allies and at war with each other at the same time.
-- severity: warn
-- reads: entities, relations
-- expected: times that do not overlap

WITH bond AS (
  SELECT ref, type IN ('ALLY_OF', 'ALLIED_WITH') AS ally, min(from_id, to_id) AS x,
         max(from_id, to_id) AS y, certain_from, certain_until
  FROM relations
  WHERE type IN ('ALLY_OF', 'ALLIED_WITH', 'AT_WAR_WITH', 'ENEMY_OF') AND status = 'active'
    AND coalesce(valid_from, valid_until) IS NOT NULL
    AND coalesce(prop(properties, 'claim_kind'), '') NOT IN ('subjective', 'prophetic')
)
SELECT a.ref AS row1, b.ref AS row2,
       coalesce((SELECT name FROM entities WHERE id = a.x), a.x) || ' and '
         || coalesce((SELECT name FROM entities WHERE id = a.y), a.y)
         || ' are allies and at war at the same time.' AS message
FROM bond AS a
JOIN bond AS b ON b.x = a.x AND b.y = a.y AND NOT b.ally
WHERE a.ally AND a.certain_from < b.certain_until AND b.certain_from < a.certain_until
