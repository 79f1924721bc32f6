/* Which layer a table of another program is, and which of its columns have which role.
 *
 * Each column is looked up, without case and separators, in a list of synonyms for each role: the
 * first synonym that the table has takes it. A table fits a layer by the roles that it has and by
 * words in its name. Logs, histories, sessions and indexes are none. Cost: columns times synonyms.
 */
#include "gen/mirror/map_guess_impl.h"

#include <string.h>

#include "core/base/text.h"

enum { SYNONYMS_MAX = 24 };

/* The most certain synonyms first. */
static const char *const SYNONYMS[N_ROLES][SYNONYMS_MAX] = {
  [R_ID] = { "id", "uuid", "guid", "ref", "key", "hash" },
  [R_CONTENT] = { "content",     "text",         "body",        "fact",     "memory", "note",
                  "observation", "statement",    "message",     "sentence", "claim",  "insight",
                  "facts",       "observations", "statements",  "notes",    "data",   "document",
                  "narrative",   "decision",     "description", "summary" },
  [R_TYPE] = { "memorytype", "entitytype", "nodetype", "facttype", "type", "kind", "category",
               "class", "label", "section", "group" },
  [R_PROJECT] = { "project", "projectid", "projectname", "projectkey", "workspace", "workspaceid",
                  "namespace", "space", "spaceid", "spacename", "channel", "channelid",
                  "channelname", "scope", "collection", "repo", "repository", "topic" },
  [R_SUBJECT] = { "subject", "entityname", "entity", "about", "person", "username", "speaker" },
  [R_STATUS] = { "status", "state" },
  [R_LIVE] = { "isactive", "active", "enabled", "isvalid", "valid", "iscurrent", "current" },
  [R_GONE] = { "isdeleted", "deleted", "isarchived", "archived", "isinvalid", "done", "retracted",
               "forgotten", "trashed", "istrashed", "intrash" },
  [R_GONE_AT] = { "deletedat", "archivedat", "retractedat", "removedat", "forgottenat",
                  "deletedtime", "deletedon", "trashedat" },
  [R_CREATED] = { "createdat",   "created",   "creationtime", "createdon",  "datecreated",
                  "timestamp",   "ts",        "committedat",  "recordedat", "observedat",
                  "addedat",     "added",     "insertedat",   "storedat",   "createdtime",
                  "createddate", "dateadded", "date",         "time",       "ctime",
                  "creationdate" },
  [R_UPDATED] = { "updatedat", "updated", "modifiedat", "modified", "lastmodified", "lastupdated",
                  "changedat", "dateupdated", "updatedtime", "modifiedtime", "lasteditedtime",
                  "editedat", "updateddate", "mtime", "modificationdate" },
  [R_BEGIN] = { "validfrom", "validsince", "validat", "effectivefrom", "effectiveat", "startsat",
                "startdate", "fromdate", "since" },
  [R_END] = { "validuntil", "validto", "invalidat", "effectiveuntil", "expiresat", "expires",
              "expiry", "expiredat", "endsat", "enddate", "until" },
  [R_SUCCESSOR] = { "supersededby", "replacedby", "supersededbyid", "replacedbyid" },
  [R_CONFIDENCE] = { "confidence", "certainty" },
  [R_AGENT] = { "agent", "agentid", "agentname", "author", "createdby", "writer", "by", "writtenby",
                "addedby" },
  [R_NAME] = { "name", "title", "label", "displayname", "entityname", "hostname" },
  [R_KEY] = { "key", "setting", "attribute", "property", "field", "parameter", "variable", "option",
              "name", "k" },
  [R_VALUE] = { "value", "val", "settingvalue", "v" },
  [R_UNIT] = { "unit", "units", "uom" },
  [R_FROM] = { "fromid", "from", "sourceid", "source", "src", "srcid", "fromentity", "fromnode",
               "sourceentity", "sourcenodeid", "sourcenodeuuid", "sourceuuid", "headid", "head",
               "subjectid", "subject", "parentid" },
  [R_TO] = { "toid", "to", "targetid", "target", "dst", "dstid", "toentity", "tonode",
             "targetentity", "targetnodeid", "targetnodeuuid", "targetuuid", "tailid", "tail",
             "objectid", "object", "childid" },
  [R_RELATION] = { "relationtype", "relation", "relationship", "rel", "edgetype", "linktype",
                   "predicate", "type", "kind", "label", "name" },
  [R_DESCRIPTION] = { "description", "summary", "details", "notes", "content", "body", "text" },
  [R_PROPERTIES] = { "properties", "attributes", "props", "attrs" },
  [R_SOURCE] = { "source", "origin", "sourceref", "url", "reference" },
  [R_TAGS] = { "tags", "labels", "keywords", "categories", "concepts", "topics" },
};

