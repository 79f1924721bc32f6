/* A stream of records: splits bytes into lines, parses lines into records, stores the good ones,
 * reports the bad ones.
 *
 * All in one transaction; with keep_going each line has a savepoint of its own. import_record.c
 * applies a record to its row. Memory is bounded by the longest line, plus 48 bytes and the key of
 * each record, to detect two records that contradict each other. */
#include "core/store/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/foreign/readers.h"
#include "core/notes/notes.h"
#include "core/store/import_impl.h"

enum { BEGIN_LINE, KEEP_LINE, UNDO_LINE };
static const char *const SQL[] = {
  [BEGIN_LINE] = "SAVEPOINT line",
  [KEEP_LINE] = "RELEASE line",
  [UNDO_LINE] = "ROLLBACK TO line; RELEASE line",
};

static hm_str skip_mark(hm_str s) {
  return hm_str_starts(s, "\xEF\xBB\xBF") ? hm_str_sub(s, 3, s.n) : s;
}

/* --- the same id again ------------------------------------------------------ */

typedef struct {
  unsigned char bytes[16];
} content;

struct hm_import_seen {
  hm_arena *a; /* of the keys */
  hm_map map;  /* kind, source and id -> index into contents */
  content *contents;
  size_t n, cap;
};

/* A line whose turn comes after all others. */
typedef struct {
  char *p;
  size_t n;
  int64_t number;
} late_line;

typedef struct {
  hm_import_run run;
  hm_arena *named_arena;
  hm_map named; /* references of the rows that the stream names */
  hm_import_seen *seen;
  late_line *late;
  size_t n_late, cap_late;
  hm_graph_types types; /* of the entities of a knowledge graph */
  late_line header;     /* a first line that is a record only if no graph follows */
  hm_str head;          /* how the stream begins */
  hm_buf decoded;       /* the line in UTF-8, where it was not */
  bool begun, in_document, in_graph;
  hm_str *had; /* of a document: the rows that it had so far */
  size_t n_had;
} importer;

static content content_of(const hm_record *r) {
  unsigned char digest[32];
  content c;
  hm_sha256_digest(r->sorted, digest);
  memcpy(c.bytes, digest, sizeof c.bytes);
  return c;
}

hm_import_seen *hm_import_seen_new(void) {
  hm_import_seen *s = memset(hm_xmalloc(sizeof *s), 0, sizeof *s);
  s->a = hm_arena_new();
  hm_map_init(&s->map, s->a, 1024);
  return s;
}

void hm_import_seen_free(hm_import_seen *s) {
  if (!s)
    return;
  free(s->contents);
  hm_arena_free(s->a);
  free(s);
}

static hm_str key_of(const importer *im, const hm_record *r, hm_arena *a) {
  char kind = (char)('a' + r->index);
  return HM_CAT(a, { &kind, 1 }, im->run.opt->source, HM_STR("\n"), r->cells[0].text);
}

/* A record with the id of an earlier one must be the same; a link is nothing but its key. */
static int check_repeat(importer *im, const hm_record *r, bool *again) {
  *again = false;
  if (r->index == HM_K_LINK || r->index == HM_K_EVIDENCE || hm_kind_is_statement(r->index))
    return 0;
  uint32_t i = hm_map_get(&im->seen->map, key_of(im, r, im->run.arena));
  if (i == HM_MAP_NONE)
    return 0;
  content c = content_of(r);
  *again = !memcmp(&im->seen->contents[i], &c, sizeof c);
  if (*again)
    return 0;
  bool shared = im->run.opt->seen != NULL;
  hm_failf(im->run.place.err, HM_E_INPUT, "",
           shared ? "keep one of the two, or import the files one by one with --source"
                  : "keep one of the two, or give them different ids",
           "\"%.*s\" stands in an earlier line%s with different content",
           HM_FMT(hm_text_cut(r->cells[0].text, 60)), shared ? ", or file of the same name," : "");
  return hm_record_error(&im->run.place, HM_STR("id"));
}

