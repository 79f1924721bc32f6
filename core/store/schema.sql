-- The store, version 3. Every statement may run again on a file that already
-- has its object: a store is made by the same text that migrates one. Version 2
-- added the index of the claims, at the end; version 3 several open conflicts a slot,
-- import_sources, and to the index the newest time of a row (what an older store needs: migrate.c).
--
-- Defaults are generous and constraints few, because other tools write here
-- too: what is odd in a row is told by a sweep, not refused. Times are ISO 8601
-- text. Columns that are absent in a record stay NULL.

CREATE TABLE IF NOT EXISTS projects (
  id          TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  name        TEXT,
  description TEXT,
  created_at  TEXT,
  updated_at  TEXT
);

-- Aliases are folded to ids when rows are read, so that adding one later is enough.
CREATE TABLE IF NOT EXISTS project_aliases (
  alias   TEXT PRIMARY KEY NOT NULL CHECK (typeof(alias) = 'text' AND alias <> ''),
  project TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS project_aliases_project ON project_aliases (project);

CREATE TABLE IF NOT EXISTS memories (
  id               TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  memory_type      TEXT,
  content          TEXT,
  project          TEXT NOT NULL DEFAULT '',
  status           TEXT NOT NULL DEFAULT 'active',
  confidence       REAL,
  importance       REAL,
  polarity         INTEGER,
  scope            TEXT,
  agent            TEXT,
  slot_rule        TEXT,
  tags             TEXT,
  source_refs      TEXT,
  valid_from       TEXT,
  valid_until      TEXT,
  superseded_by    TEXT,
  superseded_at    TEXT,
  graduated_to     TEXT,
  created_at       TEXT,
  updated_at       TEXT,
  last_accessed_at TEXT
);

CREATE TABLE IF NOT EXISTS entities (
  id            TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  entity_type   TEXT,
  name          TEXT,
  project       TEXT NOT NULL DEFAULT '',
  description   TEXT,
  properties    TEXT,
  status        TEXT NOT NULL DEFAULT 'active',
  confidence    REAL,
  source_refs   TEXT,
  hand_authored INTEGER,
  valid_from    TEXT,
  valid_until   TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  created_at    TEXT,
  updated_at    TEXT
);

CREATE TABLE IF NOT EXISTS project_state (
  id            TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  project       TEXT NOT NULL DEFAULT '',
  category      TEXT NOT NULL DEFAULT '',
  key           TEXT,
  value         TEXT,
  -- 'json': value is the text of a JSON number, boolean or array, spelled as it was written
  value_kind    TEXT NOT NULL DEFAULT 'text' CHECK (value_kind IN ('text', 'json')),
  status        TEXT NOT NULL DEFAULT 'active',
  source        TEXT,
  confidence    REAL,
  valid_from    TEXT,
  valid_until   TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  created_at    TEXT,
  updated_at    TEXT
);

CREATE TABLE IF NOT EXISTS relations (
  id            TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  type          TEXT,
  project       TEXT NOT NULL DEFAULT '',
  from_id       TEXT,
  to_id         TEXT,
  properties    TEXT,
  status        TEXT NOT NULL DEFAULT 'active',
  confidence    REAL,
  source_refs   TEXT,
  valid_from    TEXT,
  valid_until   TEXT,
  superseded_by TEXT,
  superseded_at TEXT,
  created_at    TEXT,
  updated_at    TEXT
);

CREATE TABLE IF NOT EXISTS links (
  src TEXT NOT NULL,
  dst TEXT NOT NULL,
  rel TEXT NOT NULL DEFAULT 'related',
  PRIMARY KEY (src, rel, dst),
  CHECK (typeof(src) = 'text' AND typeof(dst) = 'text' AND typeof(rel) = 'text' AND src <> '' AND dst <> '' AND rel <> '')
);

-- anchor: the member that the id was made from, "kind:id#field" ('%' and '#' in
-- the id as %25 and %23); empty in conflicts from before version 3 until a sweep
-- meets them. merged_into: with status 'merged', the conflict that goes on.
-- window_from, window_until: the contested time; NULL: not known, or open.
-- scope: what of a row that also says other things gives way: whole_row, field_only; NULL: not said.
CREATE TABLE IF NOT EXISTS conflicts (
  id           TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  detected_at  TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  slot_kind    TEXT NOT NULL DEFAULT 'cross_layer',
  slot_key     TEXT NOT NULL,
  project      TEXT NOT NULL DEFAULT '',
  status       TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'dismissed', 'merged')),
  resolved_at  TEXT,
  resolution   TEXT DEFAULT '',
  rule         TEXT NOT NULL DEFAULT 'slot',
  rule_version INTEGER NOT NULL DEFAULT 1,
  action       TEXT,
  winner       TEXT,
  resolved_by  TEXT,
  scope        TEXT,
  anchor       TEXT NOT NULL DEFAULT '',
  merged_into  TEXT,
  window_from  TEXT,
  window_until TEXT
);
-- One open conflict an anchor, any number of settled ones.
CREATE UNIQUE INDEX IF NOT EXISTS conflicts_open_anchor ON conflicts (rule, slot_key, anchor)
WHERE status = 'open' AND anchor <> '';
CREATE INDEX IF NOT EXISTS conflicts_slot ON conflicts (slot_key);
CREATE INDEX IF NOT EXISTS conflicts_project ON conflicts (project, status);