#define WRITTEN                                                                                    \
  { R_BEGIN, "valid_from" }, { R_END, "valid_until" }, { R_CREATED, "created_at" },                \
      { R_UPDATED, "updated_at" }, { R_SUCCESSOR, "superseded_by" }, {                             \
    R_CONFIDENCE, "confidence"                                                                     \
  }
const hm_guess_shape hm_guess_shapes[HM_GUESS_LAYERS] = {
  [MEMORIES] = { "memories",
                 { R_CONTENT, R_CONTENT },
                 false,
                 { { R_CONTENT, "content" },
                   { R_PROJECT, "project" },
                   { R_AGENT, "agent" },
                   { R_TAGS, "tags" },
                   WRITTEN },
                 { "memory", "memories", "fact", "facts", "note", "notes", "observation",
                   "observations", "statement", "statements", "knowledge", "thoughts", "insight",
                   "insights", "lessons", "claims", "beliefs", "entries", "remember" } },
  [ENTITIES] = { "entities",
                 { R_NAME, R_NAME },
                 true,
                 { { R_NAME, "name" },
                   { R_PROJECT, "project" },
                   { R_DESCRIPTION, "description" },
                   { R_TYPE, "entity_type" },
                   { R_PROPERTIES, "properties" },
                   WRITTEN },
                 { "entity",  "entities", "node",      "nodes",      "thing",  "things",
                   "item",    "items",    "person",    "people",     "device", "devices",
                   "service", "services", "component", "components", "asset",  "assets",
                   "machine", "machines", "host",      "hosts" } },
  [STATE] = { "project_state",
              { R_KEY, R_VALUE },
              false,
              { { R_KEY, "key" },
                { R_VALUE, "value" },
                { R_UNIT, "" },
                { R_PROJECT, "project" },
                { R_TYPE, "category" },
                { R_SOURCE, "source" },
                WRITTEN },
              { "state", "states", "setting", "settings", "config", "configuration", "kv",
                "parameter", "parameters", "variables", "attributes", "properties", "options" } },
  [RELATIONS] = { "relations",
                  { R_FROM, R_TO },
                  false,
                  { { R_FROM, "from" },
                    { R_TO, "to" },
                    { R_RELATION, "type" },
                    { R_PROJECT, "project" },
                    { R_PROPERTIES, "properties" },
                    WRITTEN },
                  { "relation", "relations", "relationship", "relationships", "edge", "edges",
                    "link", "links", "connections" } },
  [PROJECTS] = { "projects",
                 { R_ID, R_NAME },
                 true,
                 { { R_NAME, "name" },
                   { R_DESCRIPTION, "description" },
                   { R_CREATED, "created_at" },
                   { R_UPDATED, "updated_at" } },
                 { "project", "projects", "workspace", "workspaces", "namespaces" } },
};

