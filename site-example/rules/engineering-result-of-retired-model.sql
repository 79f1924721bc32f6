-- id: engineering/result-of-retired-model
-- description: A result comes from a model that is superseded or invalid.
-- severity: warn
-- reads: entities, relations
-- expected: a result of the model that stands now

SELECT x.ref AS row1, m.ref AS row2,
       coalesce(x.name, x.id) || ' comes from ' || coalesce(m.name, m.id) || ', which is '
         || m.status || '.' AS message
FROM (
  SELECT from_id AS result, to_id AS model FROM relations
  WHERE type IN ('ANALYZED_BY', 'COMPUTED_BY', 'PRODUCED_BY', 'RESULT_OF') AND status = 'active'
  UNION
  SELECT id, coalesce(prop(properties, 'analysis_model_id'), prop(properties, 'analysis_model'))
  FROM entities WHERE type = 'Result' AND status = 'active'
) AS of
JOIN entities AS x ON x.id = of.result AND x.type = 'Result' AND x.status = 'active'
JOIN entities AS m ON m.id = of.model AND m.type = 'AnalysisModel'
WHERE m.status IN ('superseded', 'invalid')