-- removed: a verdict took this field out of its row; while the row lacks it, that stands.
CREATE TABLE IF NOT EXISTS conflict_members (
  conflict_id        TEXT NOT NULL REFERENCES conflicts (id) ON DELETE CASCADE,
  member_kind        TEXT NOT NULL,
  member_id          TEXT NOT NULL,
  member_layer_trust INTEGER NOT NULL DEFAULT 0,
  field              TEXT NOT NULL DEFAULT '',
  value_detected     TEXT,
  value_normal       TEXT,
  flagged            INTEGER NOT NULL DEFAULT 0,
  conflicts_with     TEXT,
  removed            INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (conflict_id, member_kind, member_id, field)
);
CREATE INDEX IF NOT EXISTS conflict_members_member ON conflict_members (member_kind, member_id);

CREATE TABLE IF NOT EXISTS sweep_runs (
  id          INTEGER PRIMARY KEY,
  started_at  TEXT,
  finished_at TEXT,
  duration_us INTEGER NOT NULL DEFAULT 0,
  "rows"      INTEGER NOT NULL DEFAULT 0,
  claims      INTEGER NOT NULL DEFAULT 0,
  slots       INTEGER NOT NULL DEFAULT 0,
  opened      INTEGER NOT NULL DEFAULT 0,
  updated     INTEGER NOT NULL DEFAULT 0,
  findings    INTEGER NOT NULL DEFAULT 0
);

-- What the last sweep found beside conflicts. Two findings may share an id (one
-- rule, the same rows, another message), so it is no key.
CREATE TABLE IF NOT EXISTS findings (
  id       TEXT NOT NULL,
  kind     TEXT NOT NULL DEFAULT '',
  severity TEXT NOT NULL DEFAULT 'warn',
  rule     TEXT NOT NULL DEFAULT '',
  project  TEXT NOT NULL DEFAULT '',
  "rows"   TEXT NOT NULL DEFAULT '[]',
  message  TEXT NOT NULL DEFAULT '',
  expected TEXT NOT NULL DEFAULT '',
  actual   TEXT NOT NULL DEFAULT ''
);

