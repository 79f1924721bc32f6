"""Recipes of site-example/stores, each on a store of the tables and columns that its program makes: three planted contradictions
are found, look-alikes are not, the store is not touched, and the next build sees what its program writes."""
import hashlib
import json
import os
import random
import re
import shutil
import subprocess

from harness import HMIRROR, SHARED, THOROUGH, TOP, Skip, main, make_database

STORES = os.path.join(TOP, "site-example", "stores")


def rows(table, columns, *values):
    """INSERT statements; a value may be None, text or a number."""
    def one(v):
        return "NULL" if v is None else str(v) if isinstance(v, (int, float)) else "'" + v.replace("'", "''") + "'"
    return "".join(f"INSERT INTO {table}({columns}) VALUES({', '.join(map(one, v))});" for v in values)


ATOCORE = ("""
CREATE TABLE projects(id TEXT PRIMARY KEY, name TEXT UNIQUE NOT NULL, description TEXT DEFAULT '', created_at DATETIME, updated_at DATETIME);
CREATE TABLE memories(id TEXT PRIMARY KEY, memory_type TEXT NOT NULL, content TEXT NOT NULL, project TEXT DEFAULT '', source_chunk_id TEXT,
  confidence REAL DEFAULT 1.0, status TEXT DEFAULT 'active', created_at DATETIME, updated_at DATETIME);
CREATE TABLE entities(id TEXT PRIMARY KEY, entity_type TEXT, name TEXT, project TEXT, description TEXT, properties TEXT, status TEXT,
  confidence REAL, source_refs TEXT, created_at DATETIME, updated_at DATETIME);
CREATE TABLE project_state(id TEXT PRIMARY KEY, project_id TEXT NOT NULL REFERENCES projects(id), category TEXT, key TEXT, value TEXT,
  source TEXT, confidence REAL, created_at DATETIME, updated_at DATETIME, status TEXT DEFAULT 'active');
""" + rows("projects", "id, name", ("0b9f", "p05")) +
    rows("memories", "id, memory_type, content, project, status, created_at",
         ("m1", "preference", "prefers rebase workflow", "p05", "active", "2026-04-01 10:00:00"),
         ("m2", "preference", "prefers merge-commit workflow", "p05", "active", "2026-04-02 10:00:00"),
         ("m3", "preference", "prefers squash workflow", "p05", "candidate", "2026-04-03 10:00:00"),
         ("m4", "preference", "prefers small diffs", "p05", "active", "2026-04-03 10:00:00"),
         ("m5", "preference", "likes small diffs", "p05", "active", "2026-04-03 10:00:00"),
         ("m6", "knowledge", "frame mass is 4800 g", "p05", "active", "2026-04-03 10:00:00")) +
    rows("entities", "id, entity_type, name, project, properties, status, created_at",
         ("e1", "Decision", "support", "p05", '{"decision_target":"lateral support","decision_field":"material","value":"PEEK"}', "active", "2026-04-02"),
         ("e2", "Parameter", "beam power", "p05", '{"value":"5 mW"}', "active", "2026-04-02"),
         ("e3", "Parameter", "beam power", "p05", '{"value":"7 mW"}', "active", "2026-04-03"),
         ("e4", "Parameter", "beam power", "p05", '{"value":"9 mW"}', "superseded", "2026-04-01")) +
    rows("project_state", "id, project_id, category, key, value, status, created_at",
         ("s1", "0b9f", "decision", "lateral_support_material", "GF-PTFE", "active", "2026-04-03"),
         ("s2", "0b9f", "fact", "frame_mass", "4.8 kg", "active", "2026-04-03")))

FACTS = "id, lineage_id, content, content_hash, scope, confidence, agent_id, embedding_model, embedding_ver, committed_at, valid_from, valid_until"


def fact(id, lineage, scope, content, at, until=None, agent="claude"):
    return (id, lineage, content, "h-" + id, scope, 0.8, agent, "m", "1", at, at, until)


ENGRAM = ("""
CREATE TABLE facts(id TEXT PRIMARY KEY, lineage_id TEXT NOT NULL, content TEXT NOT NULL, content_hash TEXT NOT NULL, scope TEXT NOT NULL,
  confidence REAL NOT NULL, fact_type TEXT NOT NULL DEFAULT 'observation', agent_id TEXT NOT NULL, engineer TEXT, provenance TEXT,
  keywords TEXT, entities TEXT, artifact_hash TEXT, embedding BLOB, embedding_model TEXT NOT NULL, embedding_ver TEXT NOT NULL,
  committed_at TEXT NOT NULL, valid_from TEXT NOT NULL, valid_until TEXT, ttl_days INTEGER, memory_op TEXT NOT NULL DEFAULT 'add',
  supersedes_fact_id TEXT, workspace_id TEXT NOT NULL DEFAULT 'local', durability TEXT NOT NULL DEFAULT 'durable');
CREATE TABLE agents(agent_id TEXT PRIMARY KEY, engineer TEXT NOT NULL);
CREATE TABLE conflicts(id TEXT PRIMARY KEY, fact_a_id TEXT, fact_b_id TEXT, status TEXT NOT NULL DEFAULT 'open');
CREATE VIRTUAL TABLE facts_fts USING fts5(content, scope, keywords, content=facts, content_rowid=rowid);
""" + rows("facts", FACTS,
           fact("f1", "L1", "auth", "The rate limit is 1,000 req/s", "2026-03-01T10:00:00+00:00"),
           fact("f2", "L2", "auth", "rate limit is 5000 req/s.", "2026-03-06T10:00:00+00:00", agent="codex"),
           fact("f3", "L3", "auth", "The primary database is PostgreSQL", "2026-03-01T10:00:00+00:00"),
           fact("f4", "L4", "auth", "The primary database is MySQL", "2026-03-07T10:00:00+00:00", agent="codex"),
           fact("f5", "L5", "infra", "deploy region: eu-west-1", "2026-03-01T10:00:00+00:00"),
           fact("f6", "L6", "infra", "the deploy region is us-east-1", "2026-03-02T10:00:00+00:00", agent="codex"),
           # A later word of the same agent, a correction, a fact that ended, another scope, another spelling, a state, a label, another thing.
           fact("g0", "L0", "auth", "pool size is 4", "2026-03-01T10:00:00+00:00"),
           fact("gz", "LZ", "auth", "pool size is 8", "2026-03-04T10:00:00+00:00"),
           fact("g1", "L7", "auth", "token lifetime is 15 min", "2026-03-01T10:00:00+00:00", "2026-03-02T10:00:00+00:00"),
           fact("g2", "L7", "auth", "token lifetime is 30 min", "2026-03-02T10:00:00+00:00"),
           fact("g3", "L8", "auth", "token lifetime is 1800 s", "2026-03-03T10:00:00+00:00"),
           fact("g4", "L9", "auth", "queue size is 10", "2026-02-01T10:00:00+00:00", "2026-02-02T10:00:00+00:00"),
           fact("g5", "LA", "auth", "queue size is 20", "2026-03-01T10:00:00+00:00"),
           fact("g6", "LB", "billing", "rate limit is 50 req/s", "2026-03-01T10:00:00+00:00"),
           fact("g7", "LC", "auth", "The primary database is slow", "2026-03-01T10:00:00+00:00"),
           fact("g8", "LD", "auth", "TODO: rotate the keys", "2026-03-01T10:00:00+00:00"),
           fact("g9", "LE", "auth", "TODO: write the docs", "2026-03-01T10:00:00+00:00"),
           fact("ga", "LF", "auth", "cache ttl is 60 s", "2026-03-01T10:00:00+00:00"),
           fact("gb", "LG", "auth", "session ttl is 3600 s", "2026-03-01T10:00:00+00:00"),
           fact("gc", "LH", "auth", "The API is fast", "2026-03-01T10:00:00+00:00"),
           fact("gd", "LI", "auth", "The API is REST-based", "2026-03-01T10:00:00+00:00")) +
    rows("conflicts", "id, fact_a_id, fact_b_id", ("theirs", "f1", "gd")))

