-- id: world/spell-without-its-system
-- description: A spell was in use when its magic system did not exist.
-- severity: warn
-- reads: entities, relations
-- expected: a time within that of the magic system

WITH life AS (
  SELECT id, existed_from AS begins, existed_until AS ends
  FROM entities AS e WHERE status = 'active' AND type IN ('MagicSystem', 'Magic', 'System')
    AND NOT EXISTS (SELECT 1 FROM relations AS x WHERE x.from_id = e.id
                    AND x.type = 'EXISTED_DURING' AND x.status = 'active')
  UNION ALL
  SELECT from_id, valid_from, valid_until FROM relations
  WHERE type = 'EXISTED_DURING' AND status = 'active'
), used AS (
  SELECT r.ref, r.from_id AS spell, r.to_id AS system, s.name, s.world,
         coalesce(r.valid_from, prop(s.properties, 'era'), prop(s.properties, 'date'),
                  prop(s.properties, 'in_fiction_date'), prop(s.properties, 'invented')) AS at
  FROM relations AS r JOIN entities AS s ON s.id = r.from_id
  WHERE r.type = 'PART_OF_SYSTEM' AND r.status = 'active' AND s.status = 'active'
)
SELECT used.ref AS row, used.at AS actual,
       coalesce(used.name, used.spell) || ' was in use when its magic system did not exist.'
         AS message
FROM used
WHERE used.at IS NOT NULL
  AND EXISTS (SELECT 1 FROM life WHERE life.id = used.system
              AND time_in_window(used.at, life.begins, life.ends, used.world) = 0)
  AND NOT EXISTS (SELECT 1 FROM life WHERE life.id = used.system
                  AND coalesce(life.begins, life.ends) IS NOT NULL
                  AND coalesce(time_in_window(used.at, life.begins, life.ends, used.world), 1))