/* A table with one of these words in its name holds no facts. */
static const char *const NOT_FACTS[] = {
  "audit",      "cache",    "chunk",    "chunks",    "conflicts",  "docsize", "embedding",
  "embeddings", "event",    "events",   "fts",       "fts4",       "fts5",    "history",
  "idx",        "index",    "job",      "jobs",      "log",        "logs",    "message",
  "messages",   "meta",     "metadata", "migration", "migrations", "queue",   "schema",
  "session",    "sessions", "stat",     "tag",       "tags",       "token",   "tokens",
  "user",       "users",    "vec",      "vector",    "vectors",    "version", "versions",
};

/* --- names ----------------------------------------------------------------------- */

/* "created_at", "createdAt" and "CREATED-AT" are one name. */
bool hm_column_name_matches(hm_str name, const char *z) {
  for (size_t i = 0; i < name.n; i++) {
    if (strchr("_- ", name.p[i]))
      continue;
    if (hm_ascii_lower(name.p[i]) != *z++)
      return false;
  }
  return !*z;
}

/* True when z is one of the words of a name, separated by '_', '-' or a capital after a small
 * letter. */
static bool has_word(hm_str name, const char *z) {
  size_t n = strlen(z);
  for (size_t i = 0; i + n <= name.n; i++) {
    size_t k = 0;
    while (k < n && hm_ascii_lower(name.p[i + k]) == z[k])
      k++;
    bool begins = i == 0 || strchr("_- ", name.p[i - 1]) ||
        (hm_is_upper(name.p[i]) && hm_is_lower(name.p[i - 1]));
    bool ends = i + n == name.n || strchr("_- ", name.p[i + n]) || hm_is_upper(name.p[i + n]);
    if (k == n && begins && ends)
      return true;
  }
  return false;
}

bool hm_column_name_has_word(hm_str name, const char *const *words, size_t n) {
  for (size_t i = 0; i < n && words[i]; i++)
    if (has_word(name, words[i]))
      return true;
  return false;
}

/* A name that can stand in a line of YAML and SQL. */
bool hm_column_name_is_writable(hm_str name, hm_arena *a) {
  for (size_t i = 0; i < name.n; i++)
    if ((unsigned char)name.p[i] < 0x20 || name.p[i] == 0x7f)
      return false;
  return name.n && name.n <= 200 && hm_text_repair(a, name).p == name.p;
}

/* True when the column is known to hold BLOBs. */
bool hm_column_is_blob(const hm_foreign_column *c) {
  return c->type.n >= 4 && (hm_str_find(c->type, "BLOB") >= 0 || hm_str_find(c->type, "blob") >= 0);
}

/* --- one table as a layer ------------------------------------------------------------ */

bool hm_guess_column_has_role(const hm_guess_reading *r, const hm_foreign_column *c) {
  for (int i = 0; i < N_ROLES; i++)
    if (r->columns[i] == c)
      return true;
  return false;
}

enum { FEW_ROWS = 3 };

/* A text has words, or is a list of texts, or another one in each row: of a script without spaces,
 * since a name, a hash, a path or base 64 says nothing. */
static bool is_text(const hm_foreign_column *c) {
  enum { LONG_WORD = 16 };
  bool one_word = c->bare && (c->length >= LONG_WORD || c->filled >= FEW_ROWS);
  return !c->numbers && !c->times && !c->addresses && !c->objects && !c->codes && !one_word &&
      (c->words || c->lists || c->values == c->filled || c->filled < FEW_ROWS);
}

/* Another heading of several words in each row. */
static bool are_titles(const hm_foreign_column *c) {
  enum { NAME_LENGTH = 16 };
  return c->words && c->filled >= FEW_ROWS && c->values == c->filled && c->length > NAME_LENGTH;
}

/* A name of somebody or something. */
static bool is_name(const hm_foreign_column *c) {
  return !c->empty && !c->times && !c->objects && !c->addresses && !are_titles(c);
}

/* One word of a few. */
static bool is_choice(const hm_foreign_column *c) {
  enum { FEW_WORDS = 12 };
  return !c->times && !c->objects && !c->addresses && !c->numbers && !c->words &&
      (c->values <= FEW_WORDS || 2 * c->values <= c->filled);
}

