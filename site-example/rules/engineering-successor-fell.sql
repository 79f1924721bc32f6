-- id: engineering/successor-fell
-- description: A row was superseded by one that is invalid now, so neither stands.
-- severity: warn
-- reads: rows
-- expected: a successor that stands, or the old row restored

-- The last of a chain of successors counts.
WITH RECURSIVE chain(old, new) AS (
  SELECT ref, superseded_by FROM rows WHERE status = 'superseded' AND superseded_by IS NOT NULL
  UNION
  SELECT chain.old, r.superseded_by FROM chain JOIN rows AS r ON r.ref = chain.new
  WHERE r.status = 'superseded' AND r.superseded_by IS NOT NULL
)
SELECT chain.old AS row1, new.ref AS row2,
       coalesce(old.name, old.id) || ' was superseded by ' || coalesce(new.name, new.id)
         || ', which is invalid: neither stands.' AS message
FROM chain
JOIN rows AS old ON old.ref = chain.old
JOIN rows AS new ON new.ref = chain.new
WHERE new.status = 'invalid'
