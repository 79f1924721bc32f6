-- id: a
-- description: d
--   more
-- reads: rows, links
-- kind: orphan

SELECT ref AS row, prop(properties, 'x'), time_first(valid_from) FROM rows WHERE :row IS NULL;