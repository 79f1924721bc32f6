-- The store, version 1. Every statement may run again on a file that already
-- has its object: a store is made by the same steps that migrate one.
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

CREATE TABLE IF NOT EXISTS conflicts (
  id           TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  detected_at  TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  slot_kind    TEXT NOT NULL DEFAULT 'cross_layer'
               CHECK (slot_kind IN ('memory_slot', 'entity_slot', 'state_slot', 'cross_layer')),
  slot_key     TEXT NOT NULL,
  project      TEXT NOT NULL DEFAULT '',
  status       TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'dismissed')),
  resolved_at  TEXT,
  resolution   TEXT DEFAULT '',
  rule         TEXT NOT NULL DEFAULT 'slot',
  rule_version INTEGER NOT NULL DEFAULT 1,
  action       TEXT,
  winner       TEXT,
  resolved_by  TEXT
);
-- One open conflict a slot, any number of settled ones.
CREATE UNIQUE INDEX IF NOT EXISTS conflicts_open_slot ON conflicts (slot_key) WHERE status = 'open';
CREATE INDEX IF NOT EXISTS conflicts_slot ON conflicts (slot_key);

CREATE TABLE IF NOT EXISTS conflict_members (
  conflict_id        TEXT NOT NULL REFERENCES conflicts (id) ON DELETE CASCADE,
  member_kind        TEXT NOT NULL CHECK (member_kind IN ('memory', 'entity', 'project_state', 'relation')),
  member_id          TEXT NOT NULL,
  member_layer_trust INTEGER NOT NULL DEFAULT 0,
  field              TEXT NOT NULL DEFAULT '',
  value_detected     TEXT,
  value_normal       TEXT,
  flagged            INTEGER NOT NULL DEFAULT 0,
  conflicts_with     TEXT,
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
  hash   TEXT NOT NULL
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
