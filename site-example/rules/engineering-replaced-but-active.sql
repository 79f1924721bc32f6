-- id: engineering/replaced-but-active
-- description: A row is active, though another one supersedes it.
-- severity: warn
-- reads: links, relations, rows
-- expected: status superseded

SELECT old.ref AS row1, new.ref AS row2,
       coalesce(new.name, new.id) || ' supersedes ' || coalesce(old.name, old.id)
         || ', which is still active.' AS message
FROM (
  SELECT from_ref AS new, to_ref AS old FROM relations
  WHERE type IN ('SUPERSEDES', 'REPLACES') AND status = 'active'
  UNION
  SELECT to_ref, from_ref FROM relations
  WHERE type IN ('SUPERSEDED_BY', 'REPLACED_BY') AND status = 'active'
  UNION
  SELECT src, dst FROM links WHERE rel IN ('supersedes', 'replaces')
) AS s
JOIN rows AS new ON new.ref = s.new AND new.status = 'active'
JOIN rows AS old ON old.ref = s.old AND old.status = 'active'
WHERE new.ref <> old.ref