static void remember_record(importer *im, const hm_record *r) {
  hm_import_seen *s = im->seen;
  if (r->index == HM_K_LINK || r->index == HM_K_EVIDENCE)
    return;
  s->contents = hm_array_grow(s->contents, s->n, &s->cap, sizeof *s->contents);
  s->contents[s->n] = content_of(r);
  hm_map_add(&s->map, key_of(im, r, s->a), (uint32_t)s->n++);
}

/* --- one line ------------------------------------------------------------------- */

static void put_off_line(importer *im, hm_str line) {
  im->late = hm_array_grow(im->late, im->n_late, &im->cap_late, sizeof *im->late);
  char *p = hm_xmalloc(line.n);
  memcpy(p, line.p, line.n);
  im->late[im->n_late++] = (late_line){ p, line.n, im->run.place.number };
}

/* line: the source of the record, if it may be put off. */
static int take_record(importer *im, hm_record *r, hm_str line, int64_t **outcome) {
  hm_import_run *run = &im->run;
  bool again = false, put_off;
  if (r->verdict)
    return hm_import_verdict(run, r->verdict, outcome);
  if (r->world)
    return hm_import_world_file(run, r->world, outcome);
  if (!run->is_late && check_repeat(im, r, &again))
    return -1;
  *outcome = &run->counts->unchanged;
  if (again)
    return 0;
  *outcome = NULL;
  if (hm_import_record(run, r, &put_off, outcome))
    return -1;
  if (put_off)
    put_off_line(im, line);
  if (!run->is_late)
    remember_record(im, r);
  if (r->index <= HM_K_RELATION)
    hm_map_add(&im->named,
               HM_CAT(im->named_arena, hm_str_c(r->kind->name), HM_STR(":"), r->cells[0].text), 0);
  return 0;
}

/* Of a record without kind. */
static const char OTHER_ROWS[] =
    "rows of another program: hmirror init --from FILE mirror; a record has one of: project,"
    " memory, entity, project_state, relation, link, conflict, acknowledgement, flag, proposal,"
    " evidence, verdict, world";

static const char *pasted(const importer *im, const char *way) {
  return hm_format_fill(im->named_arena, way, hm_str_c(im->run.opt->name)).p;
}

/* Replaces the error of the first line by the guessed format of the file, which helps more. */
static void name_format(importer *im) {
  const char *is, *way;
  hm_err *err = im->run.place.err;
  if (!im->run.opt->csv && hm_format_guess(hm_str_c(im->run.place.name), im->head, &is, &way))
    hm_failf(err, HM_E_INPUT, im->run.opt->name, pasted(im, way), "is %s, not JSON Lines", is);
}

/* The same for a first record that is none of ours. */
static void name_rows(importer *im) {
  hm_err *err = im->run.place.err;
  bool no_kind = hm_str_ends(hm_str_c(err->what), ": kind") && !strcmp(err->why, "missing");
  if (!im->run.opt->csv && no_kind)
    snprintf(err->fix, sizeof err->fix, "%s", pasted(im, OTHER_ROWS));
}

/* The same for a table without rows, whose header was not recognized. */
static void name_table(importer *im) {
  const char *is = "JSON Lines", *way = "import it without --csv";
  hm_err *err = im->run.place.err;
  if (im->run.counts->lines || err->code != HM_E_INPUT)
    return;
  if (hm_str_starts(hm_str_trim(im->head), "{\"") ||
      hm_format_guess(hm_str_c(im->run.place.name), im->head, &is, &way))
    if (strcmp(is, "CSV"))
      hm_failf(err, HM_E_INPUT, im->run.place.name, pasted(im, way), "is %s, not CSV", is);
}

/* Was all of the stream read? An empty one of records is nobody's; an empty document is one. */
static bool is_whole(const importer *im) {
  const hm_import_options *opt = im->run.opt;
  if (im->run.counts->bad)
    return false;
  return opt->notes.n ? !opt->told->unread[HM_NOTES_LIMITS] : im->named.n > 0 || opt->whole;
}