# What people and agents say of a person and of a service: what each graph and index below holds.
PLANTED = (("Alice", "works at Acme"), ("Alice", "Alice works at Globex"),
           ("gateway", "The rate limit is 100 req/s"), ("gateway", "rate limit: 500 req/s"),
           ("gateway", "license: MIT"), ("gateway", "The license is Apache-2.0"))
ALIKE = (("Alice", "hobby: chess"), ("Alice", "hobby: tennis"), ("Alice", "role: engineer"), ("Alice", "works as a senior engineer"),
         ("Alice", "Speaks Spanish"), ("Alice", "lives in Berlin"), ("Alice", "Lives in Berlin, Germany"), ("Alice", "used to work at Initech"),
         ("Bob", "works at Initech"), ("gateway", "timeout: 30 s"), ("gateway", "timeout is 30000 ms"), ("gateway", "retries: 3"),
         ("Alice", "wants to work at Initech"), ("Alice", "role is unclear"), ("gateway", "TODO: a"), ("gateway", "TODO: b"))
FOUND = {"alice_employer": {"Acme", "Globex"}, "gateway_rate_limit": {"100 req/s", "500 req/s"}, "gateway_license": {"MIT", "Apache-2.0"}}
THEN = {**FOUND, "bob_employer": {"Initech", "Hooli"}}

GRAPH = """
CREATE TABLE entities(name TEXT PRIMARY KEY, entity_type TEXT NOT NULL{made});
CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, entity_name TEXT NOT NULL REFERENCES entities(name), content TEXT NOT NULL{made});
CREATE TABLE relations(id INTEGER PRIMARY KEY AUTOINCREMENT, {a} TEXT NOT NULL, {b} TEXT NOT NULL, relation_type TEXT NOT NULL{made});
""" + rows("entities", "name, entity_type", ("Alice", "person"), ("Bob", "person"), ("gateway", "service")) + \
    rows("observations", "entity_name, content", *PLANTED, *ALIKE)
ADDED = rows("observations", "entity_name, content", ("Bob", "works at Hooli"))


def graph(a, b, made=""):
    return GRAPH.format(a=a, b=b, made=made) + rows("relations", f"{a}, {b}, relation_type", ("Alice", "gateway", "maintains"))


def mem0(id, user, text, **more):
    return (id, "vector", json.dumps({"data": text, "user_id": user, "hash": "h", "createdAt": "2026-03-01T10:00:00.000Z", **more}))


MEM0 = ("""
CREATE TABLE vectors(id TEXT PRIMARY KEY, vector BLOB NOT NULL, payload TEXT NOT NULL);
CREATE TABLE memory_migrations(id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL UNIQUE);
""" + rows("vectors", "id, vector, payload",
           mem0("1", "alice", "Works at Acme", agent_id="claude"), mem0("2", "alice", "The user works at Globex", agent_id="codex"),
           mem0("3", "alice", "Lives in Berlin"), mem0("4", "alice", "User lives in Munich"),
           mem0("5", "alice", "Favorite color is blue"), mem0("6", "alice", "Alice's favorite color is green"),
           mem0("7", "alice", "Likes pizza"), mem0("8", "alice", "Likes sushi"), mem0("9", "bob", "Works at Initech"),
           mem0("10", "alice", "Worked at Initech"), mem0("11", "alice", "Plans to live in Rome"), mem0("12", "alice", "Lives in a flat"),
           mem0("13", "alice", "Manager is Eve"), mem0("14", "alice", "Reports to Eve"),
           mem0("16", "bob", "User lives in Rome"), ("15", "vector", "no JSON")))

HISTORY = ("""
CREATE TABLE history(id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, created_at DATETIME, updated_at DATETIME,
  is_deleted INTEGER, actor_id TEXT, role TEXT);
""" + rows("history", "id, memory_id, old_memory, new_memory, event, created_at",
           ("1", "a", None, "Default branch: main", "ADD", "2026-03-01"), ("2", "b", None, "The default branch is develop-2", "ADD", "2026-03-02"),
           ("3", "c", None, "The API timeout is 30 s", "ADD", "2026-03-01"), ("4", "d", None, "API timeout is 60 s", "ADD", "2026-03-02"),
           ("5", "e", None, "deploy region is eu-west-1", "ADD", "2026-03-01"), ("6", "f", None, "deploy region = us-east-1", "ADD", "2026-03-02"),
           ("7", "g", None, "queue size is 10", "ADD", "2026-03-01"), ("8", "g", "queue size is 10", "queue size is 20", "UPDATE", "2026-03-02"),
           ("9", "h", None, "queue size is 30", "ADD", "2026-03-01"), ("10", "h", "queue size is 30", None, "DELETE", "2026-03-03"),
           ("11", "i", None, "Likes pizza", "ADD", "2026-03-01")))

MEMORY_HISTORY = ("""
CREATE TABLE memory_history(id INTEGER PRIMARY KEY AUTOINCREMENT, memory_id TEXT NOT NULL, previous_value TEXT, new_value TEXT, action TEXT NOT NULL, created_at TEXT,
  updated_at TEXT, is_deleted INTEGER DEFAULT 0);
CREATE TABLE messages(id TEXT PRIMARY KEY, session_scope TEXT, role TEXT, content TEXT, name TEXT, created_at TEXT);
""" + rows("memory_history", "memory_id, previous_value, new_value, action, created_at, is_deleted",
           ("a", None, "Default branch: main", "ADD", "2026-03-01T10:00:00.000Z", 0), ("b", None, "The default branch is develop-2", "ADD", "2026-03-02T10:00:00.000Z", 0),
           ("c", None, "The API timeout is 30 s", "ADD", "2026-03-01T10:00:00.000Z", 0), ("d", None, "API timeout is 60 s", "ADD", "2026-03-02T10:00:00.000Z", 0),
           ("e", None, "deploy region is eu-west-1", "ADD", "2026-03-01T10:00:00.000Z", 0), ("f", None, "deploy region = us-east-1", "ADD", "2026-03-02T10:00:00.000Z", 0),
           ("g", None, "queue size is 10", "ADD", "2026-03-01T10:00:00.000Z", 0), ("g", "queue size is 10", "queue size is 20", "UPDATE", "2026-03-02T10:00:00.000Z", 0),
           ("h", None, "queue size is 30", "ADD", "2026-03-01T10:00:00.000Z", 0), ("h", "queue size is 30", None, "DELETE", "2026-03-03T10:00:00.000Z", 1),
           ("i", None, "Likes pizza", "ADD", "2026-03-01T10:00:00.000Z", 0)) + rows("messages", "id, role, content", ("1", "user", "queue size is 99")))

SERVICE = """
CREATE TABLE memories(id INTEGER PRIMARY KEY AUTOINCREMENT, content_hash TEXT UNIQUE NOT NULL, content TEXT NOT NULL, tags TEXT,
  memory_type TEXT, metadata TEXT, created_at REAL, updated_at REAL, created_at_iso TEXT, updated_at_iso TEXT, deleted_at REAL DEFAULT NULL{more});
CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def service(new):
    def memory(hash, content, by=None, deleted=None):
        meta = None if new or not by else json.dumps({"superseded_by": by})
        return (hash, content, "p1,api", "note", meta, 1772359200.25, 1772359200.25, deleted) + ((by,) if new else ())
    columns = "content_hash, content, tags, memory_type, metadata, created_at, updated_at, deleted_at" + (", superseded_by" if new else "")
    more = ", parent_id TEXT, version INTEGER DEFAULT 1, confidence REAL DEFAULT 1.0, last_accessed INTEGER, superseded_by TEXT" if new else ""
    return SERVICE.format(more=more) + rows(
        "memories", columns,
        memory("a1", "The API timeout is 30 s"), memory("a2", "API timeout = 60 s"),
        memory("b1", "the default branch is main-2"), memory("b2", "Default branch: develop"),
        memory("c1", "service version is 1.4.0"), memory("c2", "The service version is 1.5.0"),
        memory("d1", "queue size is 10", "d2"), memory("d2", "queue size is 20"), memory("d3", "queue size is 30", None, 1772359300.5),
        memory("e1", "cache TTL is 1 min"), memory("e2", "cache TTL is 60 s"), memory("e3", "session TTL is 3600 s"),
        memory("f1", "Decision: use REST"), memory("f2", "Decision: use GraphQL"),
        memory("g1", "Decision: use Redis"), memory("g2", "Decision: write the docs"), memory("f3", "A timeout is 5 s"), memory("f4", "meeting: 10:00"),
        memory("f5", "meeting: 14:00"), memory("f6", "the service version is old"))


BASIC = """
CREATE TABLE project(id INTEGER PRIMARY KEY, name TEXT UNIQUE, description TEXT, permalink TEXT, path TEXT, created_at DATETIME, updated_at DATETIME);
CREATE TABLE entity(id INTEGER PRIMARY KEY, title TEXT, {type} TEXT, entity_metadata JSON, content_type TEXT, project_id INTEGER, permalink TEXT,
  file_path TEXT, created_at DATETIME, updated_at DATETIME);
