-- What the built-in rules on relations and times find in a world of relations.py, by window
-- functions over covering indexes. Tables with numbers in place of texts, made before:
--   ent(id INTEGER PRIMARY KEY, type, birth, death, date)
--   rel(kind, f, t, y0, y1), with indexes (kind, f, y0, y1, t) and (kind, t, y0, y1, f)
-- kinds: 1 MEMBER_OF, 2 POSSESSES, 3 RULES, 4 PARENT_OF, 5 PARTICIPATED_IN, 6 OCCURRED_AT,
-- 7 PART_OF, 8 FOUNDED; types: 1 Person, 2 Faction, 3 Location, 4 Event, 5 Item, 6 Region.
.separator " "
WITH m AS MATERIALIZED (SELECT 1 AS kind, f AS s, y0, max(y1) OVER (PARTITION BY f ORDER BY y0
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM rel WHERE kind = 1)
SELECT 'two-factions', count(DISTINCT s) FROM m WHERE y0 < before;
SELECT 'two-owners', count(DISTINCT s) FROM (SELECT t AS s, y0, max(y1) OVER (PARTITION BY t ORDER BY y0
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM rel WHERE kind = 2) WHERE y0 < before;
SELECT 'two-rulers', count(DISTINCT s) FROM (SELECT t AS s, y0, max(y1) OVER (PARTITION BY t ORDER BY y0
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM rel WHERE kind = 3) WHERE y0 < before;
SELECT 'three-parents', count(*) FROM (SELECT t FROM rel WHERE kind = 4 GROUP BY t HAVING count(*) > 2);
SELECT 'before', sum(n) FROM (
  SELECT count(*) AS n FROM rel JOIN ent p ON p.id = f JOIN ent e ON e.id = t WHERE kind = 5 AND e.date < p.birth
  UNION ALL SELECT count(*) FROM rel JOIN ent p ON p.id = f WHERE kind IN (1, 2) AND y1 <= p.birth);
SELECT 'after', sum(n) FROM (
  SELECT count(*) AS n FROM rel JOIN ent p ON p.id = f JOIN ent e ON e.id = t WHERE kind = 5 AND e.date > p.death
  UNION ALL SELECT count(*) FROM rel JOIN ent p ON p.id = f WHERE kind IN (1, 2) AND y0 > p.death);
SELECT 'child-before-parent', count(*) FROM rel JOIN ent p ON p.id = f JOIN ent c ON c.id = t WHERE kind = 4 AND c.birth < p.birth;
SELECT 'death-before-birth', count(*) FROM ent WHERE death < birth;
SELECT 'no-origin', count(*) FROM ent WHERE type = 2 AND NOT EXISTS (SELECT 1 FROM rel WHERE kind = 8 AND t = ent.id);
SELECT 'no-region', count(*) FROM ent WHERE type = 3 AND NOT EXISTS (SELECT 1 FROM rel WHERE kind = 7 AND f = ent.id);
SELECT 'no-place', count(*) FROM ent WHERE type = 4 AND NOT EXISTS (SELECT 1 FROM rel WHERE kind = 6 AND f = ent.id);
SELECT 'no-owner', count(*) FROM ent WHERE type = 5 AND NOT EXISTS (SELECT 1 FROM rel WHERE kind = 2 AND t = ent.id);
SELECT 'no-such-row', count(*) FROM rel WHERE NOT EXISTS (SELECT 1 FROM ent WHERE id = f) OR NOT EXISTS (SELECT 1 FROM ent WHERE id = t);
