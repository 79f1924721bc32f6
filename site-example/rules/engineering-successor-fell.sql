-- id: engineering/successor-fell
-- description: A row was superseded by one that is invalid now, so neither stands.
-- severity: warn
-- reads: rows
-- expected: a successor that stands, or the old row restored

-- The last of a chain of successors counts: from it back, so that a long chain is walked once.
WITH RECURSIVE superseded AS MATERIALIZED (
  SELECT ref, superseded_by AS successor FROM rows WHERE status = 'superseded'
), chain(old, new) AS (
  SELECT ref, successor FROM superseded WHERE of_row(successor, 'status') = 'invalid'
  UNION
  SELECT s.ref, chain.new FROM chain JOIN superseded AS s ON s.successor = chain.old
)
SELECT old AS row1, new AS row2,
       coalesce(of_row(old, 'name'), of_row(old, 'id')) || ' was superseded by '
         || coalesce(of_row(new, 'name'), of_row(new, 'id')) || ', which is invalid: neither stands.'
         AS message
FROM chain
WHERE NOT (of_row(old, 'gone') AND of_row(new, 'gone')) -- two versions of a deleted line
