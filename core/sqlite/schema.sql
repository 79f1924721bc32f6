-- The store, version 17. Every statement may run again on a file that already
-- has its object: a store is made by the same text that migrates one. Version 2
-- added the index of the claims; version 3 several open conflicts a slot,
-- import_sources, and to the index the newest time of a row; version 4 the change log, at
-- the end; version 5 the reasons of findings, acknowledgements and flags; version 6 what a sweep
-- found, by kind, and its scope; version 7 proposals and the queue of the judge, and the index of
-- words; version 8 by which way an agent's row came; version 9 salts in the journal; version 10
-- drops the index of the claims, the change log and what rules in SQL found before, and adds what
-- the last sweep saw; version 13 keeps what each source says of a row in place of hashes of it, and
-- the source of a member (what an older store needs: migrate.c); version 17 adds line_commits.
--
-- Defaults are generous and constraints few, because other tools write here
-- too: what is odd in a row is told by a sweep, not refused. Times are ISO 8601
-- text. Columns that are absent in a record stay NULL.
--
-- Each table says what it is, behind its bracket: exported, what people and programs said, in an
-- export; derived, made anew from these; local, of this file alone. The walk over every text
-- (texts.h) reads this, and the columns that it walks, from here.

CREATE TABLE IF NOT EXISTS projects ( -- exported
  id          TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  name        TEXT,
  description TEXT,
  created_at  TEXT,
  updated_at  TEXT
);

