-- id: world/two-realms-one-place
-- description: Two realms control one place at the same time.
-- severity: warn
-- reads: conflict_members, entities, relations
-- expected: one realm, times that do not overlap, or a realm that is part of the other

-- Two rows `CONTROLS` are a conflict already; here one may say it from the place's end, or in
-- another word.
WITH control AS (
  SELECT ref, from_id AS realm, to_id AS place, certain_from, certain_until FROM relations
  WHERE type IN ('CONTROLS', 'GOVERNS', 'RULES') AND status = 'active'
    AND coalesce(prop(properties, 'claim_kind'), '') NOT IN ('subjective', 'prophetic')
  UNION ALL
  SELECT ref, to_id, from_id, certain_from, certain_until FROM relations
  WHERE type IN ('CONTROLLED_BY', 'GOVERNED_BY', 'RULED_BY') AND status = 'active'
    AND coalesce(prop(properties, 'claim_kind'), '') NOT IN ('subjective', 'prophetic')
), realm AS (
  SELECT id, coalesce(name, id) AS name,
         coalesce(time_first(existed_until, world), 9223372036854775807) AS ended
  FROM entities
  WHERE status = 'active' AND type IN ('Kingdom', 'Realm', 'Empire', 'Duchy', 'Nation', 'Country',
    'Republic', 'Principality', 'Sultanate', 'Caliphate')
)
SELECT a.ref AS row1, b.ref AS row2,
       'Two realms control ' || coalesce((SELECT name FROM entities WHERE id = a.place), a.place)
         || ' at the same time: ' || min(x.name, y.name) || ' and ' || max(x.name, y.name) || '.'
         AS message
FROM control AS a
JOIN control AS b ON b.place = a.place AND b.ref > a.ref AND b.realm <> a.realm
JOIN realm AS x ON x.id = a.realm
JOIN realm AS y ON y.id = b.realm
WHERE max(a.certain_from, b.certain_from) < min(a.certain_until, b.certain_until, x.ended, y.ended)
  AND NOT EXISTS (SELECT 1 FROM conflict_members AS m
                  JOIN conflict_members AS n ON n.conflict = m.conflict
                  WHERE m.ref = a.ref AND n.ref = b.ref)
  AND NOT EXISTS (SELECT 1 FROM relations AS w
                  WHERE w.type IN ('PART_OF', 'BELONGS_TO', 'LOCATED_IN', 'VASSAL_OF')
                    AND (w.from_id, w.to_id) IN (VALUES (x.id, y.id), (y.id, x.id)))