/* What the source named once and names no longer. A broken stream says nothing of that. */
static int end_unnamed(importer *im) {
  const hm_import_options *opt = im->run.opt;
  hm_actor who = opt->who;
  hm_import_counts *n = im->run.counts;
  if (!opt->source.n || opt->gone == HM_GONE_IGNORED || opt->seen || !is_whole(im))
    return 0;
  who.why = HM_CAT(im->named_arena, HM_STR("no longer in "), opt->source);
  hm_import_heirs heirs = { 0 };
  if (hm_import_find_heirs(&im->run, &im->named, im->had, im->n_had, im->named_arena, &heirs))
    return -1;
  const hm_said_end end = { opt->source,     &im->named, opt->gone,   opt->edited,
                            opt->edited_ctx, &who,       &heirs.rows, heirs.refs };
  return im->in_graph && hm_graph_end_parts(&im->run, &im->types)
      ? -1
      : hm_evidence_end_source(im->run.s, &end, &n->gone, &n->ended, im->run.place.err);
}

/* A bad line is a line with an error of the input; anything else ends the import. */
static int settle_line(importer *im, int rc, int64_t *outcome) {
  hm_import_run *run = &im->run;
  hm_err *err = run->place.err;
  if (!rc) {
    if (outcome)
      ++*outcome;
    return run->opt->keep_going ? hm_sql_exec(run->s, SQL[KEEP_LINE], err) : 0;
  }
  if (err->code != HM_E_INPUT)
    return -1;
  if (run->counts->lines == 1 && !run->is_late)
    name_rows(im);
  if (run->counts->lines == 1 && !run->is_late && !im->in_document)
    name_format(im);
  run->counts->bad++;
  if (!run->opt->keep_going)
    return -1;
  if (run->opt->bad)
    run->opt->bad(run->opt->ctx, err);
  memset(err, 0, sizeof *err);
  run->s->tail_known = false;
  return hm_sql_exec(run->s, SQL[UNDO_LINE], err);
}

static int begin_line(importer *im) {
  hm_import_run *run = &im->run;
  hm_arena_reset(run->arena);
  return run->opt->keep_going ? hm_sql_exec(run->s, SQL[BEGIN_LINE], run->place.err) : 0;
}

static void count_line(const hm_import_run *run) {
  run->counts->lines++;
  if (run->opt->counted)
    run->opt->counted(run->opt->counted_ctx, run->counts->lines);
}

/* The line as UTF-8. */
static int read_line(importer *im, hm_str *line, bool too_long) {
  hm_import_run *run = &im->run;
  if (!too_long)
    return hm_line_decode(&run->place, run->opt->encoding, line, &im->decoded);
  hm_failf(run->place.err, HM_E_INPUT, "", "split the record", "longer than %zu bytes",
           HM_RECORD_MAX_LINE);
  return hm_record_error(&run->place, HM_EMPTY);
}

/* decoded: the line is UTF-8. */
static int import_line(importer *im, hm_str line, bool too_long, bool decoded) {
  hm_import_run *run = &im->run;
  int64_t *outcome = NULL;
  hm_record r;
  if (begin_line(im))
    return -1;
  int rc = decoded ? 0 : read_line(im, &line, too_long);
  run->place.text = line;
  if (!rc && hm_str_trim(line).n)
    rc = hm_record_parse(&run->place, line, &r, run->arena) || take_record(im, &r, line, &outcome)
        ? -1
        : 0;
  return settle_line(im, rc, outcome);
}

/* A row of a table, or a part of a knowledge graph. */
static int import_row(void *ctx, const hm_json *row) {
  importer *im = ctx;
  hm_import_run *run = &im->run;
  int64_t *outcome = NULL;
  hm_record r;
  hm_err why = *run->place.err;
  count_line(run);
  if (begin_line(im))
    return -1;
  if (!row)
    *run->place.err = why;
  int rc = !row || hm_record_from_json(&run->place, row, &r, run->arena) ||
          take_record(im, &r, HM_EMPTY, &outcome)
      ? -1
      : 0;
  return settle_line(im, rc, outcome);
}

/* A part of a knowledge graph. An entity waits until all of its types are known. */
static int import_graph_row(void *ctx, const hm_json *row) {
  importer *im = ctx;
  im->in_graph = true;
  if (!row || !hm_str_is(hm_json_get_text(row, "kind"), "entity"))
    return import_row(im, row);
  hm_graph_types_add(&im->types, hm_json_get_text(row, "id"), hm_json_get_text(row, "entity_type"),
                     im->run.place.number);
  return 0;
}

