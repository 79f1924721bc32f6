-- id: engineering/row-without-source
-- description: A row names no source, and nobody wrote it by hand.
-- severity: info
-- reads: rows
-- expected: a source, or hand_authored

-- Only among rows of a project and a type of which nearly all name one.
WITH told AS (
  SELECT kind, project, type FROM rows
  WHERE status = 'active' AND kind <> 'relation'
  GROUP BY kind, project, type
  HAVING count(*) >= 4 AND sum(sources > 0 OR hand_authored) * 4 >= count(*) * 3
)
SELECT r.ref AS row FROM told
JOIN rows AS r ON r.type IS told.type AND r.kind = told.kind AND r.project = told.project
WHERE r.status = 'active' AND r.sources = 0 AND NOT r.hand_authored