/* Another code in each row: of a run, a session or the row itself, and nothing that rows share. */
static bool are_row_codes(const hm_foreign_column *c) {
  return c->codes && c->filled >= FEW_ROWS && c->values == c->filled;
}

/* A column that nobody filled yet may still say when, or that, a row ends; it is no text. A channel
 * or a space in which all rows lie tells no projects apart. Tags are lists. */
static bool values_fit(const hm_foreign_column *c, hm_role which) {
  static const char *const rooms[] = { "channel", "space" };
  switch (which) {
    case R_PROJECT:
      return is_name(c) && !are_row_codes(c) &&
          (c->several || !hm_column_name_has_word(c->called, rooms, HM_COUNT(rooms)));
    case R_TAGS:
      return c->lists;
    case R_CONTENT:
      return !c->empty && is_text(c);
    case R_TYPE:
    case R_AGENT:
      return is_name(c);
    case R_STATUS:
      return c->empty || is_choice(c);
    case R_CREATED:
    case R_UPDATED:
    case R_BEGIN:
    case R_END:
      return c->empty || c->all_times || c->all_days;
    case R_CONFIDENCE:
      return c->empty || c->shares;
    case R_SUBJECT:
      return is_name(c) && !c->numbers;
    case R_NAME:
    case R_KEY:
      return !c->empty && !c->times && !c->objects && !c->numbers && !c->addresses && !c->codes;
    case R_FROM:
    case R_TO:
      return !c->empty && !c->times && !c->objects &&
          !(c->words && c->filled >= FEW_ROWS && c->values == c->filled);
    case R_DESCRIPTION:
      return !c->empty && !c->codes && !(c->bare && !c->lists);
    case R_VALUE:
    case R_UNIT:
    case R_RELATION:
    case R_SOURCE:
    case R_PROPERTIES:
      return !c->empty;
    default:
      return true;
  }
}

/* What is said by somebody in a conversation is no statement. */
static bool is_conversation(const hm_foreign_table *t) {
  for (size_t i = 0; i < t->n_columns; i++)
    if (hm_column_name_matches(t->columns[i].called, "role") && t->columns[i].values <= 5)
      return true;
  return false;
}

/* What two people write to each other is no relation of theirs. */
static bool is_correspondence(const hm_guess_reading *r) {
  for (size_t i = 0; r->layer == RELATIONS && i < r->table->n_columns; i++) {
    const hm_foreign_column *c = &r->table->columns[i];
    if (are_titles(c) && !hm_guess_column_has_role(r, c))
      return true;
  }
  return false;
}

/* One key again and again is a series of measurements, or a value in each of several languages: its
 * values are no contradiction. */
static bool is_series(const hm_guess_reading *r) {
  const hm_foreign_column *key = r->columns[R_KEY], *project = r->columns[R_PROJECT];
  return r->layer == STATE && key->filled >= 6 &&
      2 * key->values * (project ? project->values : 1) < key->filled;
}

static void find_role(hm_guess_reading *r, hm_role which, hm_arena *a) {
  for (int s = 0; s < SYNONYMS_MAX && SYNONYMS[which][s]; s++)
    for (size_t i = 0; i < r->table->n_columns; i++) {
      const hm_foreign_column *c = &r->table->columns[i];
      if (c->computed || hm_column_is_blob(c) || !values_fit(c, which) ||
          (c->path.n && which == R_ID) || !hm_column_name_matches(c->called, SYNONYMS[which][s]))
        continue;
      if (hm_guess_column_has_role(r, c) || !hm_column_name_is_writable(c->name, a))
        continue;
      r->columns[which] = c;
      return;
    }
}

static const hm_role TIMES[] = { R_CREATED, R_UPDATED, R_BEGIN, R_END };

