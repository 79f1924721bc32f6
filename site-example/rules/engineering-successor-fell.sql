-- id: engineering/successor-fell
-- description: A row was superseded by one that is invalid now, so neither stands.
-- severity: warn
-- reads: rows
-- expected: a successor that stands, or the old row restored

-- The last of a chain of successors counts: from it back, so that a long chain is walked once.
WITH RECURSIVE chain(old, new) AS (
  SELECT old.ref, new.ref FROM rows AS new JOIN rows AS old ON old.superseded_by = new.ref
  WHERE new.status = 'invalid' AND old.status = 'superseded'
  UNION
  SELECT old.ref, chain.new FROM chain JOIN rows AS old ON old.superseded_by = chain.old
  WHERE old.status = 'superseded'
)
SELECT chain.old AS row1, new.ref AS row2,
       coalesce(old.name, old.id) || ' was superseded by ' || coalesce(new.name, new.id)
         || ', which is invalid: neither stands.' AS message
FROM chain
JOIN rows AS old ON old.ref = chain.old
JOIN rows AS new ON new.ref = chain.new
WHERE new.status = 'invalid'