-- Aliases are folded to ids when rows are read, so that adding one later is enough.
CREATE TABLE IF NOT EXISTS project_aliases ( -- exported
  alias   TEXT PRIMARY KEY NOT NULL CHECK (typeof(alias) = 'text' AND alias <> ''),
  project TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS project_aliases_project ON project_aliases (project);

CREATE TABLE IF NOT EXISTS memories ( -- exported
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

CREATE TABLE IF NOT EXISTS entities ( -- exported
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

CREATE TABLE IF NOT EXISTS project_state ( -- exported
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

CREATE TABLE IF NOT EXISTS relations ( -- exported
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

CREATE TABLE IF NOT EXISTS links ( -- exported
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
CREATE INDEX IF NOT EXISTS relations_from ON relations (from_id);
CREATE INDEX IF NOT EXISTS relations_to ON relations (to_id);
CREATE INDEX IF NOT EXISTS relations_superseded ON relations (superseded_by) WHERE superseded_by <> '';

-- rule, rule_version: who found it. slot_kind: what kind of conflict, a word of that rule's.
-- slot_key: the key under which that rule finds it.
-- anchor: the member that the id was made from, "kind:id#field" ('%' and '#' in
-- the id as %25 and %23); empty in conflicts from before version 3 until a sweep
-- meets them. merged_into: with status 'merged', the conflict that goes on.
-- window_from, window_until: the contested time; NULL: not known, or open.
-- winner: the row that a verdict let stand, "kind:id"; several as a sorted JSON array.
-- scope: what of a row that also says other things gives way: whole_row, field_only; NULL: not said.
CREATE TABLE IF NOT EXISTS conflicts ( -- exported
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
  window_until TEXT,
  winner_source TEXT      -- whose value of the winner stands, where its sources differ; since version 13
);
-- One open conflict an anchor, any number of settled ones.
CREATE UNIQUE INDEX IF NOT EXISTS conflicts_open_anchor ON conflicts (rule, slot_key, anchor)
WHERE status = 'open' AND anchor <> '';
CREATE INDEX IF NOT EXISTS conflicts_slot ON conflicts (slot_key);
CREATE INDEX IF NOT EXISTS conflicts_project ON conflicts (project, status);

-- removed: a verdict took this field out of its row; while the row lacks it, that stands.
CREATE TABLE IF NOT EXISTS conflict_members ( -- exported
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
  source             TEXT NOT NULL DEFAULT '',   -- where sources of the row differ; since version 13
  PRIMARY KEY (conflict_id, member_kind, member_id, field, source)
);
CREATE INDEX IF NOT EXISTS conflict_members_member ON conflict_members (member_kind, member_id);

-- The last columns are since version 6. rules: how many ran; scope: '' now, since a sweep records
-- everything; disputed: open conflicts whose claims disagree; acknowledged: of the findings; kinds: how many
-- findings of each kind, a JSON object.
CREATE TABLE IF NOT EXISTS sweep_runs ( -- local
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
-- rule, the same rows, another message), so it is no key. acked, ack, since version 10: whether it is
-- acknowledged, and the acknowledgement about it.
CREATE TABLE IF NOT EXISTS findings ( -- derived
  id       TEXT NOT NULL,
  kind     TEXT NOT NULL DEFAULT '',
  severity TEXT NOT NULL DEFAULT 'warn',
  rule     TEXT NOT NULL DEFAULT '',
  project  TEXT NOT NULL DEFAULT '',
  "rows"   TEXT NOT NULL DEFAULT '[]',
  message  TEXT NOT NULL DEFAULT '',
  expected TEXT NOT NULL DEFAULT '',
  actual   TEXT NOT NULL DEFAULT '',
  reason   TEXT NOT NULL DEFAULT '',
  acked    INTEGER NOT NULL DEFAULT 0,
  ack      TEXT
);

-- What people say of findings and rows. A line is never changed: one that takes another back
-- names it in `replaces`, and so does one that comes after it. So the lines of two stores can be
-- put together in any order. finding: its id; about: its rows; evidence: a digest of what it said
-- (core/detect/finding.c).
CREATE TABLE IF NOT EXISTS acknowledgements ( -- exported
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
CREATE TABLE IF NOT EXISTS flags ( -- exported
  id       TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  subject  TEXT NOT NULL,
  status   TEXT NOT NULL DEFAULT 'flagged' CHECK (status IN ('flagged', 'withdrawn')),
  reason   TEXT,
  actor    TEXT,
  at       TEXT,
  replaces TEXT
);
CREATE INDEX IF NOT EXISTS flags_subject ON flags (subject);

-- What a model, an agent or a person says of rows, in a question. A line is never changed.
-- members: references, "kind:id", a JSON array; digests: of what each said when it was judged, in the same
-- order (core/claim/judged.h). says, since version 15: 'reported', somebody says that they contradict each
-- other; 'confirmed', a person says so; 'agrees', they do not; 'withdrawn', what `model` said of
-- them is taken back; NULL: a model proposes it, or where there is
-- none a person confirmed what two texts show. why, via, since version 15: the reason; how an agent said it.
CREATE TABLE IF NOT EXISTS proposals ( -- exported
  id       TEXT PRIMARY KEY NOT NULL CHECK (typeof(id) = 'text' AND id <> ''),
  members  TEXT NOT NULL DEFAULT '[]',
  digests  TEXT NOT NULL DEFAULT '[]',
  question TEXT NOT NULL DEFAULT '',
  model    TEXT,
  actor    TEXT,
  at       TEXT,
  says     TEXT,
  why      TEXT,
  via      TEXT
);
-- The same by row.
CREATE TABLE IF NOT EXISTS proposal_rows ( -- derived
  ref      TEXT NOT NULL,
  proposal TEXT NOT NULL,
  PRIMARY KEY (ref, proposal)
) WITHOUT ROWID;
-- Rows that a judge has still to read, in the order in which they were written. tries: how often a
-- model's answer to them could not be read.
CREATE TABLE IF NOT EXISTS judge_queue ( -- local
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  ref   TEXT NOT NULL UNIQUE,
  tries INTEGER NOT NULL DEFAULT 0
);

-- Append-only. hash: SHA-256 over the line before's hash, this line's fields and its salt, see
-- journal.h.
CREATE TABLE IF NOT EXISTS journal ( -- local
  seq    INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  actor  TEXT NOT NULL,
  verb   TEXT NOT NULL,
  ref    TEXT NOT NULL,
  before TEXT,      -- the record; of a conflict with many members see records.h
  after  TEXT,
  hash   TEXT NOT NULL,
  why    TEXT,      -- since version 2
  salt   BLOB       -- since version 9; NULL: of an older line, or of one that a redaction rewrote
);
CREATE INDEX IF NOT EXISTS journal_ref ON journal (ref);
CREATE INDEX IF NOT EXISTS journal_reopened ON journal (ref) WHERE verb = 'reopen'; -- since version 12
CREATE TRIGGER IF NOT EXISTS journal_no_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS journal_no_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
-- INSERT OR REPLACE deletes without a DELETE trigger.
CREATE TRIGGER IF NOT EXISTS journal_no_replace BEFORE INSERT ON journal
WHEN EXISTS (SELECT 1 FROM journal WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- What each source says of a row now (evidence.h); the row follows from it. record: as the source said
-- it, an object like a line of an export; NULL while each source says what the row has, of which digest
-- is a hash. at: when an import or an edit saw that it had changed. history: since when each value
-- stands, what it was before, and what a person judged.
CREATE TABLE IF NOT EXISTS evidence ( -- exported
  ref     TEXT NOT NULL,
  source  TEXT NOT NULL,
  digest  INTEGER,
  at      TEXT,
  record  TEXT,
  history TEXT,
  PRIMARY KEY (ref, source)
) WITHOUT ROWID;
-- What a snapshot reads.
CREATE INDEX IF NOT EXISTS evidence_differs ON evidence (ref, source)
WHERE record IS NOT NULL OR history IS NOT NULL;

-- Verdicts that an import brought: the lines of `export --verdicts`, by their ids. state: waiting, until
-- a conflict opens that it is about; applied, once and for good; replaced, by a later one. target: the
-- conflict here; against: the verdict that stood there when the two met and differed.
CREATE TABLE IF NOT EXISTS verdicts ( -- exported
  id      TEXT PRIMARY KEY NOT NULL,
  record  TEXT NOT NULL,
  state   TEXT NOT NULL DEFAULT 'waiting',
  target  TEXT NOT NULL DEFAULT '',
  against TEXT NOT NULL DEFAULT '',
  why     TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;

-- What the last recorded sweep saw, so that a question is answered from what it recorded while
-- nothing that decides has changed (swept.h). number: moves with every change of a fact, by any
-- program. version: the number that the sweep saw; NULL: no answer is recorded. schema: PRAGMA
-- schema_version then. decided: a digest of the rules and the program. dated: now was
-- SOURCE_DATE_EPOCH. now, ahead: the newest time of a row, and the earliest that lay ahead of the
-- clock (microseconds since 1970). pending: the number up to which the conflicts of written slots
-- are exact, while the sweep of the rest is still to come.
CREATE TABLE IF NOT EXISTS swept ( -- local
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  number  INTEGER NOT NULL DEFAULT 1,
  version INTEGER,
  pending INTEGER,
  schema  INTEGER,
  decided TEXT NOT NULL DEFAULT '',
  dated   INTEGER NOT NULL DEFAULT 0,
  now     INTEGER,
  ahead   INTEGER,
  told    TEXT            -- what it counted that no table has (core/sweep/answer.h)
);
INSERT OR IGNORE INTO swept (one) VALUES (1);
-- What a question about a recorded conflict is answered: its JSON (core/detect/conflict_json.c), and
-- shown: the same with names in place of ids, where that differs.
CREATE TABLE IF NOT EXISTS conflict_answers ( -- derived
  conflict_id TEXT PRIMARY KEY NOT NULL,
  project     TEXT NOT NULL,      -- as aliases and names are folded now
  disputed    INTEGER NOT NULL,
  settled     INTEGER NOT NULL,   -- by a later statement
  json        TEXT NOT NULL,
  shown       TEXT
);
CREATE INDEX IF NOT EXISTS conflict_answers_disputed ON conflict_answers (conflict_id) WHERE disputed;
CREATE INDEX IF NOT EXISTS conflict_answers_settled ON conflict_answers (conflict_id) WHERE settled;
-- The rows that a disputed answer names: its members, its subjects and what contains them.
CREATE TABLE IF NOT EXISTS conflict_rows ( -- derived
  conflict_id TEXT NOT NULL,
  ref         TEXT NOT NULL,
  PRIMARY KEY (conflict_id, ref)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS conflict_rows_ref ON conflict_rows (ref);

-- Which commit last changed the line of a document that a row in a conflict or a finding stands on, as git
-- said when an import read it: place is the row's first source then, said "1a2b3c4d5e6f, 2026-04-02, kim"
-- (core/store/line_commits.h).
CREATE TABLE IF NOT EXISTS line_commits ( -- local
  ref   TEXT PRIMARY KEY NOT NULL,
  place TEXT NOT NULL,
  said  TEXT NOT NULL
) WITHOUT ROWID;

-- Where a model makes vectors for recall, its first one makes a table recall_vectors (recall_tables.c): by
-- model and SHA-256 of a text, one byte for each number, none where the text was withheld from the
-- model. Safe to lose.

-- Every change of a fact moves swept.number. These are for other programs: hmirror counts its own
-- changes, and lets no trigger of a file run. REPLACE deletes without a DELETE trigger, and inserts.
CREATE TRIGGER IF NOT EXISTS memories_moved_insert AFTER INSERT ON memories BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS memories_moved_update AFTER UPDATE ON memories BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS memories_moved_delete AFTER DELETE ON memories BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS entities_moved_insert AFTER INSERT ON entities BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS entities_moved_update AFTER UPDATE ON entities BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS entities_moved_delete AFTER DELETE ON entities BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS project_state_moved_insert AFTER INSERT ON project_state BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS project_state_moved_update AFTER UPDATE ON project_state BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS project_state_moved_delete AFTER DELETE ON project_state BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS relations_moved_insert AFTER INSERT ON relations BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS relations_moved_update AFTER UPDATE ON relations BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS relations_moved_delete AFTER DELETE ON relations BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS links_moved_insert AFTER INSERT ON links BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS links_moved_update AFTER UPDATE ON links BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS links_moved_delete AFTER DELETE ON links BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS projects_moved_insert AFTER INSERT ON projects BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS projects_moved_update AFTER UPDATE ON projects BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS projects_moved_delete AFTER DELETE ON projects BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS project_aliases_moved_insert AFTER INSERT ON project_aliases BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS project_aliases_moved_update AFTER UPDATE ON project_aliases BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS project_aliases_moved_delete AFTER DELETE ON project_aliases BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS conflicts_moved_insert AFTER INSERT ON conflicts BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS conflicts_moved_update AFTER UPDATE ON conflicts BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS conflicts_moved_delete AFTER DELETE ON conflicts BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS conflict_members_moved_insert AFTER INSERT ON conflict_members BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS conflict_members_moved_update AFTER UPDATE ON conflict_members BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS conflict_members_moved_delete AFTER DELETE ON conflict_members BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS proposals_moved_insert AFTER INSERT ON proposals BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS proposals_moved_update AFTER UPDATE ON proposals BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS proposals_moved_delete AFTER DELETE ON proposals BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS acknowledgements_moved_insert AFTER INSERT ON acknowledgements BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS acknowledgements_moved_update AFTER UPDATE ON acknowledgements BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS acknowledgements_moved_delete AFTER DELETE ON acknowledgements BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS flags_moved_insert AFTER INSERT ON flags BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS flags_moved_update AFTER UPDATE ON flags BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS flags_moved_delete AFTER DELETE ON flags BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS evidence_moved_insert AFTER INSERT ON evidence BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS evidence_moved_update AFTER UPDATE ON evidence BEGIN UPDATE swept SET number = number + 1; END;
CREATE TRIGGER IF NOT EXISTS evidence_moved_delete AFTER DELETE ON evidence BEGIN UPDATE swept SET number = number + 1; END;