-- Append-only. hash: SHA-256 over the line before's hash and this line's fields,
-- see journal.h.
CREATE TABLE IF NOT EXISTS journal (
  seq    INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  actor  TEXT NOT NULL,
  verb   TEXT NOT NULL,
  ref    TEXT NOT NULL,
  before TEXT,
  after  TEXT,
  hash   TEXT NOT NULL,
  why    TEXT       -- since version 2
);
CREATE INDEX IF NOT EXISTS journal_ref ON journal (ref);
CREATE TRIGGER IF NOT EXISTS journal_no_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS journal_no_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
-- INSERT OR REPLACE deletes without a DELETE trigger.
CREATE TRIGGER IF NOT EXISTS journal_no_replace BEFORE INSERT ON journal
WHEN EXISTS (SELECT 1 FROM journal WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- What each source of an import said last about a record, field by field: entries of
-- 12 bytes, little-endian, the hash of the field's name (32 bits) and of what was said (64 bits); see
-- import_sources.h. source '' is the last import before version 3, as the number of its
-- line in the journal.
CREATE TABLE IF NOT EXISTS import_sources (
  ref    TEXT NOT NULL,
  source TEXT NOT NULL,
  said   NOT NULL,
  PRIMARY KEY (ref, source)
) WITHOUT ROWID;

-- Verdicts that an import brought: the lines of `export --verdicts`, by their ids. state: waiting, until
-- a conflict opens that it is about; applied, once and for good; replaced, by a later one. target: the
-- conflict here; against: the verdict that stood there when the two met and differed.
CREATE TABLE IF NOT EXISTS verdicts (
  id      TEXT PRIMARY KEY NOT NULL,
  record  TEXT NOT NULL,
  state   TEXT NOT NULL DEFAULT 'waiting',
  target  TEXT NOT NULL DEFAULT '',
  against TEXT NOT NULL DEFAULT '',
  why     TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- The index of the claims: which rows speak of a slot, so that a write looks at
-- the rows of the slots that it touches and at no others. It holds no values:
-- claims are always read from their rows. All of it can be thrown away
-- (UPDATE claim_index SET built = 0) and is made again by the next write that
-- needs it.
--
-- Slots, ids and types are kept as hashes (XXH3-64), which may meet: then a row
-- too many is looked at. What an entry's kind says of row `id`:
--   1, 2, 3  memory, entity, project_state: it claims in the slot of this key
--   4        entity: an element of its slot is this id, of another entity perhaps
--   5        entity: it is of this type, which is the store's own
--   6        project_state: its category would be this type, if there is one
--   10 to 12 memory, entity, project_state: it claims, and the key is no hash but an
--            instant that a bound of its window can be at the earliest or latest
--            (microseconds since 1970): as now passes it, its slots are looked at
--   13 to 15 memory, entity, project_state: a value that it claims is this id, of an entity perhaps
-- and, with key 0, `id` being no row but a name that some row has or had:
--   7, 8, 9  a project (its id, or as rows name it), a memory type, an entity type
CREATE TABLE IF NOT EXISTS claim_slots (
  key  INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  id   TEXT NOT NULL,
  PRIMARY KEY (key, kind, id)
) WITHOUT ROWID;
-- The same by row: what it said before it was changed. layer: 1, 2, 3 as above.
CREATE TABLE IF NOT EXISTS claim_rows (
  layer INTEGER NOT NULL,
  id    TEXT NOT NULL,
  kind  INTEGER NOT NULL,
  key   INTEGER NOT NULL,
  PRIMARY KEY (layer, id, kind, key)
) WITHOUT ROWID;
-- built: the index says what the rows said, but for those in claim_dirty. rules:
-- a digest of the rules that it was made by. newest: the newest created_at, updated_at
-- or superseded_at of a row that was not a day ahead of the clock (microseconds since
-- 1970), and the row that has it; layer 0: no row has one. ahead: the earliest time that
-- was. now: that by which the recorded conflicts were looked at. compared: a digest of the
-- rules by which claims were compared when all of them were looked at; '': by several.
CREATE TABLE IF NOT EXISTS claim_index (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  built        INTEGER NOT NULL DEFAULT 0,
  rules        TEXT NOT NULL DEFAULT '',
  newest       INTEGER,
  newest_layer INTEGER,
  newest_id    TEXT,
  ahead        INTEGER,
  now          INTEGER,
  compared     TEXT NOT NULL DEFAULT ''
);
INSERT OR IGNORE INTO claim_index (one) VALUES (1);
-- Rows that were changed since; layer 0: the slot key of a conflict that was.
CREATE TABLE IF NOT EXISTS claim_dirty (
  layer INTEGER NOT NULL,
  id    TEXT NOT NULL,
  PRIMARY KEY (layer, id)
) WITHOUT ROWID;

-- For other programs: hmirror notes its own changes, and lets no trigger of a file run.
-- ON CONFLICT DO NOTHING holds whatever the statement that fires the trigger says (OR ROLLBACK).
CREATE TRIGGER IF NOT EXISTS memories_claim_insert AFTER INSERT ON memories
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (1, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS memories_claim_delete AFTER DELETE ON memories
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (1, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS memories_claim_update
AFTER UPDATE OF id, memory_type, content, project, status, slot_rule, scope, polarity,
  valid_from, valid_until, created_at, updated_at, superseded_at ON memories
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (1, OLD.id), (1, NEW.id) ON CONFLICT DO NOTHING; END;

CREATE TRIGGER IF NOT EXISTS entities_claim_insert AFTER INSERT ON entities
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (2, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS entities_claim_delete AFTER DELETE ON entities
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (2, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS entities_claim_update
AFTER UPDATE OF id, entity_type, name, project, properties, status, valid_from, valid_until,
  created_at, updated_at, superseded_at ON entities
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (2, OLD.id), (2, NEW.id) ON CONFLICT DO NOTHING; END;

CREATE TRIGGER IF NOT EXISTS project_state_claim_insert AFTER INSERT ON project_state
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (3, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS project_state_claim_delete AFTER DELETE ON project_state
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (3, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS project_state_claim_update
AFTER UPDATE OF id, project, category, key, value, value_kind, status, valid_from, valid_until,
  created_at, updated_at, superseded_at ON project_state
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (3, OLD.id), (3, NEW.id) ON CONFLICT DO NOTHING; END;

-- Relations claim nothing, but have times.
CREATE TRIGGER IF NOT EXISTS relations_claim_insert AFTER INSERT ON relations
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (4, NEW.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS relations_claim_delete AFTER DELETE ON relations
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (4, OLD.id) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS relations_claim_update
AFTER UPDATE OF id, created_at, updated_at, superseded_at ON relations
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (4, OLD.id), (4, NEW.id) ON CONFLICT DO NOTHING; END;

-- A verdict counts in its own slot, and wherever one of its members claims.
CREATE TRIGGER IF NOT EXISTS conflicts_claim_insert AFTER INSERT ON conflicts
WHEN (SELECT built FROM claim_index)
BEGIN INSERT INTO claim_dirty VALUES (0, NEW.slot_key) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER IF NOT EXISTS conflicts_claim_delete AFTER DELETE ON conflicts
WHEN (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty VALUES (0, OLD.slot_key) ON CONFLICT DO NOTHING;
  INSERT INTO claim_dirty
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id = OLD.id AND member_kind IN ('memory', 'entity', 'project_state') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS conflicts_claim_update AFTER UPDATE ON conflicts
WHEN (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty VALUES (0, OLD.slot_key), (0, NEW.slot_key) ON CONFLICT DO NOTHING;
  INSERT INTO claim_dirty
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id = NEW.id AND member_kind IN ('memory', 'entity', 'project_state') ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_claim_insert AFTER INSERT ON conflict_members
WHEN NEW.member_kind IN ('memory', 'entity', 'project_state') AND (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty
  VALUES (CASE NEW.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, NEW.member_id)
  ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_claim_delete AFTER DELETE ON conflict_members
WHEN OLD.member_kind IN ('memory', 'entity', 'project_state') AND (SELECT built FROM claim_index)
BEGIN
  INSERT INTO claim_dirty
  VALUES (CASE OLD.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 ELSE 3 END, OLD.member_id)
  ON CONFLICT DO NOTHING;
END;

-- What a project is called decides in which slots its rows stand: its id, its aliases, and its name,
-- which rows may have folded (a name of kind 7 that is no id and no alias).
CREATE TRIGGER IF NOT EXISTS project_aliases_claim_insert AFTER INSERT ON project_aliases
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER IF NOT EXISTS project_aliases_claim_delete AFTER DELETE ON project_aliases
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER IF NOT EXISTS project_aliases_claim_update AFTER UPDATE ON project_aliases
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER IF NOT EXISTS projects_claim_insert AFTER INSERT ON projects
WHEN EXISTS (SELECT 1 FROM project_aliases WHERE alias = NEW.id)
OR EXISTS (SELECT 1 FROM claim_slots WHERE key = 0 AND kind = 7 AND (id = NEW.id
           OR (id NOT IN (SELECT id FROM projects) AND id NOT IN (SELECT alias FROM project_aliases))))
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER IF NOT EXISTS projects_claim_delete AFTER DELETE ON projects
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
CREATE TRIGGER IF NOT EXISTS projects_claim_update AFTER UPDATE OF id, name ON projects
BEGIN UPDATE claim_index SET built = 0 WHERE built; END;