CREATE TABLE observation(id INTEGER PRIMARY KEY, project_id INTEGER, entity_id INTEGER, content TEXT, category TEXT NOT NULL DEFAULT 'note',
  context TEXT, tags JSON DEFAULT '[]');
CREATE TABLE relation(id INTEGER PRIMARY KEY, project_id INTEGER, from_id INTEGER, to_id INTEGER, to_name TEXT, relation_type TEXT, context TEXT);
"""
TIMES = """
CREATE TABLE memory_time_index(id INTEGER PRIMARY KEY, project_id INTEGER, entity_id INTEGER, source_type TEXT, source_id INTEGER, time_kind TEXT,
  range_axis TEXT, lower_value TEXT, upper_value TEXT, lower_inclusive BOOLEAN, upper_inclusive BOOLEAN, is_empty BOOLEAN);
"""


def basic(type, times=False):
    notes = {"Alice": 1, "Bob": 2, "gateway": 3}
    said = [(notes[n], "fact", text) for n, text in PLANTED + ALIKE]
    sql = BASIC.format(type=type) + rows("project", "id, name", (1, "main"), (2, "other"))
    sql += rows("entity", f"id, title, {type}, project_id, permalink, file_path, created_at",
                *((i, n, "note", 1, n.lower(), n + ".md", "2026-03-01 10:00:00.000000") for n, i in notes.items()),
                (4, "Alice", "note", 2, "alice", "Alice.md", "2026-03-01 10:00:00.000000"))
    sql += rows("observation", "entity_id, category, content", *said, (4, "fact", "works at Initech"))
    sql += rows("relation", "from_id, to_id, to_name, relation_type", (1, 3, "gateway", "maintains"), (1, None, "nowhere", "knows"))
    if times:
        sql += TIMES + rows("observation", "id, entity_id, category, content", (100, 3, "decision", "database: Redis"),
                            (101, 3, "decision", "database: PostgreSQL"))
        sql += rows("memory_time_index", "source_type, source_id, time_kind, lower_value, upper_value",
                    ("observation", 100, "effective", "2026-01-01", "2026-02-01"), ("observation", 101, "effective", "2026-02-01", None))
    return sql


SESSIONS = ("""
CREATE TABLE sessions(id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL, started_at TEXT, ended_at TEXT, summary TEXT);
CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, sync_id TEXT, session_id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL,
  content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT, created_at TEXT, updated_at TEXT, deleted_at TEXT);
""" + rows("observations", "session_id, type, title, content, project, created_at, deleted_at",
           ("s", "decision", "Timeouts", "The API timeout is 30 s", "shop", "2026-03-01 10:00:00", None),
           ("s", "config", "Timeouts again", "API timeout: 60 s", "shop", "2026-03-02 10:00:00", None),
           ("s", "decision", "Database", "The primary database is PostgreSQL", "shop", "2026-03-01 10:00:00", None),
           ("s", "decision", "Database", "the primary database is SQLite", "shop", "2026-03-02 10:00:00", None),
           ("s", "config", "Port", "http port = 8080", "shop", "2026-03-01 10:00:00", None),
           ("s", "config", "Port", "The HTTP port is 9090", "shop", "2026-03-02 10:00:00", None),
           ("s", "config", "Port", "The HTTP port is 7070", "shop", "2026-03-02 10:00:00", "2026-03-03 10:00:00"),
           ("s", "config", "Port", "The HTTP port is 6060", "blog", "2026-03-02 10:00:00", None),
           ("s", "bugfix", "Fixed it", "**What**: fixed the port\n**Why**: it was 5050", "shop", "2026-03-02 10:00:00", None),
           ("s", "bugfix", "Fixed it", "**What**: fixed the login\n**Why**: it was slow", "shop", "2026-03-02 10:00:00", None)))

ATOCORE_FOUND = {"workflow": {"rebase", "merge-commit"}, "lateral_support_material": {"GF-PTFE", "PEEK"}, "beam_power": {"5 mW", "7 mW"}}
ENGRAM_FOUND = {"rate_limit": {"1,000 req/s", "5000 req/s"}, "primary_database": {"PostgreSQL", "MySQL"}, "region": {"eu-west-1", "us-east-1"}}
MEM0_FOUND = {"alice_employer": {"Acme", "Globex"}, "alice_residence": {"Berlin", "Munich"}, "alice_favorite_color": {"blue", "green"}}
HISTORY_FOUND = {"default_branch": {"main", "develop-2"}, "api_timeout": {"30 s", "60 s"}, "region": {"eu-west-1", "us-east-1"}}
SERVICE_FOUND = {"api_timeout": {"30 s", "60 s"}, "default_branch": {"main-2", "develop"}, "service_version": {"1.4.0", "1.5.0"},
                 "api_style": {"REST", "GraphQL"}}
SESSIONS_FOUND = {"api_timeout": {"30 s", "60 s"}, "primary_database": {"PostgreSQL", "SQLite"}, "http_port": {"8080", "9090"}}
SERVICE_ADDED = rows("memories", "content_hash, content", ("z1", "cache TTL is 90 s"))
BASIC_ADDED = rows("observation", "entity_id, category, content", (2, "fact", "works at Hooli"))

# The tables and columns of the store that `new SessionStore(FILE)` of claude-mem 13.25 makes (plugin/sqlite/SessionStore.js, run by Bun:
# createSDKSession, updateMemorySessionId, storeObservation), where the recipe was tried by hand; its rows are as there.
CLAUDE = """
CREATE TABLE sdk_sessions(id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE, project TEXT NOT NULL,
  platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT, status TEXT);
CREATE TABLE observations(id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT, type TEXT NOT NULL,
  title TEXT, subtitle TEXT, facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, discovery_tokens INTEGER DEFAULT 0, content_hash TEXT, generated_by_model TEXT,
  relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT, synced_at INTEGER,
  origin_device_id TEXT, origin_local_id TEXT, sync_rev TEXT NOT NULL DEFAULT '1');
