-- id: engineering/claim-for-and-against
-- description: Active rows support and contradict one validation claim.
-- severity: warn
-- reads: entities, links, relations, rows
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
SELECT c.ref AS row1, yes.ref AS row2, no.ref AS row3,
       coalesce(yes.name, yes.ref) || ' supports the claim ' || coalesce(c.name, c.id) || ', '
         || coalesce(no.name, no.ref) || ' contradicts it.' AS message
FROM entities AS c
JOIN evidence AS a ON a.claim = c.ref AND a.good
JOIN evidence AS b ON b.claim = c.ref AND NOT b.good
JOIN rows AS yes ON yes.ref = a.ground AND yes.status = 'active'
JOIN rows AS no ON no.ref = b.ground AND no.status = 'active'
WHERE c.type = 'ValidationClaim' AND c.status = 'active'
