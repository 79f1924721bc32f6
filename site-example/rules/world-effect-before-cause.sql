-- id: world/effect-before-cause
-- description: An event was caused by one that came later.
-- severity: warn
-- reads: entities, relations
-- expected: a cause that does not come later than its effect

WITH cause AS (
  SELECT ref, from_id AS cause, to_id AS effect FROM relations
  WHERE type IN ('CAUSED', 'LED_TO', 'TRIGGERED') AND status = 'active'
  UNION ALL
  SELECT ref, to_id, from_id FROM relations
  WHERE type IN ('CAUSED_BY', 'TRIGGERED_BY') AND status = 'active'
), event AS (
  SELECT id, coalesce(name, id) AS name, world,
         coalesce(prop(properties, 'in_fiction_date'), prop(properties, 'date'),
                  prop(properties, 'begins'), prop(properties, 'begin')) AS at
  FROM entities WHERE status = 'active' AND type IN ('Event', 'Battle', 'War', 'Siege', 'Treaty')
)
SELECT c.ref AS row, b.at AS expected, a.at AS actual,
       b.name || ' was caused by ' || a.name || ', which came later.' AS message
FROM cause AS c
JOIN event AS a ON a.id = c.cause
JOIN event AS b ON b.id = c.effect
WHERE time_before(b.at, a.at, a.world) AND a.world = b.world