CREATE TABLE session_summaries(id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, request TEXT, learned TEXT,
  created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
CREATE VIRTUAL TABLE observations_fts USING fts5(title, narrative, content='observations', content_rowid='id');
"""


def learned(session, project, facts, at):
    return (session, project, None, "discovery", "Ports", None, json.dumps(facts) if facts is not None else None, "Looked at it.", '["how-it-works"]', at, 1)


LEARNED = "memory_session_id, project, text, type, title, subtitle, facts, narrative, concepts, created_at, created_at_epoch"
CLAUDE += rows("observations", LEARNED,
               learned("s1", "mill", ["The HTTP port is 8080", "The cache backend is Valkey"], "2026-03-01T10:00:00.000Z"),
               learned("s2", "mill", ["The HTTP port is 9090", "The cache backend is Valkey."], "2026-03-02T10:00:00.000Z"),
               learned("s3", "farm", ["The HTTP port is 7070"], "2026-03-03T10:00:00.000Z"), learned("s3", "farm", None, "2026-03-03T10:00:00.000Z"))
# As the migrations of Chroma leave them (rust/sqlite/migrations: sysdb to 00010, metadb to 00006).
CHROMA = """
CREATE TABLE tenants(id TEXT PRIMARY KEY, UNIQUE(id));
CREATE TABLE databases(id TEXT PRIMARY KEY, name TEXT NOT NULL, tenant_id TEXT NOT NULL REFERENCES tenants(id) ON DELETE CASCADE, UNIQUE(tenant_id, name));
CREATE TABLE collections(id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER, database_id TEXT NOT NULL, config_json_str TEXT, schema_str TEXT,
  UNIQUE(name, database_id));
CREATE TABLE collection_metadata(collection_id TEXT, key TEXT NOT NULL, str_value TEXT, int_value INTEGER, float_value REAL, bool_value INTEGER, PRIMARY KEY(collection_id, key));
CREATE TABLE embedding_metadata_array(id INTEGER NOT NULL, key TEXT NOT NULL, string_value TEXT, int_value INTEGER, float_value REAL, bool_value INTEGER);
CREATE TABLE max_seq_id(segment_id TEXT PRIMARY KEY, seq_id INTEGER);
CREATE VIRTUAL TABLE embedding_fulltext_search USING fts5(string_value, tokenize='trigram');
CREATE TABLE segments(id TEXT PRIMARY KEY, type TEXT NOT NULL, scope TEXT NOT NULL, collection TEXT REFERENCES collections(id) NOT NULL);
CREATE TABLE embeddings(id INTEGER PRIMARY KEY, segment_id TEXT NOT NULL, embedding_id TEXT NOT NULL, seq_id BLOB NOT NULL,
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, UNIQUE(segment_id, embedding_id));
CREATE TABLE embedding_metadata(id INTEGER REFERENCES embeddings(id), key TEXT NOT NULL, string_value TEXT, int_value INTEGER, float_value REAL,
  bool_value INTEGER, PRIMARY KEY(id, key));
""" + rows("collections", "id, name, database_id", ("c1", "mill", "d"), ("c2", "farm", "d")) + \
    rows("segments", "id, type, scope, collection", ("v1", "urn:vector", "VECTOR", "c1"), ("m1", "urn:meta", "METADATA", "c1"), ("m2", "urn:meta", "METADATA", "c2"))


def document(id, segment, text):
    return rows("embeddings", "id, segment_id, embedding_id, seq_id", (id, segment, f"doc{id % 3}", id)) + \
        rows("embedding_metadata", "id, key, string_value", (id, "chroma:document", text), (id, "source", "hand"))


def meta(id, **values):
    return "".join(rows("embedding_metadata", "id, key, " + ("float_value" if isinstance(v, float) else "string_value"), (id, k, v)) for k, v in values.items())


def stored(id, text, **values):
    return rows("embeddings", "id, segment_id, embedding_id, seq_id", (id, "m1", f"d{id}", id)) + rows("embedding_metadata", "id, key, string_value", (id, "chroma:document", text)) + meta(id, **values)


# Of the metadata that AI-Houkai writes: one that was superseded, one that ended before the next began.
CHROMA += stored(7, "The pump mass is 3 kg", superseded_by="d8", created_at=1767225600.5, expires_at=0.0, tags="pump,mass") + stored(8, "The pump mass is 4 kg", superseded_by="") + \
    stored(9, "The weir height is 2 m", created_at=1704067200.0, expires_at=1735689600.0) + stored(10, "The weir height is 3 m", created_at=1767225600.0, expires_at=0.0)
CHROMA += document(1, "m1", "The HTTP port is 8080") + document(2, "m1", "The HTTP port is 9090") + document(4, "m2", "The HTTP port is 7070") + document(5, "m2", None)

# Recipe: what its program made, what is found in it, what the program writes then, what is found then.
CASES = {
    "atocore": (ATOCORE, ATOCORE_FOUND, "UPDATE memories SET status = 'active' WHERE id = 'm3';",
                {**ATOCORE_FOUND, "workflow": {"rebase", "merge-commit", "squash"}}),
    "engram": (ENGRAM, ENGRAM_FOUND, rows("facts", FACTS, fact("h1", "LX", "auth", "queue size is 30", "2026-03-09T10:00:00+00:00", agent="codex")),
               {**ENGRAM_FOUND, "queue_size": {"20", "30"}}),
    "engram-sessions": (SESSIONS, SESSIONS_FOUND, "UPDATE observations SET deleted_at = NULL WHERE deleted_at IS NOT NULL;",
                        {**SESSIONS_FOUND, "http_port": {"8080", "9090", "7070"}}),
    "memory-libsql": (graph("source", "target", ", created_at DATETIME DEFAULT CURRENT_TIMESTAMP"), FOUND, ADDED, THEN),
    "memory-sqlite": (graph("from_entity", "to_entity"), FOUND, ADDED, THEN),
    "mem0": (MEM0, MEM0_FOUND, rows("vectors", "id, vector, payload", mem0("99", "bob", "Works at Hooli")), {**MEM0_FOUND, "bob_employer": {"Initech", "Hooli"}}),
    "mem0-history": (HISTORY, HISTORY_FOUND, rows("history", "id, memory_id, new_memory, event, created_at", ("99", "z", "queue size is 40", "ADD", "2026-03-04")),
                     {**HISTORY_FOUND, "queue_size": {"20", "40"}}),
    "mem0-memory-history": (MEMORY_HISTORY, HISTORY_FOUND, rows("memory_history", "memory_id, new_value, action, created_at", ("z", "queue size is 40", "ADD", "2026-03-04T10:00:00.000Z")),
                            {**HISTORY_FOUND, "queue_size": {"20", "40"}}),
    "mcp-memory-service": (service(True), SERVICE_FOUND, SERVICE_ADDED, {**SERVICE_FOUND, "cache_lifetime": {"1 min", "60 s", "90 s"}}),
    "mcp-memory-service-9": (service(False), SERVICE_FOUND, SERVICE_ADDED, {**SERVICE_FOUND, "cache_lifetime": {"1 min", "60 s", "90 s"}}),
    "claude-mem": (CLAUDE, {"http_port": {"8080", "9090"}}, rows("observations", LEARNED, learned("s4", "mill", ["The cache backend is Redis"], "2026-03-04T10:00:00.000Z")),
                   {"http_port": {"8080", "9090"}, "cache_store": {"Valkey", "Redis"}}),
    "chroma": (CHROMA, {"http_port": {"8080", "9090"}}, document(6, "m1", "The HTTP port is 6060"), {"http_port": {"8080", "9090", "6060"}}),
    "basic-memory": (basic("note_type", True), FOUND, BASIC_ADDED, THEN),
    "basic-memory-notes": (basic("note_type"), FOUND, BASIC_ADDED, THEN),
    "basic-memory-entities": (basic("entity_type"), FOUND, BASIC_ADDED, THEN),
}


# What `adopt --dry-run` tells of each layer: how many rows are read, how many of them claim (at least: more prose may be read one day), and
# how many are silent for another reason than that nothing is read of their words.
PROSE = 'says nothing of the form "SUBJECT is VALUE" that can be read'
OF_GRAPH = {"memories": (22, 13, {}), "entities": (3, 0, {"has no properties": 3}), "relations": (1, 0, {"is of a kind, or between types, that claim nothing": 1})}
READ = {
    "atocore": {"memories": (6, 5, {"is a candidate": 1}), "entities": (4, 3, {"is superseded": 1}), "project_state": (2, 2, {})},
    "engram": {"memories": (21, 16, {"is superseded": 1})}, "engram-sessions": {"memories": (9, 7, {})}, "memory-libsql": OF_GRAPH, "memory-sqlite": OF_GRAPH,
    "mem0": {"memories": (15, 10, {})}, "mem0-history": {"memories": (9, 7, {"is superseded": 1})}, "mem0-memory-history": {"memories": (9, 7, {"is superseded": 1})},
    "mcp-memory-service": {"memories": (19, 12, {"is superseded": 1})}, "mcp-memory-service-9": {"memories": (19, 12, {"is superseded": 1})},
    "claude-mem": {"memories": (5, 5, {})}, "chroma": {"memories": (7, 6, {"is superseded": 1})},
    "basic-memory": {**OF_GRAPH, "memories": (25, 16, {}), "entities": (4, 0, {"has no properties": 4})},
    "basic-memory-notes": {**OF_GRAPH, "memories": (23, 14, {}), "entities": (4, 0, {"has no properties": 4})},
    "basic-memory-entities": {**OF_GRAPH, "memories": (23, 14, {}), "entities": (4, 0, {"has no properties": 4})},
}


# Recipes for files of rows: by the schema that each program publishes, what comes in (id or none, text, status), what is found.
LETTA = {"agents": [{"name": "helper", "block_ids": ["block-0", "block-1"], "messages": [{"role": "user", "content": "The age is 99"}], "id": "agent-0"}], "groups": [],
         "blocks": [{"id": "block-0", "label": "human", "value": "\nFirst name: Ada\nEmployer: Mill \"North\"\n", "limit": 20000, "metadata": {}},
                    {"id": "block-1", "label": "persona", "value": "\n" * 10 + "First name: Sam", "limit": 20000, "metadata": {}},
                    {"id": "block-11", "label": "notes", "value": "The mill is old", "limit": 20000, "metadata": {}}], "files": [], "sources": [], "tools": [], "mcp_servers": []}
STRICT = {"_COMMENT": "Fields with _ are metadata.", "DOCUMENTS": [
    {"TITLE": "Pump", "REQ_PREFIX": None, "GRAMMAR": {"ELEMENTS": []}, "_OPTIONS": {}, "NODES": [
        {"_TOC": "1", "TYPE": "SECTION", "TITLE": "Mass", "NODES": [{"_TOC": "1.1", "TYPE": "REQUIREMENT", "UID": "P-1", "STATUS": "Approved", "STATEMENT": "The pump mass is 3 kg."}]},
        {"_TOC": "2", "TYPE": "REQUIREMENT", "UID": "P-2", "STATUS": "Draft", "STATEMENT": "The pump mass is 9 kg."},
        {"_TOC": "3", "TYPE": "REQUIREMENT", "MID": "a1", "STATEMENT": "The pump mass is 4 kg."}]}]}
FILES = {
    "letta": ("agent.af", json.dumps(LETTA, indent=2), {("First name: Ada", "active"), ('Employer: Mill "North"', "active"), ("First name: Sam", "active"), ("The mill is old", "active")}, {}),
    "ai-houkai": ("rows", "".join(json.dumps(r) + "\n" for r in [
        {"format": "ai-houkai/export", "version": 1, "exported_at": 1767225600.5, "source": {"collection": "mill", "embedding_dim": 2, "count": 4}, "options": {"include_vectors": True}},
        *({"id": i, "text": t, "vector": [0.1, -0.2], "meta": {"id": i, "text": t, "type": k, "tags": ["pump"], "importance": 0.5, "created_at": at, "last_accessed": at, "access_count": 0,
           "source": "hand", "links": [], "superseded_by": by, "superseded_at": 0, "polarity": 0, "expires_at": until, "pinned": False, "trust": "trusted", "content_hash": ""}}
          for i, t, k, at, by, until in (("a", "The pump mass is 3 kg", "semantic", 1767225600.25, "", 0), ("b", "The pump mass is 4 kg", "semantic", 1767225601.25, "", 0),
                                         ("c", "The pump mass is 5 kg", "semantic", 1767225500.25, "a", 0), ("d", "The weir height is 2 m", "episodic", 1704067200.0, "", 1735689600.0)))]),
                  {("The pump mass is 3 kg", "active"), ("The pump mass is 4 kg", "active"), ("The pump mass is 5 kg", "superseded"), ("The weir height is 2 m", "active")}, {"pump_mass": {"3 kg", "4 kg"}}),
    "chatgpt": ("memory.json", json.dumps([{"content": "Lives in Oslo", "enabled": True, "created_at": "2026-03-01"}, {"content": "Lives in Rome", "enabled": True},
                                           {"content": "Lives in Graz", "enabled": False}]), {("Lives in Oslo", "active"), ("Lives in Rome", "active"), ("Lives in Graz", "invalid")},
                {"user_residence": {"Oslo", "Rome"}}),
    "faq": ("faq.csv", "Question,Answer\nHow long is the warranty?,2 years\nHow long is the warranty?,3 years\nWho sells it?,The mill\n",
            {("2 years", "active"), ("3 years", "active"), ("The mill", "active")}, {"how_long_is_the_warranty": {"2 years", "3 years"}}),
    "doorstop": ("REQ.csv", "uid,level,text,ref,links,active,derived,header,normative,reviewed\nREQ001,1.2,The pump mass is 3 kg,,SYS001,True,False,,True,\n"
                 "REQ002,1.3,The pump mass is 4 kg,,,True,False,,True,\nREQ003,1.4,The pump mass is 9 kg,,,False,False,,True,\n",
                 {("The pump mass is 3 kg", "active"), ("The pump mass is 4 kg", "active"), ("The pump mass is 9 kg", "invalid")}, {"pump_mass": {"3 kg", "4 kg"}}),
    "strictdoc": ("index.json", json.dumps(STRICT, indent=4), {("The pump mass is 3 kg.", "active"), ("The pump mass is 4 kg.", "active"), ("The pump mass is 9 kg.", "candidate")},
                  {"pump_mass": {"3 kg", "4 kg"}}),
}


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def found(m):
    got = m.run("conflicts", "list", "--format", "json").json()["conflicts"]
    return {c["slot_key"][-1]: {x["value"] for x in c["members"]} for c in got}


def marked(m):
    return any("⚠ disputed" in data.decode() for path, data in m.site_bytes("site") if path.endswith(".md"))


def read(name):
    with open(os.path.join(STORES, name + ".yml")) as f:
        return f.read()


def read_of(m):
    """What `adopt --dry-run` tells of each layer that has rows: how many, how many claim, and how many are silent for each reason."""
    got = {}
    for x in m.run("adopt", "--dry-run", "--format", "json").json()["layers"]:
        silent = {}
        for r in x["rows"]:
            if r["silent"]:
                silent[r["silent"]] = silent.get(r["silent"], 0) + r["rows"]
        if x["read"]:
            got[x["layer"]] = (x["read"], x["read"] - sum(silent.values()), silent)
    return got


def try_recipe(m, name):
    """`init --from` knows the store and writes the recipe, with its path in it."""
    sql, planted, then, planted_then = CASES[name]
    store = m.path("their store.db")
    make_database(store, sql, wal=name.startswith("engram"))
    for f in ("mirror.yml", "hmirror-review.db"):
        if os.path.exists(m.path(f)):
            os.unlink(m.path(f))
    assert f"by the recipe {name}\n" in m.run("init", "--from", "their store.db").out, name
    assert m.text("mirror.yml") == re.sub(r"^store: .*$", 'store: "their store.db"', read(name), flags=re.M)
    before = digest(store)
    got = read_of(m)
    assert {k: (n, {w: c for w, c in silent.items() if w != PROSE}) for k, (n, _, silent) in got.items()} == {k: (n, silent) for k, (n, _, silent) in READ[name].items()}, (name, got)
    assert all(got[k][1] >= claim for k, (_, claim, _) in READ[name].items()), (name, got)
    m.run("build")
    m.run("sweep")
    assert found(m) == planted, (name, found(m))
    assert not any(m.run("--format", "json", "health").json()["unknown"].values()), "a status, type or time that is not read"
    m.run("publish")
    assert digest(store) == before, name
    make_database(store, then)
    before = digest(store)
    m.run("build")
    m.run("sweep")
    assert found(m) == planted_then, (name, found(m))
    assert marked(m)
    assert digest(store) == before, name


def test_atocore(m):
    try_recipe(m, "atocore")


def test_engram(m):
    try_recipe(m, "engram")


def test_engram_of_sessions(m):
    try_recipe(m, "engram-sessions")


def test_graphs_of_memory_servers(m):
    for name in ("memory-libsql", "memory-sqlite"):
        try_recipe(m, name)
        os.unlink(m.path("their store.db"))


def test_mem0(m):
    try_recipe(m, "mem0")


def test_mem0_history(m):
    try_recipe(m, "mem0-history")


def test_mem0_history_of_javascript(m):
    try_recipe(m, "mem0-memory-history")


def test_claude_mem(m):
    try_recipe(m, "claude-mem")


def test_chroma(m):
    try_recipe(m, "chroma")


def test_mcp_memory_service(m):
    try_recipe(m, "mcp-memory-service")


def test_mcp_memory_service_before_versions(m):
    try_recipe(m, "mcp-memory-service-9")


def test_basic_memory(m):
    try_recipe(m, "basic-memory")


def test_basic_memory_of_other_versions(m):
    for name in ("basic-memory-notes", "basic-memory-entities"):
        try_recipe(m, name)
        os.unlink(m.path("their store.db"))


def memory_jsonl(observations, relations=()):
    """As @modelcontextprotocol/server-memory writes it: no line feed at the end."""
    names = dict.fromkeys(n for n, _ in observations)
    lines = [{"type": "entity", "name": n, "entityType": "thing", "observations": [text for of, text in observations if of == n]} for n in names]
    lines += [{"type": "relation", "from": a, "to": b, "relationType": r} for a, b, r in relations]
    return "\n".join(json.dumps(x, separators=(",", ":"), ensure_ascii=False) for x in lines)


def test_memory_jsonl(m):
    """The file of the memory server is imported as it is; a newer one of its name adds what is new."""
    said, linked = PLANTED + ALIKE + (("Łódź", "population: 645,000"),), [("Alice", "gateway", "maintains")]
    m.write("memory.jsonl", memory_jsonl(said, linked))
    m.run("init")
    n = len(said) + 4 + 1
    assert m.run("import", "memory.jsonl").out == f"memory.jsonl: {n} added, 0 updated, 0 unchanged\n"
    assert m.run("import", "memory.jsonl").out == f"memory.jsonl: 0 added, 0 updated, {n} unchanged\n"
    m.run("sweep")
    assert found(m) == FOUND, found(m)
    rows = [json.loads(x) for x in m.run("export").out.splitlines()]
    assert [(r["from"], r["to"], r["type"]) for r in rows if r["kind"] == "relation"] == [("Alice", "gateway", "maintains")]
    assert {r["id"] for r in rows if r["kind"] == "entity"} == {"Alice", "Bob", "gateway", "Łódź"}
    spaced = "\ufeff" + memory_jsonl(said, linked).replace('{"type":"', ' { "type" : "').replace(',"', ', "')
    assert m.run("import", "--source", "memory.jsonl", "-", stdin=spaced.encode()).out.endswith(f": 0 added, 0 updated, {n} unchanged\n")
    m.write("memory.jsonl", memory_jsonl(said + (("Bob", "works at Hooli"),), linked))
    assert m.run("import", "memory.jsonl").out == f"memory.jsonl: 1 added, 0 updated, {n} unchanged\n"
    m.run("sweep")
    assert found(m) == THEN, found(m)
    m.run("build")
    assert marked(m)


def test_memory_jsonl_that_is_wrong(m):
    m.run("init")
    good = '{"type":"entity","name":"A","entityType":"t","observations":["a is 1"]}'
    for bad, has in (('{"type":"entity","entityType":"t","observations":[]}', "name"), ('{"type":"entity","name":"X"', "JSON"),
                     ('{"type":"entity","name":"X","observations":[]}', "entityType"), ('{"type":"relation","from":"A","to":"X"}', "relationType"),
                     ('{"type":"entity","name":"X","entityType":"t","observations":"no"}', "observations"),
                     ('{"type":"entity","name":"X","entityType":"t","observations":["a",5]}', "observations"),
                     ('{"type":"entity","name":"' + "X" * 401 + '","entityType":"t","observations":["a"]}', "name: longer than 400 bytes"),
                     ('{"type":"entity","name":["X"],"entityType":"t"}', "name"),
                     ('{"type":"entity","name":"X","entityType":"t","observations":[{"text":"a","time":"soon"}]}', "time"), ('{"type":"other","name":"X"}', "kind")):
        m.write("memory.jsonl", good + "\n" + bad + "\n" + good.replace("A", "B"))
        m.fails("import", "memory.jsonl", has=("memory.jsonl:2", has))
        assert m.run("export").out == "", bad
        r = m.run("import", "--keep-going", "memory.jsonl", code=1)
        assert "1 bad line" in r.out and "memory.jsonl:2" in r.err, (bad, r.out)
        os.unlink(m.path("hmirror.db"))
    m.write("memory.jsonl", (good.replace("A", "\xff") + "\n").encode("latin1"))
    m.fails("import", "memory.jsonl", has=("memory.jsonl:1", "UTF-8"))


DEPOT = [{"type": "entity", "name": "depot", "entityType": "site", "observations": ["opens at 6:00", "opens at 7:00"]},
         {"type": "entity", "name": "crane", "entityType": "machine", "observations": []},
         {"type": "relation", "from": "crane", "to": "depot", "relationType": "located_in"}]


def test_memory_jsonl_in_other_dress(m):
    """One graph: members sorted, with a header, its observations with times, as one object; the same rows."""
    lines = lambda rows, **how: "".join(json.dumps(r, **how) + "\n" for r in rows)
    timed = [{**r, **({"observations": [{"time": "2026-03-04T05:06:07.890Z", "content": o} for o in r["observations"]]} if "observations" in r else {})} for r in DEPOT]
    untyped = [{k: v for k, v in r.items() if k != "type"} for r in DEPOT]
    renamed = [{{"from": "from_entity", "to": "to_entity"}.get(k, k): v for k, v in r.items()} for r in DEPOT]
    one = {"version": {"a": ["]"]}, "entities": [{k: v for k, v in r.items() if k != "type"} for r in DEPOT[:2]], "relations": DEPOT[2:]}
    plain = None
    for name, text in (("plain", lines(DEPOT)), ("sorted", lines(DEPOT, sort_keys=True)), ("header", '{"type":"_depot","made by":"hand"}\n' + lines(DEPOT)),
                       ("timed", lines(timed)), ("untyped", lines(untyped)), ("renamed", lines(renamed)), ("untyped list", json.dumps(untyped)), ("one", json.dumps(one)), ("wide", json.dumps(one, indent=2)), ("list", json.dumps(DEPOT)),
                       ("wide list", "\ufeff" + json.dumps(DEPOT, indent=1))):
        os.makedirs(m.path(name))
        m.write(f"{name}/g.jsonl", text)
        r = m.run("--store", f"{name}.db", "import", f"{name}/g.jsonl")
        assert "5 added, 0 updated, 0 unchanged" in r.out, (name, r.out)
        assert ("g.jsonl:1: not read: a header" in r.err) == (name == "header"), (name, r.err)
        rows = [json.loads(x) for x in m.run("--store", f"{name}.db", "export").out.splitlines()]
        assert all(r.get("created_at") == ("2026-03-04T05:06:07.890Z" if name == "timed" else None) for r in rows if r["kind"] == "memory"), (name, rows)
        rows = sorted(json.dumps({k: v for k, v in r.items() if k not in ("id", "created_at", "updated_at")}) for r in rows if r["kind"] in ("entity", "memory", "relation"))
        plain = plain or rows
        assert rows == plain, name
    # A first line that no graph follows is a record that is wrong.
    m.write("g.jsonl", '{"type":"_depot"}\n' + json.dumps({"kind": "memory", "memory_type": "knowledge", "content": "a is b"}) + "\n")
    m.fails("--store", "x.db", "import", "g.jsonl", has=("g.jsonl:1", "kind"))


def test_memory_jsonl_with_two_types(m):
    """Whichever line comes first: two types of one entity are a conflict of two parts of the file, until one is gone."""
    a, b = ('{"type":"entity","name":"crane","entityType":"%s","observations":[]}\n' % t for t in ("vehicle", "machine"))
    m.run("init")
    said = []
    for text in (a + b, b + a):
        m.write("memory.jsonl", text)
        m.run("import", "memory.jsonl")
        said.append(m.sql("SELECT source FROM evidence ORDER BY source"))
        rows = [json.loads(x) for x in m.run("export").out.splitlines()]
        assert [r["entity_type"] for r in rows if r["kind"] == "entity"] == ["machine"], rows
        m.run("sweep")
        assert len(json.loads(m.run("conflicts", "list", "--format", "json").out)["conflicts"]) == 1
    assert said[0] == said[1] == [("memory.jsonl",), ("memory.jsonl#2",)], said
    assert "0 updated, 2 unchanged" in m.run("import", "memory.jsonl").out
    m.write("memory.jsonl", a)
    m.run("import", "memory.jsonl")
    m.run("sweep")
    assert [r["entity_type"] for r in map(json.loads, m.run("export").out.splitlines()) if r["kind"] == "entity"] == ["vehicle"]
    assert [c["disputed"] for c in json.loads(m.run("conflicts", "list", "--format", "json").out)["conflicts"]] == [False]


def parts_of(m, *where):
    """What each part of the file says of whom, and the disputes."""
    m.run(*where, "sweep")
    said = {}
    for r in map(json.loads, m.run(*where, "export").out.splitlines()):
        if r["kind"] == "evidence" and r["row"].startswith("entity:") and r.get("record"):
            said[r["row"], r["source"]] = r["record"].get("entity_type")
    found = m.run(*where, "conflicts", "list", "--format", "json").json()["conflicts"]
    return said, sorted((c["slot_key"][-1], sorted(v["value"] for v in c["members"])) for c in found if c["disputed"])


def test_parts_of_a_file_are_replaced_together(m):
    """Graphs and what became of them, twenty where the run is thorough: after the second version the parts say what they say in a store that never had the first,
    in any order of the lines, with and without --complete; a part is named by --from."""
    rng, kinds = random.Random(7), ["Machine", "tool", "Vehicle", "house"]
    for n in range(20 if THOROUGH else 6):
        def version():
            return {f"e{i}": rng.sample(kinds, rng.choice([1, 1, 2, 3])) for i in range(4)}
        first, second = version(), version()
        complete = ["--complete"] if n % 2 else []
        def write(graph):
            lines = [json.dumps({"type": "entity", "name": e, "entityType": t, "observations": []}) for e, types in graph.items() for t in types]
            rng.shuffle(lines)
            m.write("memory.jsonl", "\n".join(lines) + "\n")
        for store in ("a", "b"):
            shutil.rmtree(m.path(store), ignore_errors=True)
            m.run("init", store)
        write(first)
        m.run("-C", "a", "import", "../memory.jsonl")
        write(second)
        m.run("-C", "a", "import", *complete, "../memory.jsonl")
        m.run("-C", "b", "import", "../memory.jsonl")
        a, b = parts_of(m, "-C", "a"), parts_of(m, "-C", "b")
        assert a[1] == b[1], (n, first, second, a[1], b[1])
        want = sum(len(types) > 1 for types in second.values())
        assert len(a[1]) == want, (n, a, second)
        sources = {source for _, source in a[0]}
        assert sources <= {"memory.jsonl", "memory.jsonl#2", "memory.jsonl#3"}, sources
        two = [e for e, types in sorted(second.items()) if len(types) == 2]
        if two:
            [c] = [c for c in m.run("-C", "a", "conflicts", "list", "--format", "json").json()["conflicts"] if c["disputed"] and any(v["member_id"] == two[0] for v in c["members"])]
            m.run("-C", "a", "conflicts", "resolve", c["id"], "--winner", "entity:" + two[0], "--from", "memory.jsonl#2", "--by", "kim", "--notes", "Asked.")
            [row] = [r for r in map(json.loads, m.run("-C", "a", "export").out.splitlines()) if r["kind"] == "entity" and r["id"] == two[0]]
            assert row["entity_type"] == sorted(second[two[0]], key=str.lower)[1], (row, second)
            m.run("-C", "a", "import", *complete, "../memory.jsonl")
            assert len(parts_of(m, "-C", "a")[1]) == want - 1


MEMORY_SERVER = os.path.join(TOP, "build", "npm", "node_modules", "@modelcontextprotocol", "server-memory", "dist", "index.js")


def ask_memory_server(m, file, *calls):
    """Has the real program of npm write its file."""
    lines = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}},
             {"method": "notifications/initialized"}]
    lines += [{"id": i + 2, "method": "tools/call", "params": {"name": name, "arguments": args}} for i, (name, args) in enumerate(calls)]
    p = subprocess.Popen(["node", MEMORY_SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**m.env, "MEMORY_FILE_PATH": m.path(file)})
    for line in lines:
        p.stdin.write(json.dumps({"jsonrpc": "2.0", **line}).encode() + b"\n")
        p.stdin.flush()
        if "id" in line:
            answer = json.loads(p.stdout.readline())
            assert answer["id"] == line["id"] and not answer.get("error") and not answer["result"].get("isError"), answer
    p.stdin.close()
    p.wait()


def test_the_file_of_the_real_memory_server(m):
    """Made by @modelcontextprotocol/server-memory itself: what came in, what claims, what is silent and why; and again when it has written."""
    if not shutil.which("node") or not os.path.exists(MEMORY_SERVER):
        raise Skip("npm's packages are not installed: see `make check`")
    def said(name, *texts):
        return {"name": name, "entityType": "person", "observations": list(texts)}
    ask_memory_server(m, "memory.jsonl", ("create_entities", {"entities": [said("Ada", "Lives in Oslo", "Likes to sing in the morning"), said("Kim", "Lives in Graz")]}),
                      ("create_relations", {"relations": [{"from": "Ada", "to": "Kim", "relationType": "knows"}]}),
                      ("add_observations", {"observations": [{"entityName": "Ada", "contents": ["Lives in Rome"]}]}))
    assert "7 added" in m.run("init", "--from", "memory.jsonl", "x").out
    m.run("-C", "x", "sweep")
    assert {c["slot_key"][-1]: {v["value"] for v in c["members"]} for c in m.run("-C", "x", "conflicts", "list", "--format", "json").json()["conflicts"]} == \
        {"ada_residence": {"Oslo", "Rome"}}
    layers = {x["layer"]: (x["read"], sum(r["rows"] for r in x["rows"] if not r["silent"])) for x in m.run("-C", "x", "adopt", "--dry-run", "--format", "json").json()["layers"]}
    assert layers["memories"] == (4, 3) and layers["entities"][0] == 2 and layers["relations"][0] == 1, layers
    ask_memory_server(m, "memory.jsonl", ("delete_observations", {"deletions": [{"entityName": "Ada", "observations": ["Lives in Oslo"]}]}))
    m.run("-C", "x", "import", "--complete", "../memory.jsonl")
    m.run("-C", "x", "sweep")
    assert not [c for c in m.run("-C", "x", "conflicts", "list", "--format", "json").json()["conflicts"] if c["disputed"]]


def test_json_documents(m):
    """A list of records is one stream: whole or not at all; a file that is cut or too deep is a sentence."""
    m.run("init")
    record = lambda i: {"kind": "memory", "id": f"m{i}", "memory_type": "knowledge", "content": f"valve {i} is open"}
    for indent in (None, 2):
        m.write("f.json", json.dumps([record(i) for i in range(3)], indent=indent))
        m.run("import", "f.json")
    assert m.sql("SELECT count(*) FROM memories") == [(3,)]
    answer = {"results": [{"id": "a1", "memory": "Parks at gate 3", "user_id": "kim", "categories": ["car"]}, {"id": "a2", "memory": "Rests", "user_id": None}],
              "relations": [{"source": "kim", "relationship": "drives", "target": "van"}]}
    m.write("all.json", json.dumps(answer))
    assert "3 added" in m.run("import", "all.json").out
    assert m.sql("SELECT id, slot_rule, tags FROM memories WHERE id LIKE 'a%' ORDER BY id") == [("a1", "kim *", '["car"]'), ("a2", "*", None)], m.sql("SELECT id, slot_rule, tags FROM memories")
    before = m.run("export").out
    rows = [record(i) for i in range(5, 9)]
    for text, has in ((json.dumps(rows)[:-20], "f.json:1: no JSON: the file ends before its end"), (json.dumps(rows)[:-1] + "x", "',' or ']' is missing"),
                      ("[" + json.dumps(rows[0]) + ",]", "a record is missing"), (json.dumps(rows) + "[]", "something stands after its end"),
                      (json.dumps([*rows, "x"]), "record 5"), ("[" + "[" * 10000 + "]" * 10001, "record 1"), ("[" * 10000, "no JSON"),
                      ("{" + ",\n".join(f'"k{i}": {i}' for i in range(10**5)) + "}", "JSON"),
                      ('{"entities": [{"name": "x"}]}', "record 1: entityType: missing"), ('{"results": [' + json.dumps(rows[0]) + '] "x": 1}', "',' or '}' is missing")):
        m.write("f.json", text)
        m.fails("import", "f.json", has=has)
        assert m.run("export").out == before, has


def test_a_mirror_from_json(m):
    """A known export makes a mirror at once; one that is refused leaves nothing. Issues of one title are two."""
    issue = lambda n, **more: {"id": f"mill-{n}", "title": "Mend the gate", "description": "", "status": "open", "priority": n, "issue_type": "bug",
                               "created_at": "2026-01-02T03:04:05.1234567-05:00", **more}
    m.write("issues.jsonl", json.dumps(issue(1)) + "\n" + json.dumps(issue(2, status="tombstone", dependencies=[
        {"issue_id": "mill-2", "depends_on_id": "mill-1", "type": "blocks", "created_at": "2026-01-02T03:04:05Z"}])) + "\n")
    m.write("all.json", '\ufeff{"results": [{"id": "a", "memory": "Lives in Oslo", "user_id": "kim"}, {"id": "b", "memory": "Lives in Rome", "user_id": "kim"}]}')
    m.write("odd.json", '[{"id": "a", "colour": "red"}]')
    assert "issues.jsonl: 3 added" in m.run("init", "--from", "issues.jsonl", "i").out
    rows = {(r["kind"], r.get("id")): r for r in map(json.loads, m.run("-C", "i", "export").out.splitlines())}
    assert rows["entity", "mill-1"]["name"] == "mill-1 Mend the gate" and rows["entity", "mill-1"]["properties"] == {"status": "open", "priority": 1, "issue_type": "bug"}
    assert rows["entity", "mill-2"]["status"] == "invalid"
    assert [(r["from"], r["to"], r["type"]) for (k, _), r in rows.items() if k == "relation"] == [("mill-2", "mill-1", "blocks")]
    m.run("-C", "i", "sweep")
    assert "No open" in m.run("-C", "i", "conflicts", "list").out
    m.run("init", "--from", "all.json", "a")
    m.run("-C", "a", "sweep")
    assert len(m.run("-C", "a", "conflicts", "list", "--format", "json").json()["conflicts"]) == 1
    # A table is read by a guess.
    for text in ('REF;Title;Statement;Status\nR1;Mass;"The pump mass is 2 kg";Approved\nR2;Mass;"The pump mass is 3 kg";Approved\n',
                 "id\ttext\ttags\nR1\tThe pump mass is 2 kg\t\nR2\tThe pump mass is 3 kg\t\n"):
        m.write("its table.csv", text)
        assert "2 added" in m.run("init", "--from", "its table.csv", "t").out
        m.run("-C", "t", "sweep")
        assert len(m.run("-C", "t", "conflicts", "list", "--format", "json").json()["conflicts"]) == 1
        shutil.rmtree(m.path("t"))
    m.fails("init", "--from", "odd.json", "o", has=("odd.json", "rows(id, colour)"))
    assert not os.path.exists(m.path("o"))


def test_notes_that_agents_wrote_raise_no_alarm(m):
    """2,590 real notes of 207 people, a project each: habits are not read, so nothing is found. Somebody who wakes up at 7:30 am, and
    at 6 on Fridays, does both."""
    disagree = {}
    notes = os.path.join(SHARED, "notes.jsonl")
    if not os.path.exists(notes):
        raise Skip("no notes.jsonl")
    for rule in ("user *", "*"):
        with open(notes) as f:
            records = [{**json.loads(x), "slot_rule": rule} for x in f]
        m.facts(*[r for r in records if r["kind"] == "memory"])
        m.run("sweep")
        assert found(m) == disagree, found(m)


def test_recipes_of_files(m):
    """`init --from` knows the file, and its next version comes in by the recipe: the rows that are new, wherever they stand."""
    for name, (file, text, rows, disputes) in FILES.items():
        m.write(file, text)
        out = m.run("init", "--from", file, "x").out
        assert f"by the recipe {name}\n" in out and f"{len(rows)} added" in out, out
        facts = [r for r in map(json.loads, m.run("-C", "x", "export").out.splitlines()) if r["kind"] in ("memory", "project_state")]
        assert {(r.get("content", r.get("value")), r["status"]) for r in facts} == rows, (name, facts)
        m.run("-C", "x", "sweep")
        got = m.run("-C", "x", "conflicts", "list", "--format", "json").json()["conflicts"]
        assert {c["slot_key"][-1]: {v["value"].rstrip(".") for v in c["members"]} for c in got} == disputes, (name, got)
        map_ = os.path.join(STORES, name + ".yml")
        assert f"{len(rows)} unchanged" in m.run("-C", "x", "import", "--map", map_, "../" + file).out
        shutil.rmtree(m.path("x"))


def test_the_manual_lists_every_recipe(m):
    with open(os.path.join(TOP, "gen", "cli", "hmirror.1")) as f:
        listed = dict(re.findall(r"^\.It Li (\S+)\n.*?; (.*)$", f.read().split(".Ss Recipes")[1], re.M))
    for name in [*CASES, *FILES]:
        lies_in = re.search(r"^# lies in: (.*)$", read(name), re.M)[1]
        assert listed[name].replace("\\-", "-") == lies_in, name


def test_a_recipe_by_another_folder(m):
    """The path is absolute then; a quote in a name is no end of it; what the recipe cannot read is guessed."""
    os.mkdir(m.path("a"))
    make_database(m.path("a", 'b"c.db'), ENGRAM)
    assert m.run("init", "--from", 'a/b"c.db', "mirror", "--format", "json").json()["recipe"] == "engram"
    m.run("-C", "mirror", "sweep")
    os.unlink(m.path("a", 'b"c.db'))
    make_database(m.path("a", "d.db"), ENGRAM.replace("valid_until TEXT, ttl_days", "ttl_days").replace(", valid_until)", ")").split("INSERT")[0] +
          "INSERT INTO facts(id, content, scope, lineage_id, content_hash, confidence, agent_id, embedding_model, embedding_ver, committed_at, valid_from)"
          " VALUES('f', 'gain is 3', 'auth', 'l', 'h', 1, 'a', 'm', '1', '2026-03-01', '2026-03-01')")
    assert m.run("init", "--from", "a/d.db", "guessed", "--format", "json").json()["recipe"] is None
    assert "gain is 3" in m.run("-C", "guessed", "export").out


def test_every_recipe_is_tried(m):
    names = {f[:-4] for f in os.listdir(STORES) if f.endswith(".yml")}
    assert names - set(CASES) - set(FILES) == {"notes"}, "a table of notes is tried by foreign.py"


if __name__ == "__main__":
    main(globals())
