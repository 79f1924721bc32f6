-- id: engineering/decision-on-fallen-assumption
-- description: A decision rests on an assumption that is superseded, invalid, disputed or flagged.
-- severity: warn
-- reads: conflict_members, entities, findings, links, relations
-- expected: an assumption that holds
-- section: Decisions on assumptions that do not hold

WITH rests AS (
  SELECT d.ref AS decision, r.to_ref AS ground
  FROM relations AS r JOIN entities AS d ON d.id = r.from_id
  WHERE r.type IN ('BASED_ON_ASSUMPTION', 'BASED_ON', 'ASSUMES', 'DEPENDS_ON', 'RELIES_ON',
                   'RESTS_ON') AND r.status = 'active'
    AND d.type = 'Decision' AND d.status = 'active'
  UNION
  SELECT l.src, l.dst FROM links AS l JOIN entities AS d ON d.ref = l.src
  WHERE l.rel IN ('based_on_assumption', 'based_on', 'assumes', 'depends_on', 'relies_on',
                  'rests_on')
    AND d.type = 'Decision' AND d.status = 'active'
  UNION
  SELECT d.ref, 'entity:' || coalesce(prop(d.properties, 'assumption'),
                                      prop(d.properties, 'assumption_id'))
  FROM entities AS d WHERE d.type = 'Decision' AND d.status = 'active'
), fallen AS (
  SELECT decision, ground,
         CASE WHEN of_row(ground, 'status') IN ('superseded', 'invalid') THEN of_row(ground, 'status')
              WHEN of_row(ground, 'status') <> 'active' THEN NULL
              WHEN ground IN (SELECT ref FROM conflict_members) THEN 'disputed'
              WHEN ground IN (SELECT ref FROM findings WHERE rule = 'review/flagged') THEN 'flagged'
         END AS how
  FROM rests
)
SELECT f.decision AS row1, f.ground AS row2,
       coalesce(d.name, d.id) || ' rests on '
         || coalesce(of_row(f.ground, 'name'), of_row(f.ground, 'id')) || ', which is '
         || f.how || '.' AS message
FROM fallen AS f JOIN entities AS d ON d.ref = f.decision
WHERE f.how IS NOT NULL
