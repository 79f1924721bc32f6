-- The store, version 9. Every statement may run again on a file that already
-- has its object: a store is made by the same text that migrates one. Version 2
-- added the index of the claims; version 3 several open conflicts a slot,
-- import_sources, and to the index the newest time of a row; version 4 the change log, at
-- the end; version 5 the reasons of findings, acknowledgements and flags; version 6 what a sweep
-- found, by kind, and its scope; version 7 proposals and the queue of the judge, and the index of
-- words; version 8 by which way an agent's row came; version 9 salts in the journal (what
-- an older store needs: migrate.c).
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
  last_accessed_at TEXT,
  via              TEXT       -- the way by which an agent wrote it: mcp; since version 8
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
  updated_at    TEXT,
  via           TEXT          -- as of a memory
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
-- Who points here. A file of version 5 may lack it until the next write (links.c).
CREATE INDEX IF NOT EXISTS links_dst ON links (dst, rel, src);
CREATE INDEX IF NOT EXISTS memories_superseded ON memories (superseded_by) WHERE superseded_by <> '';
CREATE INDEX IF NOT EXISTS entities_superseded ON entities (superseded_by) WHERE superseded_by <> '';
CREATE INDEX IF NOT EXISTS project_state_superseded ON project_state (superseded_by) WHERE superseded_by <> '';
CREATE INDEX IF NOT EXISTS relations_superseded ON relations (superseded_by) WHERE superseded_by <> '';

-- rule, rule_version: who found it. slot_kind: what kind of conflict, a word of that rule's.
-- slot_key: the key under which that rule finds it.
-- anchor: the member that the id was made from, "kind:id#field" ('%' and '#' in
-- the id as %25 and %23); empty in conflicts from before version 3 until a sweep
-- meets them. merged_into: with status 'merged', the conflict that goes on.
-- window_from, window_until: the contested time; NULL: not known, or open.
-- winner: the row that a verdict let stand, "kind:id"; several as a sorted JSON array.
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

-- The last columns are since version 6. rules: how many ran; scope: '' now, since a sweep records
-- everything; disputed: open conflicts whose claims disagree; acknowledged: of the findings; kinds: how many
-- findings of each kind, a JSON object.
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
  findings    INTEGER NOT NULL DEFAULT 0,
  rules       INTEGER NOT NULL DEFAULT 0,
  scope       TEXT NOT NULL DEFAULT '',
  disputed    INTEGER NOT NULL DEFAULT 0,
  acknowledged INTEGER NOT NULL DEFAULT 0,
  kinds       TEXT NOT NULL DEFAULT '{}'
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
  actual   TEXT NOT NULL DEFAULT '',
  reason   TEXT NOT NULL DEFAULT ''
);

-- What rules in SQL found in the last sweep, and a digest of all that it depends on; proof: of the
-- other columns. Safe to lose (store.h).
CREATE TABLE IF NOT EXISTS rule_results (
  rule     TEXT PRIMARY KEY NOT NULL,
  digest   TEXT NOT NULL,
  findings TEXT NOT NULL,
  proof    TEXT NOT NULL
);

-- What people say of findings and rows. A line is never changed: one that takes another back
-- names it in `replaces`, and so does one that comes after it. So the lines of two stores can be
-- put together in any order. finding: its id; about: its rows; evidence: a digest of what it said
-- (core/detect/finding.c).
CREATE TABLE IF NOT EXISTS acknowledgements (
  id       TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  finding  TEXT NOT NULL,
  evidence TEXT NOT NULL DEFAULT '',
  status   TEXT NOT NULL DEFAULT 'acknowledged' CHECK (status IN ('acknowledged', 'withdrawn')),
  rule     TEXT,
  about    TEXT,
  reason   TEXT,
  actor    TEXT,
  at       TEXT,
  replaces TEXT
);
CREATE INDEX IF NOT EXISTS acknowledgements_finding ON acknowledgements (finding);
-- subject: the row that is to be looked at, "kind:id".
CREATE TABLE IF NOT EXISTS flags (
  id       TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  subject  TEXT NOT NULL,
  status   TEXT NOT NULL DEFAULT 'flagged' CHECK (status IN ('flagged', 'withdrawn')),
  reason   TEXT,
  actor    TEXT,
  at       TEXT,
  replaces TEXT
);
CREATE INDEX IF NOT EXISTS flags_subject ON flags (subject);