/* Types after the first are what another part of the file says. */
static int import_graph_entities(importer *im) {
  hm_import_run *run = &im->run;
  const hm_import_options *opt = run->opt;
  hm_arena *a = hm_arena_new();
  int rc = 0;
  hm_graph_types_sort(&im->types);
  for (size_t i = 0; i < im->types.n && !rc; i++) {
    const hm_graph_type *t = &im->types.v[i];
    hm_import_options part = *opt;
    hm_arena_reset(a);
    part.source = hm_graph_part_name(opt->source, t->part, a);
    run->opt = &part;
    run->place.number = t->number;
    run->place.text = HM_EMPTY;
    rc = import_row(im, hm_graph_entity(t, a));
    run->opt = opt;
  }
  hm_arena_free(a);
  return rc;
}

/* --- the stream ------------------------------------------------------------------- */

/* Lines of programs that are known, each its records. */
typedef int parse_line(hm_record_place *place, hm_str text, hm_record_each *each, void *ctx);
static parse_line *known_parser(hm_str text) {
  return hm_mem0_is_line(text) ? hm_mem0_parse_line
      : hm_beads_is_line(text) ? hm_beads_parse_line
                               : NULL;
}

/* A text that is a record, ours or of a program that is known. */
static int import_text(importer *im, hm_str text, hm_str list) {
  hm_record_place *place = &im->run.place;
  bool in_graph = hm_str_is(list, "entities") || hm_str_is(list, "relations");
  if (in_graph || hm_graph_is_line(text))
    return hm_graph_parse_line(place, text, in_graph ? list : HM_EMPTY, import_graph_row, im);
  parse_line *parse = known_parser(text);
  if (parse)
    return parse(place, text, import_row, im);
  count_line(&im->run);
  return import_line(im, text, false, true);
}

/* A first line that is no record of ours: perhaps the header of a knowledge graph. */
static bool may_be_header(const importer *im, hm_str line) {
  return !im->run.counts->lines && !im->in_graph && !im->run.opt->csv &&
      hm_json_peek(line, "type").n && !hm_json_peek(line, "kind").n;
}

/* Of a header that a graph follows only its line is told. */
static int settle_header(importer *im, bool graph_follows) {
  const late_line header = im->header;
  hm_import_run *run = &im->run;
  int64_t number = run->place.number;
  int rc = 0;
  if (!header.p)
    return 0;
  im->header = (late_line){ 0 };
  run->place.number = header.number;
  if (!graph_follows) {
    rc = import_text(im, (hm_str){ header.p, header.n }, HM_EMPTY);
  } else if (run->opt->told) {
    run->opt->told->limit = "a header, neither an entity nor a relation";
    run->opt->told->limit_line = (uint32_t)header.number;
  }
  free(header.p);
  run->place.number = number;
  return rc;
}

/* One line of the stream, of a table or with a record of its own. -2: the import is over. */
static int import_next(importer *im, hm_csv *table, hm_str line, bool too_long) {
  if (table)
    return read_line(im, &line, too_long) || hm_csv_line(table, line) ? -2 : 0;
  if (!too_long && !hm_str_trim(line).n)
    return 0;
  hm_str seen = too_long ? HM_EMPTY : skip_mark(line);
  bool graph = hm_graph_is_line(seen);
  if (settle_header(im, graph))
    return -2;
  bool header = !graph && may_be_header(im, seen);
  if (!graph && !header && !known_parser(seen)) {
    count_line(&im->run);
    return import_line(im, line, too_long, false) ? -2 : 0;
  }
  if (read_line(im, &line, false))
    return import_row(im, NULL) ? -2 : 0;
  if (!header)
    return import_text(im, line, HM_EMPTY) ? -2 : 0;
  char *p = memcpy(hm_xmalloc(line.n), line.p, line.n);
  im->header = (late_line){ p, line.n, im->run.place.number };
  return 0;
}

/* An element of a JSON document, which the place names by its number. */
static int import_element(void *ctx, hm_str list, hm_str text, int64_t n) {
  importer *im = ctx;
  hm_record_place *place = &im->run.place, whole = *place;
  char name[480];
  snprintf(name, sizeof name, "%.400s: record %lld", whole.name, (long long)n);
  place->name = name;
  place->number = 0;
  int rc = import_text(im, text, list);
  *place = whole;
  return rc;
}

