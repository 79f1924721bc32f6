-- id: world/region-in-two-realms
-- description: A place is inside two realms of which neither contains the other.
-- severity: warn
-- reads: conflict_members, entities, relations
-- expected: one realm, or times that do not overlap

-- Two rows of one kind are a conflict already; here the kinds may differ.
WITH RECURSIVE inside AS (
  SELECT ref, from_id AS place, to_id AS whole, certain_from, certain_until FROM relations
  WHERE type IN ('PART_OF', 'LOCATED_IN', 'BELONGS_TO', 'WITHIN') AND status = 'active'
    AND coalesce(prop(properties, 'claim_kind'), '') NOT IN ('subjective', 'prophetic')
), realm AS (
  SELECT id, coalesce(name, id) AS name,
         coalesce(time_first(existed_until, world), 9223372036854775807) AS ended
  FROM entities
  WHERE status = 'active' AND type IN ('Kingdom', 'Realm', 'Empire', 'Duchy', 'Nation', 'Country',
    'Republic', 'Principality', 'Sultanate', 'Caliphate')
), above(realm, whole) AS (
  SELECT id, id FROM realm
  UNION
  SELECT above.realm, r.to_id FROM above JOIN relations AS r ON r.from_id = above.whole
  WHERE r.type IN ('PART_OF', 'LOCATED_IN', 'BELONGS_TO', 'WITHIN', 'VASSAL_OF')
)
SELECT a.ref AS row1, b.ref AS row2,
       coalesce((SELECT name FROM entities WHERE id = a.place), a.place) || ' is inside '
         || min(x.name, y.name) || ' and ' || max(x.name, y.name)
         || ', of which neither contains the other.' AS message
FROM inside AS a
JOIN inside AS b ON b.place = a.place AND b.ref > a.ref AND b.whole <> a.whole
JOIN realm AS x ON x.id = a.whole
JOIN realm AS y ON y.id = b.whole
WHERE max(a.certain_from, b.certain_from) < min(a.certain_until, b.certain_until, x.ended, y.ended)
  AND NOT EXISTS (SELECT 1 FROM above
                  WHERE (realm, whole) IN (VALUES (x.id, y.id), (y.id, x.id)))
  AND NOT EXISTS (SELECT 1 FROM conflict_members AS m
                  JOIN conflict_members AS n ON n.conflict = m.conflict
                  WHERE m.ref = a.ref AND n.ref = b.ref)
