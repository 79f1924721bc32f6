-- id: engineering/row-without-source
-- description: A row names no source, and nobody wrote it by hand.
-- severity: info
-- reads: rows
-- expected: a source, or hand_authored

-- Only among rows of a project and a type of which nearly all name one. These are counted only in
-- projects with a row that names none.
WITH unsourced AS (
  SELECT ref, kind, project, coalesce(type, '') AS type FROM rows
  WHERE sources = 0 AND NOT hand_authored AND status = 'active' AND kind <> 'relation'
)
SELECT ref AS row FROM unsourced
WHERE (kind, project, type) IN (
  SELECT kind, project, coalesce(type, '') FROM rows
  WHERE status = 'active' AND kind <> 'relation' AND +project IN (SELECT project FROM unsourced)
  GROUP BY 1, 2, 3
  HAVING count(*) >= 4 AND sum(sources > 0 OR hand_authored) * 4 >= count(*) * 3)