typedef struct {
  hm_csv *table;
  hm_json_document *document;
} stream_reader;

static int import_any(importer *im, stream_reader *r, const hm_lines *l, hm_str line) {
  if (!r->table && !im->begun && (l->too_long || hm_str_trim(line).n)) {
    im->begun = true;
    im->in_document = !l->too_long && hm_json_begins_document(skip_mark(line), im->head);
    if (im->in_document)
      r->document = hm_json_document_new(&im->run.place, import_element, im);
  }
  if (!r->document)
    return import_next(im, r->table, line, l->too_long);
  return read_line(im, &line, l->too_long) || hm_json_document_line(r->document, line) ? -2 : 0;
}

/* After the last line. */
static int end_stream(importer *im, stream_reader *r, const hm_lines *l) {
  if (r->table)
    return l->n_head && hm_csv_end(r->table) ? -2 : 0;
  if (r->document && hm_json_document_end(r->document))
    return -2;
  return settle_header(im, false) || import_graph_entities(im) ? -2 : 0;
}

/* An error of the document itself, which has no record: what the file is helps more. */
static void name_document(importer *im, const hm_json_document *d) {
  if (!hm_json_document_count(d) && !hm_str_starts(hm_str_trim(skip_mark(im->head)), "["))
    name_format(im);
}

static int import_lines(importer *im, FILE *in) {
  hm_lines *l = memset(hm_xmalloc(sizeof *l), 0, sizeof *l);
  int csv = im->run.opt->csv;
  stream_reader r = { .table = csv ? hm_csv_new(csv, &im->run.place, import_row, im) : NULL };
  hm_str line;
  int rc;
  l->in = in;
  l->skips = im->run.opt->keep_going;
  while ((rc = hm_lines_next(l, &line)) == 1) {
    im->run.place.number = l->number;
    im->head = (hm_str){ l->head, l->n_head };
    if ((rc = import_any(im, &r, l, line)))
      break;
  }
  if (!rc)
    rc = end_stream(im, &r, l);
  if (rc == -2 && r.table)
    name_table(im);
  if (rc == -2 && r.document)
    name_document(im, r.document);
  hm_csv_free(r.table);
  hm_json_document_free(r.document);
  if (rc == -1)
    hm_fail(im->run.place.err, HM_E_INPUT, im->run.opt->name, strerror(errno), "check the file");
  hm_buf_free(&l->line);
  free(l);
  free(im->header.p);
  im->run.is_late = true;
  for (size_t i = 0; !rc && i < im->n_late; i++) {
    im->run.place.number = im->late[i].number;
    rc = import_line(im, (hm_str){ im->late[i].p, im->late[i].n }, false, true);
  }
  return rc ? -1 : 0;
}

static int import_note(void *ctx, const hm_json *record) {
  const importer *im = ctx;
  const hm_import_options *opt = im->run.opt;
  if (record && opt->wanted && !opt->wanted(opt->wanted_ctx, record))
    return 0;
  return import_row(ctx, record);
}

/* A document is read whole; what is over its limit is left there. */
static int import_document(importer *im, FILE *in) {
  enum { LIMIT = (1 << 20) + 1 };
  const hm_import_options *opt = im->run.opt;
  if (opt->source.n && opt->gone != HM_GONE_IGNORED &&
      hm_evidence_list_rows(im->run.s, opt->source, im->named_arena, &im->had, &im->n_had,
                            im->run.place.err))
    return -1;
  hm_notes_told *told = opt->told;
  told->keeps_rows = im->n_had > 0;
  if (told->keeps_rows && !told->a)
    told->a = im->named_arena;
  char *text = hm_xmalloc(LIMIT);
  size_t n = fread(text, 1, LIMIT, in);
  int rc = ferror(in)
      ? hm_fail(im->run.place.err, HM_E_INPUT, opt->name, strerror(errno), "check the file")
      : hm_notes_read(&im->run.place, opt->notes, (hm_str){ text, n }, opt->notes_list,
                      opt->records, import_note, im, told);
  free(text);
  return rc ? -1 : 0;
}

