-- id: engineering/claim-unsupported
-- description: Nothing supports a validation claim.
-- severity: warn
-- reads: entities, links, relations
-- expected: a result that supports it
-- section: Validation claims without support

-- Only in projects that say of some claim what supports it.
WITH supports AS (
  SELECT from_ref AS ground, to_ref AS claim, status FROM relations
  WHERE type IN ('SUPPORTS', 'VALIDATES', 'EVIDENCES', 'PROVES')
  UNION ALL
  SELECT to_ref, from_ref, status FROM relations
  WHERE type IN ('SUPPORTED_BY', 'VALIDATED_BY', 'EVIDENCED_BY')
  UNION ALL
  SELECT src, dst, 'active' FROM links WHERE rel IN ('supports', 'validates')
), told AS (
  SELECT DISTINCT c.project FROM supports JOIN entities AS c ON c.ref = supports.claim
  WHERE c.type = 'ValidationClaim'
), supported AS (
  SELECT claim FROM supports WHERE status = 'active' AND of_row(ground, 'status') = 'active'
)
SELECT c.ref AS row,
       CASE WHEN EXISTS (SELECT 1 FROM supports WHERE claim = c.ref)
            THEN 'Nothing that is active supports the claim '
            ELSE 'Nothing supports the claim ' END || coalesce(c.name, c.id) || '.' AS message
FROM entities AS c
WHERE c.type = 'ValidationClaim' AND c.status = 'active' AND c.project IN told
  AND c.ref NOT IN (SELECT claim FROM supported WHERE claim IS NOT NULL)
