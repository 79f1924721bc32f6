-- id: engineering/part-of-retired
-- description: A part is active, and what it is part of is superseded or invalid.
-- severity: warn
-- reads: entities, relations
-- expected: a part of what stands now

SELECT part.ref AS row1, whole.ref AS row2,
       coalesce(part.name, part.id) || ' is part of ' || coalesce(whole.name, whole.id)
         || ', which is ' || whole.status || '.' AS message
FROM relations AS r
JOIN entities AS part ON part.id = r.from_id AND part.status = 'active'
JOIN entities AS whole ON whole.id = r.to_id AND whole.status IN ('superseded', 'invalid')
WHERE r.type = 'PART_OF' AND r.status = 'active'
  AND part.type IN ('Component', 'Subsystem', 'Assembly', 'Part')
  AND NOT EXISTS (SELECT 1 FROM relations AS o JOIN entities AS w ON w.id = o.to_id
                  WHERE o.from_id = part.id AND o.type = 'PART_OF' AND o.status = 'active'
                    AND w.status = 'active')
