-- id: engineering/material-of-retired-component
-- description: A material belongs to a component that is superseded or invalid.
-- severity: warn
-- reads: entities, relations
-- expected: the component that stands now

SELECT m.ref AS row1, c.ref AS row2,
       coalesce(m.name, m.id) || ' is the material of ' || coalesce(c.name, c.id) || ', which is '
         || c.status || '.' AS message
FROM (
  SELECT r.to_id AS material, r.from_id AS component FROM relations AS r
  WHERE r.type = 'USES_MATERIAL' AND r.status = 'active'
  UNION
  SELECT id, coalesce(prop(properties, 'component_id'), prop(properties, 'component'))
  FROM entities WHERE type = 'Material' AND status = 'active'
) AS uses
JOIN entities AS m ON m.id = uses.material AND m.status = 'active'
JOIN entities AS c ON c.id = uses.component AND c.status IN ('superseded', 'invalid')
WHERE NOT EXISTS (SELECT 1 FROM relations AS r JOIN entities AS now ON now.id = r.from_id
                  WHERE r.to_id = m.id AND r.type = 'USES_MATERIAL' AND r.status = 'active'
                    AND now.status = 'active')