-- What a model proposed: that these rows contradict each other, in a question. A line is never changed.
-- members: references, "kind:id", a JSON array; digests: of what each said when it was judged, in the same
-- order (core/claim/judged.h). While two of the rows still say it they are in conflict.
CREATE TABLE IF NOT EXISTS proposals (
  id       TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  members  TEXT NOT NULL DEFAULT '[]',
  digests  TEXT NOT NULL DEFAULT '[]',
  question TEXT NOT NULL DEFAULT '',
  model    TEXT,
  actor    TEXT,
  at       TEXT
);
-- The same by row.
CREATE TABLE IF NOT EXISTS proposal_rows (
  ref      TEXT NOT NULL,
  proposal TEXT NOT NULL,
  PRIMARY KEY (ref, proposal)
) WITHOUT ROWID;
-- Rows that a judge has still to read, in the order in which they were written. tries: how often a
-- model's answer to them could not be read.
CREATE TABLE IF NOT EXISTS judge_queue (
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  ref   TEXT NOT NULL UNIQUE,
  tries INTEGER NOT NULL DEFAULT 0
);

-- Append-only. hash: SHA-256 over the line before's hash, this line's fields and its salt, see
-- journal.h.
CREATE TABLE IF NOT EXISTS journal (
  seq    INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  actor  TEXT NOT NULL,
  verb   TEXT NOT NULL,
  ref    TEXT NOT NULL,
  before TEXT,      -- the record; of a conflict with many members see records_impl.h
  after  TEXT,
  hash   TEXT NOT NULL,
  why    TEXT,      -- since version 2
  salt   BLOB       -- since version 9; NULL: of an older line, or of one that a redaction rewrote
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
-- (UPDATE claim_index SET seq = NULL) and is made again by the next write that
-- needs it.
--
-- Slots, ids and types are kept as hashes (XXH3-64), which may meet: then a row
-- too many is looked at. What an entry's kind says of row `id`:
--   0 to 3   relation, memory, entity, project_state: it claims in the slot of this key
--   4        entity: an element of its slot is this id, of another entity perhaps
--   5        entity: it is of this type, which is the store's own
--   6        project_state: its category would be this type, if there is one
--   10 to 12, 17 memory, entity, project_state, relation: it claims, and the key is no hash but an
--            instant that a bound of its window can be at the earliest or latest
--            (microseconds since 1970): as now passes it, its slots are looked at
--   13 to 16 memory, entity, project_state, relation: what it claims depends on this id, of an
--            entity perhaps
--   22       memory: the key is that of the words of its text
--   18, 19   relation: by it this id lies in something; something lies in this id
--   23, 24   relation: it says when this id existed; by the era of this id, perhaps
-- and, with key 0, `id` being no row but a name that some row has or had:
--   7, 8, 9  a project (its id, or as rows name it), a memory type, an entity type
CREATE TABLE IF NOT EXISTS claim_slots (
  key  INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  id   TEXT NOT NULL,
  PRIMARY KEY (key, kind, id)
) WITHOUT ROWID;
-- The same by row: what it said before it was changed. layer: 1 memory, 2 entity, 3 project_state,
-- 4 relation.
CREATE TABLE IF NOT EXISTS claim_rows (
  layer INTEGER NOT NULL,
  id    TEXT NOT NULL,
  kind  INTEGER NOT NULL,
  key   INTEGER NOT NULL,
  PRIMARY KEY (layer, id, kind, key)
) WITHOUT ROWID;
-- seq, nonce, schema: the stamp of the change log up to which the index has taken in what
-- changed; seq NULL: it is not built. rules:
-- a digest of the rules that it was made by. newest: the newest created_at, updated_at
-- or superseded_at of a row that was not a day ahead of the clock (microseconds since
-- 1970), and the row that has it; layer 0: no row has one. ahead: the earliest time that
-- was. now: that by which the recorded conflicts were looked at. compared: a digest of the
-- rules by which claims were compared when all of them were looked at; '': by several.
CREATE TABLE IF NOT EXISTS claim_index (
  one          INTEGER PRIMARY KEY CHECK (one = 1),
  seq          INTEGER,
  nonce        INTEGER,
  schema       INTEGER,
  rules        TEXT NOT NULL DEFAULT '',
  newest       INTEGER,
  newest_layer INTEGER,
  newest_id    TEXT,
  ahead        INTEGER,
  now          INTEGER,
  compared     TEXT NOT NULL DEFAULT ''
);
INSERT OR IGNORE INTO claim_index (one) VALUES (1);

-- The index of words (recall_tables.h): which document has a word, and of which row a document is. hash: of
-- the row's text when it was taken in. Words and no texts; safe to lose (DELETE FROM recall_documents).
CREATE VIRTUAL TABLE IF NOT EXISTS recall_words USING fts5(
  text, content = '', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS recall_documents (
  document INTEGER PRIMARY KEY,
  layer    INTEGER NOT NULL,
  id       TEXT NOT NULL,
  hash     INTEGER NOT NULL,
  UNIQUE (layer, id)
);

-- Where a model makes vectors for recall, its first one makes a table recall_vectors (recall_tables.c): by
-- model and SHA-256 of a text, one byte for each number, none where the text was withheld from the
-- model. Safe to lose.

-- The change log: a line for each row that any program adds, changes or deletes, so that who
-- has seen the store before reads what is different now and nothing else.
--
-- A reader keeps a stamp: seq and nonce of the last line that it has taken in, and PRAGMA
-- schema_version. While that line has that nonce and the version is the same, the lines after it
-- are the whole difference. In a restored or copied file the line is gone or has another nonce; a
-- table that was rebuilt has lost its triggers, which moves the version: then a reader reads all,
-- and makes the triggers again. One that was dumped and read in begins at version 0.
--
-- What id is, by layer:
--   0           '': anything may have changed
--   1, 2, 3, 4  a memory, entity, project_state, relation
--   5           a project
--   6           a project whose id, name or aliases changed: rows may belong to another one now
--   7           an end of a link, as the link has it: which rows it is linked with
--   8           the slot key of a conflict that changed; its members' rows have lines of their own
--
-- The triggers are for other programs: hmirror writes its own lines, and lets no trigger of a file
-- run. REPLACE deletes a row without a DELETE trigger: one with the same id gets the new row's
-- line; one that is hit by its rowid gets its own before that.
CREATE TABLE IF NOT EXISTS changes (
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  nonce INTEGER NOT NULL DEFAULT (random()),
  layer INTEGER NOT NULL,
  id    TEXT NOT NULL
);

CREATE TRIGGER IF NOT EXISTS memories_log_insert AFTER INSERT ON memories
BEGIN INSERT INTO changes (layer, id) VALUES (1, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS memories_log_delete AFTER DELETE ON memories
BEGIN INSERT INTO changes (layer, id) VALUES (1, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS memories_log_update AFTER UPDATE ON memories
BEGIN INSERT INTO changes (layer, id) VALUES (1, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS memories_log_rename AFTER UPDATE OF id ON memories
WHEN OLD.id IS NOT NEW.id
BEGIN INSERT INTO changes (layer, id) VALUES (1, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS memories_log_replace BEFORE INSERT ON memories
WHEN EXISTS (SELECT 1 FROM memories WHERE rowid = NEW.rowid)
BEGIN INSERT INTO changes (layer, id) SELECT 1, id FROM memories WHERE rowid = NEW.rowid; END;
CREATE TRIGGER IF NOT EXISTS memories_log_move BEFORE UPDATE ON memories
WHEN NEW.rowid <> OLD.rowid
BEGIN INSERT INTO changes (layer, id) SELECT 1, id FROM memories WHERE rowid = NEW.rowid; END;

CREATE TRIGGER IF NOT EXISTS entities_log_insert AFTER INSERT ON entities
BEGIN INSERT INTO changes (layer, id) VALUES (2, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS entities_log_delete AFTER DELETE ON entities
BEGIN INSERT INTO changes (layer, id) VALUES (2, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS entities_log_update AFTER UPDATE ON entities
BEGIN INSERT INTO changes (layer, id) VALUES (2, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS entities_log_rename AFTER UPDATE OF id ON entities
WHEN OLD.id IS NOT NEW.id
BEGIN INSERT INTO changes (layer, id) VALUES (2, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS entities_log_replace BEFORE INSERT ON entities
WHEN EXISTS (SELECT 1 FROM entities WHERE rowid = NEW.rowid)
BEGIN INSERT INTO changes (layer, id) SELECT 2, id FROM entities WHERE rowid = NEW.rowid; END;
CREATE TRIGGER IF NOT EXISTS entities_log_move BEFORE UPDATE ON entities
WHEN NEW.rowid <> OLD.rowid
BEGIN INSERT INTO changes (layer, id) SELECT 2, id FROM entities WHERE rowid = NEW.rowid; END;

CREATE TRIGGER IF NOT EXISTS project_state_log_insert AFTER INSERT ON project_state
BEGIN INSERT INTO changes (layer, id) VALUES (3, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS project_state_log_delete AFTER DELETE ON project_state
BEGIN INSERT INTO changes (layer, id) VALUES (3, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS project_state_log_update AFTER UPDATE ON project_state
BEGIN INSERT INTO changes (layer, id) VALUES (3, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS project_state_log_rename AFTER UPDATE OF id ON project_state
WHEN OLD.id IS NOT NEW.id
BEGIN INSERT INTO changes (layer, id) VALUES (3, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS project_state_log_replace BEFORE INSERT ON project_state
WHEN EXISTS (SELECT 1 FROM project_state WHERE rowid = NEW.rowid)
BEGIN INSERT INTO changes (layer, id) SELECT 3, id FROM project_state WHERE rowid = NEW.rowid; END;
CREATE TRIGGER IF NOT EXISTS project_state_log_move BEFORE UPDATE ON project_state
WHEN NEW.rowid <> OLD.rowid
BEGIN INSERT INTO changes (layer, id) SELECT 3, id FROM project_state WHERE rowid = NEW.rowid; END;

CREATE TRIGGER IF NOT EXISTS relations_log_insert AFTER INSERT ON relations
BEGIN INSERT INTO changes (layer, id) VALUES (4, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS relations_log_delete AFTER DELETE ON relations
BEGIN INSERT INTO changes (layer, id) VALUES (4, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS relations_log_update AFTER UPDATE ON relations
BEGIN INSERT INTO changes (layer, id) VALUES (4, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS relations_log_rename AFTER UPDATE OF id ON relations
WHEN OLD.id IS NOT NEW.id
BEGIN INSERT INTO changes (layer, id) VALUES (4, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS relations_log_replace BEFORE INSERT ON relations
WHEN EXISTS (SELECT 1 FROM relations WHERE rowid = NEW.rowid)
BEGIN INSERT INTO changes (layer, id) SELECT 4, id FROM relations WHERE rowid = NEW.rowid; END;
CREATE TRIGGER IF NOT EXISTS relations_log_move BEFORE UPDATE ON relations
WHEN NEW.rowid <> OLD.rowid
BEGIN INSERT INTO changes (layer, id) SELECT 4, id FROM relations WHERE rowid = NEW.rowid; END;

CREATE TRIGGER IF NOT EXISTS links_log_insert AFTER INSERT ON links
BEGIN INSERT INTO changes (layer, id) VALUES (7, NEW.src), (7, NEW.dst); END;
CREATE TRIGGER IF NOT EXISTS links_log_delete AFTER DELETE ON links
BEGIN INSERT INTO changes (layer, id) VALUES (7, OLD.src), (7, OLD.dst); END;
CREATE TRIGGER IF NOT EXISTS links_log_update AFTER UPDATE ON links
BEGIN INSERT INTO changes (layer, id) VALUES (7, OLD.src), (7, OLD.dst), (7, NEW.src), (7, NEW.dst); END;
CREATE TRIGGER IF NOT EXISTS links_log_replace BEFORE INSERT ON links
WHEN EXISTS (SELECT 1 FROM links WHERE rowid = NEW.rowid)
BEGIN
  INSERT INTO changes (layer, id) SELECT 7, src FROM links WHERE rowid = NEW.rowid
  UNION ALL SELECT 7, dst FROM links WHERE rowid = NEW.rowid;
END;
CREATE TRIGGER IF NOT EXISTS links_log_move BEFORE UPDATE ON links
WHEN NEW.rowid <> OLD.rowid
BEGIN
  INSERT INTO changes (layer, id) SELECT 7, src FROM links WHERE rowid = NEW.rowid
  UNION ALL SELECT 7, dst FROM links WHERE rowid = NEW.rowid;
END;

-- A new project counts as 6 where a row may belong to it now: it has the id of an alias or a name
-- that rows use, or rows use a name that is neither an id nor an alias, which may be its name.
CREATE TRIGGER IF NOT EXISTS projects_log_insert AFTER INSERT ON projects
BEGIN
  INSERT INTO changes (layer, id)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM project_aliases WHERE alias = NEW.id)
    OR EXISTS (SELECT 1 FROM claim_slots WHERE key = 0 AND kind = 7 AND (id = NEW.id
               OR (id NOT IN (SELECT id FROM projects) AND id NOT IN (SELECT alias FROM project_aliases))))
    THEN 6 ELSE 5 END, NEW.id;
END;
CREATE TRIGGER IF NOT EXISTS projects_log_delete AFTER DELETE ON projects
BEGIN INSERT INTO changes (layer, id) VALUES (6, OLD.id); END;
CREATE TRIGGER IF NOT EXISTS projects_log_update AFTER UPDATE ON projects
BEGIN INSERT INTO changes (layer, id) VALUES (5, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS projects_log_rename AFTER UPDATE OF id, name ON projects
WHEN OLD.id IS NOT NEW.id OR OLD.name IS NOT NEW.name
BEGIN INSERT INTO changes (layer, id) VALUES (6, OLD.id), (6, NEW.id); END;
CREATE TRIGGER IF NOT EXISTS projects_log_replace BEFORE INSERT ON projects
WHEN EXISTS (SELECT 1 FROM projects WHERE rowid = NEW.rowid)
BEGIN INSERT INTO changes (layer, id) SELECT 6, id FROM projects WHERE rowid = NEW.rowid; END;
CREATE TRIGGER IF NOT EXISTS projects_log_move BEFORE UPDATE ON projects
WHEN NEW.rowid <> OLD.rowid
BEGIN INSERT INTO changes (layer, id) SELECT 6, id FROM projects WHERE rowid = NEW.rowid; END;
CREATE TRIGGER IF NOT EXISTS project_aliases_log_insert AFTER INSERT ON project_aliases
BEGIN INSERT INTO changes (layer, id) VALUES (6, NEW.project); END;
CREATE TRIGGER IF NOT EXISTS project_aliases_log_delete AFTER DELETE ON project_aliases
BEGIN INSERT INTO changes (layer, id) VALUES (6, OLD.project); END;
CREATE TRIGGER IF NOT EXISTS project_aliases_log_update AFTER UPDATE ON project_aliases
BEGIN INSERT INTO changes (layer, id) VALUES (6, OLD.project), (6, NEW.project); END;

-- A verdict counts in its own slot, and wherever one of its members claims.
CREATE TRIGGER IF NOT EXISTS conflicts_log_insert AFTER INSERT ON conflicts
BEGIN INSERT INTO changes (layer, id) VALUES (8, NEW.slot_key); END;
CREATE TRIGGER IF NOT EXISTS conflicts_log_delete AFTER DELETE ON conflicts
BEGIN
  INSERT INTO changes (layer, id) VALUES (8, OLD.slot_key);
  INSERT INTO changes (layer, id)
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id = OLD.id AND member_kind IN ('memory', 'entity', 'relation', 'project_state');
END;
CREATE TRIGGER IF NOT EXISTS conflicts_log_update AFTER UPDATE ON conflicts
BEGIN
  INSERT INTO changes (layer, id) VALUES (8, OLD.slot_key), (8, NEW.slot_key);
  INSERT INTO changes (layer, id)
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id IN (OLD.id, NEW.id) AND member_kind IN ('memory', 'entity', 'relation', 'project_state');
END;
CREATE TRIGGER IF NOT EXISTS conflicts_log_replace BEFORE INSERT ON conflicts
WHEN EXISTS (SELECT 1 FROM conflicts WHERE id = NEW.id OR rowid = NEW.rowid
  OR (slot_key = NEW.slot_key AND rule = NEW.rule AND anchor = NEW.anchor AND status = 'open'))
BEGIN
  INSERT INTO changes (layer, id) SELECT 8, slot_key FROM conflicts WHERE id = NEW.id OR rowid = NEW.rowid
  OR (slot_key = NEW.slot_key AND rule = NEW.rule AND anchor = NEW.anchor AND status = 'open');
  INSERT INTO changes (layer, id)
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id IN (SELECT id FROM conflicts WHERE id = NEW.id OR rowid = NEW.rowid
  OR (slot_key = NEW.slot_key AND rule = NEW.rule AND anchor = NEW.anchor AND status = 'open'))
    AND member_kind IN ('memory', 'entity', 'relation', 'project_state');
END;
CREATE TRIGGER IF NOT EXISTS conflicts_log_move BEFORE UPDATE ON conflicts
WHEN EXISTS (SELECT 1 FROM conflicts WHERE rowid <> OLD.rowid AND (id = NEW.id OR rowid = NEW.rowid
  OR (slot_key = NEW.slot_key AND rule = NEW.rule AND anchor = NEW.anchor AND status = 'open')))
BEGIN
  INSERT INTO changes (layer, id) SELECT 8, slot_key FROM conflicts WHERE rowid <> OLD.rowid AND (id = NEW.id OR rowid = NEW.rowid
  OR (slot_key = NEW.slot_key AND rule = NEW.rule AND anchor = NEW.anchor AND status = 'open'));
  INSERT INTO changes (layer, id)
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, member_id
  FROM conflict_members
  WHERE conflict_id IN (SELECT id FROM conflicts WHERE rowid <> OLD.rowid AND (id = NEW.id OR rowid = NEW.rowid
  OR (slot_key = NEW.slot_key AND rule = NEW.rule AND anchor = NEW.anchor AND status = 'open')))
    AND member_kind IN ('memory', 'entity', 'relation', 'project_state');
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_log_insert AFTER INSERT ON conflict_members
BEGIN
  INSERT INTO changes (layer, id)
  SELECT CASE NEW.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, NEW.member_id
  WHERE NEW.member_kind IN ('memory', 'entity', 'relation', 'project_state')
  UNION ALL SELECT 8, slot_key FROM conflicts WHERE id = NEW.conflict_id;
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_log_delete AFTER DELETE ON conflict_members
BEGIN
  INSERT INTO changes (layer, id)
  SELECT CASE OLD.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, OLD.member_id
  WHERE OLD.member_kind IN ('memory', 'entity', 'relation', 'project_state')
  UNION ALL SELECT 8, slot_key FROM conflicts WHERE id = OLD.conflict_id;
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_log_update AFTER UPDATE ON conflict_members
BEGIN
  INSERT INTO changes (layer, id)
  SELECT CASE OLD.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, OLD.member_id
  WHERE OLD.member_kind IN ('memory', 'entity', 'relation', 'project_state')
  UNION ALL SELECT 8, slot_key FROM conflicts WHERE id = OLD.conflict_id;
  INSERT INTO changes (layer, id)
  SELECT CASE NEW.member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, NEW.member_id
  WHERE NEW.member_kind IN ('memory', 'entity', 'relation', 'project_state')
  UNION ALL SELECT 8, slot_key FROM conflicts WHERE id = NEW.conflict_id;
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_log_replace BEFORE INSERT ON conflict_members
WHEN EXISTS (SELECT 1 FROM conflict_members WHERE rowid = NEW.rowid)
BEGIN
  INSERT INTO changes (layer, id)
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, member_id
  FROM conflict_members
  WHERE rowid = NEW.rowid AND member_kind IN ('memory', 'entity', 'relation', 'project_state')
  UNION ALL SELECT 8, c.slot_key FROM conflicts c JOIN conflict_members m ON m.conflict_id = c.id WHERE m.rowid = NEW.rowid;
END;
CREATE TRIGGER IF NOT EXISTS conflict_members_log_move BEFORE UPDATE ON conflict_members
WHEN NEW.rowid <> OLD.rowid
BEGIN
  INSERT INTO changes (layer, id)
  SELECT CASE member_kind WHEN 'memory' THEN 1 WHEN 'entity' THEN 2 WHEN 'relation' THEN 4 ELSE 3 END, member_id
  FROM conflict_members
  WHERE rowid = NEW.rowid AND member_kind IN ('memory', 'entity', 'relation', 'project_state')
  UNION ALL SELECT 8, c.slot_key FROM conflicts c JOIN conflict_members m ON m.conflict_id = c.id WHERE m.rowid = NEW.rowid;
END;

-- Another program's proposal may be about any row.
CREATE TRIGGER IF NOT EXISTS proposals_log_insert AFTER INSERT ON proposals
BEGIN
  INSERT INTO changes (layer, id) VALUES (0, '');
  INSERT OR IGNORE INTO proposal_rows (ref, proposal)
  SELECT value, NEW.id FROM json_each(CASE WHEN json_valid(NEW.members) THEN NEW.members ELSE '[]' END)
  WHERE typeof(value) = 'text';
END;
CREATE TRIGGER IF NOT EXISTS proposals_log_delete AFTER DELETE ON proposals
BEGIN INSERT INTO changes (layer, id) VALUES (0, ''); END;
CREATE TRIGGER IF NOT EXISTS proposals_log_update AFTER UPDATE ON proposals
BEGIN
  INSERT INTO changes (layer, id) VALUES (0, '');
  INSERT OR IGNORE INTO proposal_rows (ref, proposal)
  SELECT value, NEW.id FROM json_each(CASE WHEN json_valid(NEW.members) THEN NEW.members ELSE '[]' END)
  WHERE typeof(value) = 'text';
END;