bool hm_guess_is_unread_time(const hm_guess_reading *r, const hm_foreign_column *c) {
  bool named = false;
  for (size_t k = 0; k < HM_COUNT(TIMES); k++)
    for (int s = 0; s < SYNONYMS_MAX && SYNONYMS[TIMES[k]][s]; s++)
      named |= hm_column_name_matches(c->called, SYNONYMS[TIMES[k]][s]);
  return !c->computed && !c->empty && (named || c->all_times || c->other_days) &&
      !hm_guess_column_has_role(r, c);
}

/* True when its name says that it is when something else was. */
static bool is_of_another_event(const hm_foreign_column *c) {
  static const char *const others[] = {
    "due",  "deadline", "birth",   "birthday", "born",   "next",     "last",   "read", "used",
    "end",  "start",    "expires", "closed",   "done",   "deleted",  "review", "seen", "accessed",
    "ends", "starts",   "release", "renewal",  "finish", "finished", "target",
  };
  return hm_column_name_has_word(c->called, others, HM_COUNT(others));
}

/* Whatever it is called: the only times of a table are when its rows were written, if they follow
 * the order of the rows, and say more than the day or are called learned_on. */
static void find_written(hm_guess_reading *r, hm_arena *a) {
  enum { FEW_TIMES = 4, MANY_DAYS = 6, DAY = 10, MICROSECONDS = 16 };
  static const char *const then[] = { "on", "at", "when" };
  const hm_foreign_column *only = NULL;
  size_t n = 0;
  for (size_t i = 0; i < HM_COUNT(TIMES); i++)
    n += r->columns[TIMES[i]] && !r->columns[TIMES[i]]->empty;
  for (size_t i = 0; i < r->table->n_columns; i++)
    if (hm_guess_is_unread_time(r, &r->table->columns[i]))
      only = &r->table->columns[i], n++;
  if (n != 1 || !only || r->columns[R_CREATED] || !only->all_times || !only->in_order ||
      is_of_another_event(only) || hm_column_is_blob(only) ||
      !hm_column_name_is_writable(only->name, a))
    return;
  bool to_the_second = only->numbers ? only->length <= MICROSECONDS : only->length > DAY;
  if (to_the_second ? only->values >= FEW_TIMES
                    : !only->numbers && only->values >= MANY_DAYS &&
              hm_column_name_has_word(only->called, then, HM_COUNT(then)))
    r->columns[R_CREATED] = only;
}

/* Whatever it is called: the only column of prose is what a table says, unless its name says that
 * it is a heading, a question or the like. */
static const hm_foreign_column *only_prose(const hm_foreign_table *t, hm_arena *a) {
  static const char *const others[] = {
    "title", "subject", "heading", "headline", "question", "prompt",  "query",
    "error", "command", "address", "log",      "stack",    "message", "path",
  };
  const hm_foreign_column *only = NULL;
  for (size_t i = 0; i < t->n_columns; i++) {
    const hm_foreign_column *c = &t->columns[i];
    if (!c->prose || !is_text(c) || c->filled < FEW_ROWS)
      continue;
    if (only)
      return NULL;
    only = c;
  }
  return only && !hm_column_name_has_word(only->called, others, HM_COUNT(others)) &&
          !hm_column_is_blob(only) && hm_column_name_is_writable(only->name, a)
      ? only
      : NULL;
}

/* Reads the table as this layer; score 0 when it does not fit. content: of memories, if it is
 * known; else NULL. */