int hm_import(hm_store *s, FILE *in, const hm_import_options *opt, hm_import_counts *counts,
              hm_err *err) {
  hm_err own = { 0 };
  if (!err)
    err = &own; /* what a line did wrong decides how to go on */
  importer im = { .run = { .s = s,
                           .opt = opt,
                           .counts = counts,
                           .arena = hm_arena_new(),
                           .place = { .name = opt->name, .store = s, .err = err } },
                  .named_arena = hm_arena_new(),
                  .seen = opt->seen ? opt->seen : hm_import_seen_new() };
  memset(counts, 0, sizeof *counts);
  hm_map_init(&im.named, im.named_arena, 64);
  bool mine;
  int rc = hm_store_txn(s, true, &mine, err);
  const hm_live_secrets before = *hm_store_secrets_written(s);
  if (!rc)
    rc = hm_store_txn_end(
        s, mine,
        (opt->notes.n ? import_document(&im, in) : import_lines(&im, in)) || end_unnamed(&im) ? -1
                                                                                              : 0,
        err);
  const hm_live_secrets *secrets = hm_store_secrets_written(s);
  counts->secrets = secrets->all - before.all;
  for (size_t i = before.n; i < secrets->n && opt->secret; i++)
    opt->secret(opt->secret_ctx, &secrets->v[i]);
  for (size_t i = 0; i < im.n_late; i++)
    free(im.late[i].p);
  free(im.late);
  hm_graph_types_free(&im.types);
  hm_buf_free(&im.decoded);
  if (opt->told && opt->told->a == im.named_arena) {
    opt->told->a = NULL;
    opt->told->rows = NULL;
    opt->told->settled = NULL;
    opt->told->n_rows = opt->told->n_settled = 0;
  }
  if (!opt->seen)
    hm_import_seen_free(im.seen);
  hm_arena_free(im.run.arena);
  hm_arena_free(im.named_arena);
  return rc;
}

/* --- which source a name means ---------------------------------------------------------------- */

int hm_import_list_sources(hm_store *s, hm_arena *a, hm_str **out, size_t *n, hm_err *err) {
  static const char all[] = "SELECT DISTINCT source FROM evidence WHERE source <> '' ORDER BY 1";
  hm_stmt *st;
  *n = 0;
  if (s->version < HM_STORE_EVIDENCE_VERSION)
    return 0;
  return hm_sql_query(s, all, NULL, &st, err) || hm_sql_texts(s, st, a, out, n, err) ? -1 : 0;
}

int hm_import_list_rows(hm_store *s, hm_str source, hm_arena *a, hm_str **out, size_t *n,
                        hm_err *err) {
  return hm_evidence_list_rows(s, source, a, out, n, err);
}

int hm_import_find_source(hm_store *s, hm_str name, bool path, hm_arena *a, hm_str *out,
                          hm_err *err) {
  hm_str *known = NULL, last = name, end = HM_CAT(a, HM_STR("/"), name);
  const hm_str *longer = NULL, *shorter = NULL;
  size_t n = 0;
  *out = name;
  if (hm_import_list_sources(s, a, &known, &n, err))
    return -1;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] == '/')
      last = hm_str_sub(name, i + 1, name.n);
  hm_str beside = HM_CAT(a, HM_STR("/"), last);
  bool others = false; /* another folder has a file of this name */
  for (size_t i = 0; i < n; i++) {
    if (hm_str_eq(known[i], name))
      return 0;
    if (!path && hm_str_ends(known[i], end.p)) {
      if (longer)
        return hm_failf(err, HM_E_INPUT, hm_str_z(a, hm_text_cut(name, 200)), "give its whole name",
                        "two sources end so: %.*s and %.*s", HM_FMT(hm_text_cut(*longer, 200)),
                        HM_FMT(hm_text_cut(known[i], 200)));
      longer = &known[i];
    }
    if (path && hm_str_eq(known[i], last))
      shorter = &known[i];
    others |= hm_str_ends(known[i], beside.p);
  }
  if (longer)
    *out = *longer;
  else if (shorter && !others)
    *out = *shorter;
  return 0;
}
