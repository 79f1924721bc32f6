-- id: engineering/requirement-unmet
-- description: No component satisfies a requirement.
-- severity: warn
-- reads: entities, relations
-- expected: an active row that satisfies it
-- section: Requirements that nothing satisfies

-- Only in projects that say of some requirement what satisfies it.
WITH satisfies AS (
  SELECT from_id AS part, to_id AS requirement, status FROM relations
  WHERE type IN ('SATISFIES', 'FULFILLS', 'MEETS')
  UNION ALL
  SELECT to_id, from_id, status FROM relations WHERE type IN ('SATISFIED_BY', 'FULFILLED_BY')
), told AS (
  SELECT DISTINCT q.project FROM satisfies JOIN entities AS q ON q.id = satisfies.requirement
  WHERE q.type = 'Requirement'
), met AS (
  SELECT s.requirement FROM satisfies AS s JOIN entities AS c ON c.id = s.part
  WHERE s.status = 'active' AND c.status = 'active'
)
SELECT q.ref AS row,
       CASE WHEN EXISTS (SELECT 1 FROM satisfies WHERE requirement = q.id)
            THEN 'Nothing that is active satisfies the requirement '
            ELSE 'Nothing satisfies the requirement ' END || coalesce(q.name, q.id) || '.' AS message
FROM entities AS q
WHERE q.type = 'Requirement' AND q.status = 'active' AND q.project IN told
  AND q.id NOT IN (SELECT requirement FROM met WHERE requirement IS NOT NULL)