static hm_guess_reading read_as(const hm_foreign_table *t, hm_str words, int layer,
                                const hm_foreign_column *content, hm_arena *a) {
  const hm_guess_shape *s = &hm_guess_shapes[layer];
  hm_guess_reading r = { .table = t, .words = words, .layer = layer };
  bool named = hm_column_name_has_word(words, s->words, WORDS_MAX);
  r.columns[R_CONTENT] = content;
  if (!content)
    find_role(&r, s->needed[0], a);
  if (s->needed[1] != s->needed[0])
    find_role(&r, s->needed[1], a);
  if (!r.columns[s->needed[0]] || !r.columns[s->needed[1]] || (s->by_name && !named))
    return r;
  if (layer == MEMORIES && is_conversation(t))
    return r;
  static const hm_role common[] = { R_STATUS, R_LIVE, R_GONE, R_GONE_AT };
  if (!r.columns[R_ID])
    find_role(&r, R_ID, a);
  for (int i = 0; i < FIELDS_MAX && s->fields[i].ours; i++)
    if (!r.columns[s->fields[i].role])
      find_role(&r, s->fields[i].role, a);
  if (layer == MEMORIES)
    find_role(&r, R_SUBJECT, a), find_role(&r, R_TYPE, a);
  for (size_t i = 0; i < HM_COUNT(common); i++)
    find_role(&r, common[i], a);
  find_written(&r, a);
  if (is_series(&r) || (!named && is_correspondence(&r)))
    return r;
  r.score = 1 + 10 * named + 20 * (t->rows > 0);
  for (int i = 0; i < N_ROLES; i++)
    r.score += r.columns[i] != NULL;
  return r;
}

/* --- a matrix ---------------------------------------------------------------------------- */

size_t hm_guess_matrix(const hm_foreign_table *t, const hm_foreign_column **key,
                       const hm_foreign_column **out, size_t most) {
  static const char *const environments[] = {
    "dev",   "development", "test", "testing",    "qa",   "uat",     "integration", "staging",
    "stage", "preprod",     "prod", "production", "live", "sandbox", "canary",      "local",
  };
  size_t n = 0;
  *key = NULL;
  for (size_t i = 0; i < t->n_columns; i++) {
    const hm_foreign_column *c = &t->columns[i];
    if (c->path.n)
      continue;
    if (!hm_column_name_has_word(c->name, environments, HM_COUNT(environments)))
      *key = *key ? *key : c;
    else if (n < most)
      out[n++] = c;
  }
  return *key ? n : 0;
}

static hm_str words_of(const hm_foreign_table *t, hm_str rows) {
  bool of_file = rows.n && hm_str_is(t->name, "rows");
  hm_str words = of_file ? rows : t->name;
  bool marked = t->n_columns && t->columns[0].core_data && words.n > 1 && words.p[0] == 'Z';
  return marked ? hm_str_sub(words, 1, words.n) : words;
}

bool hm_guess_may_hold_facts(const hm_foreign_table *t, hm_str rows, hm_arena *a) {
  const hm_foreign_column *key, *columns[2];
  bool of_file = rows.n && hm_str_is(t->name, "rows");
  return !t->is_view && hm_column_name_is_writable(t->name, a) &&
      (of_file || !hm_column_name_has_word(words_of(t, rows), NOT_FACTS, HM_COUNT(NOT_FACTS))) &&
      hm_guess_matrix(t, &key, columns, 2) < 2;
}

hm_guess_reading hm_guess_table_layer(const hm_foreign_table *t, hm_str rows, hm_arena *a) {
  hm_str words = words_of(t, rows);
  hm_guess_reading best = { .table = t, .words = words, .layer = -1 };
  bool facts = hm_guess_may_hold_facts(t, rows, a);
  for (int i = 0; i < HM_GUESS_LAYERS && facts; i++) {
    hm_guess_reading r = read_as(t, words, i, NULL, a);
    /* Only its name tells whether a table is one of projects. */
    if (i == PROJECTS && r.score)
      return r;
    if (r.score > best.score)
      best = r;
  }
  return best;
}

hm_guess_reading hm_guess_table_prose(const hm_foreign_table *t, hm_str rows, hm_arena *a) {
  hm_guess_reading none = { .table = t, .words = words_of(t, rows), .layer = -1 };
  const hm_foreign_column *prose = hm_guess_may_hold_facts(t, rows, a) ? only_prose(t, a) : NULL;
  hm_guess_reading r = prose ? read_as(t, none.words, MEMORIES, prose, a) : none;
  return r.score ? r : none;
}
