-- id: engineering/claim-for-and-against
-- description: Active rows support and contradict one validation claim.
-- severity: warn
-- reads: entities, links, relations
-- expected: evidence that agrees, or a claim that says where it holds

WITH evidence AS (
  SELECT from_ref AS ground, to_ref AS claim, type IN ('SUPPORTS', 'VALIDATES') AS good
  FROM relations
  WHERE type IN ('SUPPORTS', 'VALIDATES', 'CONTRADICTS', 'REFUTES', 'INVALIDATES')
    AND status = 'active'
  UNION
  SELECT src, dst, rel IN ('supports', 'validates') FROM links
  WHERE rel IN ('supports', 'validates', 'contradicts', 'refutes', 'invalidates')
)
SELECT c.ref AS row1, a.ground AS row2, b.ground AS row3,
       coalesce(of_row(a.ground, 'name'), a.ground) || ' supports the claim '
         || coalesce(c.name, c.id) || ', ' || coalesce(of_row(b.ground, 'name'), b.ground)
         || ' contradicts it.' AS message
FROM entities AS c
JOIN evidence AS a ON a.claim = c.ref AND a.good
JOIN evidence AS b ON b.claim = c.ref AND NOT b.good
WHERE c.type = 'ValidationClaim' AND c.status = 'active'
  AND of_row(a.ground, 'status') = 'active' AND of_row(b.ground, 'status') = 'active'
