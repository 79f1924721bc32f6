/* Adds and patches one row as people and agents write it, with its line of the journal and its
 * evidence.
 */
#include "core/record/record_edit.h"

#include <stdio.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/record/evidence.h"
#include "core/record/judge_queue.h"
#include "core/record/journal.h"
#include "core/record/records.h"

/* --- one row -------------------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  hm_record r; /* what was given; its kind is that of the row */
  hm_record_place place;
  const char *verb;
  const hm_actor *who;
  hm_arena *a;
  hm_err *err;
} edit;

static int begin_edit(edit *e, hm_layer layer, const hm_json *json) {
  hm_kind_index k = hm_kind_find(hm_str_c(hm_layer_name(layer)));
  e->place = (hm_record_place){ .name = hm_kinds[k].name, .store = e->s, .err = e->err };
  return hm_record_read(&e->place, k, json, &e->r, e->a);
}

static int load_row(edit *e, hm_str id, hm_cell *cells, bool *found) {
  memset(cells, 0, (HM_MAX_FIELDS + 1) * sizeof *cells);
  cells[0] = (hm_cell){ HM_CELL_TEXT, id };
  return hm_record_load(e->s, e->r.index, cells, found, e->a, e->err);
}

static hm_str ref_of(const edit *e, hm_str id) {
  return HM_CAT(e->a, hm_str_c(e->r.kind->name), HM_STR(":"), id);
}

static int save_row(edit *e, const hm_cell *cells, hm_row_edited *out) {
  const hm_str ref[] = { hm_str_c(e->r.kind->name), HM_STR(":"), out->id };
  if (hm_record_save(e->s, e->r.index, cells, !out->before.n, e->a, e->err)) {
    /* What the store's own rules refuse of a record is the record's fault. */
    if (e->err && e->err->code == HM_E_STORE && e->s->refused)
      e->err->code = HM_E_INPUT;
    return -1;
  }
  if (hm_judge_queue_add(e->s, hm_str_join(e->a, ref, 3), e->err))
    return -1;
  out->changed = true;
  out->after = hm_record_json(e->r.kind, cells, e->a);
  return hm_journal_add(e->s, e->who, e->verb, hm_str_join(e->a, ref, 3), out->before, out->after,
                        e->err);
}

/* The id that the record gives, if it is free; else one of its digest, with a number where rows
 * have that. */
static int choose_id(edit *e, const hm_json *json) {
  hm_cell cells[HM_MAX_FIELDS + 1], *id = &e->r.cells[0];
  bool found = true;
  if (id->state == HM_CELL_TEXT) {
    if (load_row(e, id->text, cells, &found))
      return -1;
    if (!found)
      return 0;
    hm_failf(e->err, HM_E_STATE, "", "change it with `hmirror edit`, or give another id",
             "there is a %s '%.*s' already", e->r.kind->name, HM_FMT(hm_text_cut(id->text, 80)));
    return hm_record_error(&e->place, HM_STR("id"));
  }
  if (hm_record_sort(&e->place, json, &e->r, e->a))
    return -1;
  for (unsigned number = 0; found; number++) {
    hm_sha256 h;
    hm_sha256_init(&h);
    hm_sha256_add(&h, e->r.sorted);
    if (number)
      hm_sha256_add(&h, hm_str_fmt(e->a, "\x1f%u", number));
    hm_str hex = hm_sha256_hex(&h, e->a, 16);
    *id = (hm_cell){ HM_CELL_TEXT, hm_str_fmt(e->a, "%c-%.*s", e->r.kind->letter, HM_FMT(hex)) };
    if (load_row(e, id->text, cells, &found))
      return -1;
  }
  return 0;
}

int hm_store_add_row(hm_store *s, hm_layer layer, const hm_json *record, const char *verb,
                     const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err) {
  edit e = { .s = s, .verb = verb, .who = who, .a = a, .err = err };
  hm_cell cells[HM_MAX_FIELDS + 1];
  if (begin_edit(&e, layer, record) || choose_id(&e, record) ||
      hm_record_merge(&e.place, &e.r, NULL, cells) || hm_record_check(&e.place, &e.r, cells))
    return -1;
  *out = (hm_row_edited){ .id = hm_str_dup(a, cells[0].text), .before = HM_EMPTY };
  hm_said_set said;
  if (save_row(&e, cells, out) ||
      hm_evidence_load(s, e.r.index, ref_of(&e, out->id), NULL, a, &said, err))
    return -1;
  memcpy(hm_evidence_of(&said, who->by)->cells, cells, sizeof cells);
  return hm_evidence_save(s, &said, cells, err);
}

/* --- a patch as evidence ------------------------------------------------------------------- */

/* What the patch says, beside what the others say. */
typedef struct {
  edit *e;
  hm_said_set set;
  hm_said *mine;
  bool content;    /* it says something that rows claim */
  hm_str at, refs; /* refs: the sources of what the row had */
} saying;

static void say_value(saying *y, hm_str field, hm_str was, hm_str now) {
  bool changes = !hm_str_eq(was, now) && now.n;
  if (changes && !y->e->who->agent)
    hm_evidence_note_outranked(&y->set, y->mine, field, was, now, y->at);
  if (changes)
    hm_evidence_note_change(&y->set, y->mine, field, was, y->at, y->refs);
  hm_evidence_judge(&y->set, y->mine, field, now, y->e->who->agent);
}

/* The members that the patch has, as mine. */
static const hm_json *choose_said(void *ctx, const hm_json *now, const hm_json *was) {
  (void)ctx;
  if (!now)
    return was;
  return now->type == HM_JSON_NULL ? NULL : now;
}

static void say_properties(saying *y, int i, const hm_json *patch, const hm_json *row) {
  static const hm_json nothing = { .type = HM_JSON_OBJECT };
  hm_arena *a = y->e->a;
  const hm_json *said = hm_cell_object(&y->mine->cells[i], a);
  for (const hm_json *m = patch->child; m; m = m->next) {
    hm_str was = hm_said_member_text(hm_said_member(row, m->key), a),
           now = hm_said_member_text(m, a);
    y->content |= !hm_str_eq(was, now);
    say_value(y, hm_said_member_field(m->key, a), was, now);
  }
  hm_str text = hm_json_merge(said ? said : &nothing, patch, choose_said, NULL, a);
  if (said || !hm_str_is(text, "{}"))
    y->mine->cells[i] = (hm_cell){ HM_CELL_TEXT, text };
}

static void say_cell(saying *y, int i, const hm_cell *before) {
  const hm_kind *k = y->e->r.kind;
  const hm_record_field *f = &k->fields[i];
  const hm_cell *given = y->e->r.cells;
  hm_str was = hm_said_text(k, i, before), now = hm_said_text(k, i, given);
  bool claims = hm_said_contradicts(f);
  if (claims && !hm_str_eq(was, now))
    y->content = true;
  if (claims || !hm_str_eq(was, now))
    say_value(y, hm_str_c(f->key), was, now);
  y->mine->cells[i] =
      given[i].state == HM_CELL_TEXT ? given[i] : (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  if (f->type == HM_F_VALUE)
    y->mine->cells[i + 1] = given[i + 1];
}

/* Who says a value is its source, unless the patch names another. */
static void name_source(saying *y) {
  static const char *const columns[] = { "source", "source_refs", "agent" };
  const hm_kind *k = y->e->r.kind;
  hm_str by = y->e->who->by;
  for (size_t c = 0; y->content && c < HM_COUNT(columns); c++) {
    int i = hm_field_of_column(k, columns[c]);
    if (i < 0 || y->e->r.cells[i].state != HM_CELL_ABSENT)
      continue;
    hm_str text = k->fields[i].type == HM_F_STRINGS ? hm_aliases_text(&by, 1, y->e->a) : by;
    y->mine->cells[i] = (hm_cell){ HM_CELL_TEXT, text };
  }
}

static size_t count_over(const hm_said_set *set) {
  size_t n = 0;
  for (size_t i = 0; i < set->n; i++)
    n += set->v[i]->n_over;
  return n;
}

/* A promoted or restored row is active, whatever status its sources gave it. */
static bool is_made_active(const edit *e, const hm_cell *before) {
  int at = hm_field_of_column(e->r.kind, "status");
  return at >= 0 && e->r.cells[at].state != HM_CELL_ABSENT &&
      (e->r.cells[at].state != HM_CELL_TEXT || hm_str_is(e->r.cells[at].text, "active")) &&
      !hm_str_is(before[at].text, "active");
}

/* *after: the row that follows from what is said with the patch. *judged: it decides against what
 * somebody says. */
static int say_patch(edit *e, const hm_cell *before, const hm_json *patch, hm_said_set *said,
                     bool *judged, hm_cell *after) {
  const hm_kind *k = e->r.kind;
  hm_cell followed[HM_MAX_FIELDS + 1], follows[HM_MAX_FIELDS + 1];
  saying y = { .e = e, .at = hm_time_to_second(e->a, e->who->at) };
  if (hm_evidence_load(e->s, e->r.index, ref_of(e, before[0].text), before, e->a, &y.set, e->err))
    return -1;
  if (!y.set.n) /* whoever wrote it did not say who */
    memcpy(hm_evidence_of(&y.set, HM_EMPTY)->cells, before, sizeof followed);
  hm_evidence_merge(&y.set, followed);
  y.mine = hm_evidence_of(&y.set, e->who->by);
  y.refs = hm_said_sources(k, before, e->a);
  size_t over = count_over(&y.set);
  y.mine->at = y.at;
  for (int i = 0; i < k->n; i++) {
    const hm_json *members =
        k->fields[i].type == HM_F_OBJECT ? hm_json_get(patch, k->fields[i].key) : NULL;
    if (e->r.cells[i].state == HM_CELL_ABSENT || k->fields[i].flags & HM_F_KEY ||
        k->fields[i].type == HM_F_VALUE_KIND || hm_is_verdict_column(&k->fields[i]))
      continue;
    if (members && members->type == HM_JSON_OBJECT)
      say_properties(&y, i, members, hm_cell_object(&before[i], e->a));
    else
      say_cell(&y, i, before);
  }
  if (is_made_active(e, before) && !e->who->agent)
    hm_evidence_judge(&y.set, y.mine, HM_STR("status"), HM_STR("active"), false);
  name_source(&y);
  int stamp = hm_field_of_column(k, "updated_at");
  y.mine->cells[stamp] =
      e->r.cells[stamp].state == HM_CELL_TEXT ? e->r.cells[stamp] : (hm_cell){ HM_CELL_TEXT, y.at };
  hm_evidence_merge(&y.set, follows);
  hm_evidence_apply(k, before, followed, follows, after);
  *said = y.set;
  *judged = count_over(&y.set) != over;
  return 0;
}

/* --- patches ------------------------------------------------------------------------------ */

int hm_row_patch(hm_store *s, hm_layer layer, hm_str id, const hm_json *json, const char *verb,
                 const hm_actor *who, hm_arena *a, hm_row_edited *out, hm_err *err) {
  edit e = { .s = s, .verb = verb, .who = who, .a = a, .err = err };
  hm_cell before[HM_MAX_FIELDS + 1], patched[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  bool found;
  if (begin_edit(&e, layer, json))
    return -1;
  const hm_kind *k = e.r.kind;
  if (e.r.cells[0].state != HM_CELL_ABSENT)
    return hm_record_bad(&e.place, "id", "a row keeps its id", "add another row");
  if (load_row(&e, id, before, &found))
    return -1;
  if (!found)
    return hm_fail(err, HM_E_UNKNOWN,
                   hm_str_fmt(a, "%s '%.*s'", k->name, HM_FMT(hm_text_cut(id, 80))).p,
                   "there is none", "check the kind and the id");
  /* A patch of some properties becomes the whole object. */
  int at = hm_field_of_column(k, "properties"), stamp = hm_field_of_column(k, "updated_at");
  const hm_json *patch = hm_json_get(json, "properties");
  bool part = at >= 0 && patch && patch->type == HM_JSON_OBJECT && before[at].state == HM_CELL_TEXT;
  const hm_json *old = part ? hm_json_parse_as(a, before[at].text, HM_JSON_OBJECT) : NULL;
  if (old)
    e.r.cells[at].text = hm_json_merge(old, patch, choose_said, NULL, a);
  if (hm_record_merge(&e.place, &e.r, before, patched) || hm_record_check(&e.place, &e.r, patched))
    return -1;
  bool judged;
  hm_said_set said;
  if (say_patch(&e, before, json, &said, &judged, after))
    return -1;
  for (int i = 0; i < k->n; i++)
    if (hm_is_verdict_column(&k->fields[i]))
      after[i] = patched[i];
  *out = (hm_row_edited){ .id = hm_str_dup(a, id), .before = hm_record_json(k, before, a) };
  after[stamp] = patched[stamp];
  out->after = hm_record_json(k, after, a);
  if (hm_str_eq(out->before, out->after) && !judged)
    return 0;
  if (e.r.cells[stamp].state == HM_CELL_ABSENT)
    after[stamp] = (hm_cell){ HM_CELL_TEXT, hm_time_to_second(a, who->at) };
  if (save_row(&e, after, out))
    return -1;
  return hm_evidence_save(s, &said, after, err);
}

/* --- what verdicts end, and take back -------------------------------------------------------- */

/* A row, what is said of it, and what follows from that before the change. */
typedef struct {
  edit e;
  hm_cell before[HM_MAX_FIELDS + 1], followed[HM_MAX_FIELDS + 1];
  hm_said_set said;
  bool found;
} judging;

static int begin_judging(judging *j, hm_layer layer, hm_str id) {
  edit *e = &j->e;
  e->r.index = hm_kind_find(hm_str_c(hm_layer_name(layer)));
  e->r.kind = &hm_kinds[e->r.index];
  if (load_row(e, id, j->before, &j->found) ||
      hm_evidence_load(e->s, e->r.index, ref_of(e, id), j->found ? j->before : NULL, e->a, &j->said,
                       e->err))
    return -1;
  hm_evidence_merge(&j->said, j->followed);
  return 0;
}

static int end_judging(judging *j, hm_row_edited *out) {
  hm_cell follows[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  edit *e = &j->e;
  hm_evidence_merge(&j->said, follows);
  hm_evidence_apply(e->r.kind, j->before, j->followed, follows, after);
  return save_row(e, after, out) || hm_evidence_save(e->s, &j->said, after, e->err) ? -1 : 0;
}

int hm_row_end_said(hm_store *s, const hm_row_ending *end, const char *verb, const hm_actor *who,
                    hm_arena *a, hm_row_edited *out, hm_err *err) {
  judging j = { .e = { .s = s, .verb = verb, .who = who, .a = a, .err = err } };
  if (begin_judging(&j, end->layer, end->id))
    return -1;
  *out = (hm_row_edited){ .id = end->id, .before = hm_record_json(j.e.r.kind, j.before, a) };
  hm_said *mine = hm_evidence_of(&j.said, who->by);
  hm_evidence_end(&j.said, mine, end->source, end->field, end->conflict);
  if (!mine->at.n)
    mine->at = hm_time_to_second(a, who->at);
  return end_judging(&j, out);
}

static size_t list_ended(const judging *j, hm_str conflict, hm_row_revived **out) {
  hm_said_ended *ended;
  size_t n = hm_evidence_list_ended(&j->said, conflict, &ended);
  *out = hm_alloc_array(j->e.a, n + 1, sizeof **out);
  for (size_t i = 0; i < n; i++)
    (*out)[i] = (hm_row_revived){ ended[i].source, ended[i].field, ended[i].value };
  return n;
}

int hm_row_list_ended(hm_store *s, hm_layer layer, hm_str id, hm_str conflict, hm_arena *a,
                      hm_row_revived **out, size_t *n, hm_err *err) {
  judging j = { .e = { .s = s, .a = a, .err = err } };
  if (begin_judging(&j, layer, id))
    return -1;
  *n = list_ended(&j, conflict, out);
  return 0;
}

int hm_row_revive_said(hm_store *s, hm_layer layer, hm_str id, hm_str conflict, const char *verb,
                       const hm_actor *who, hm_arena *a, hm_row_revived **out, size_t *n,
                       hm_err *err) {
  judging j = { .e = { .s = s, .verb = verb, .who = who, .a = a, .err = err } };
  *n = 0;
  if (begin_judging(&j, layer, id))
    return -1;
  *n = list_ended(&j, conflict, out);
  if (hm_evidence_revive(s, &j.said, conflict, err))
    return -1;
  hm_row_edited done = { .id = id, .before = hm_record_json(j.e.r.kind, j.before, a) };
  return *n && j.found ? end_judging(&j, &done) : 0;
}

/* --- the shape of a record, as JSON Schema, from the table of fields -------------------------- */

static void put_type(hm_jw *w, const char *type, bool or_null) {
  if (!or_null) {
    hm_jw_str(w, "type", hm_str_c(type));
    return;
  }
  hm_jw_arr(w, "type");
  hm_jw_str(w, NULL, hm_str_c(type));
  hm_jw_str(w, NULL, HM_STR("null"));
  hm_jw_end(w);
}

static void put_choices(hm_jw *w, const hm_record_field *f, bool or_null) {
  hm_jw_arr(w, "enum");
  for (const char *const *c = f->choices; *c; c++)
    hm_jw_str(w, NULL, hm_str_c(*c));
  if (or_null)
    hm_jw_null(w, NULL);
  hm_jw_end(w);
}

static void put_number(hm_jw *w, const char *type, int least, bool or_null) {
  put_type(w, type, or_null);
  hm_jw_int(w, "minimum", least);
  hm_jw_int(w, "maximum", 1);
}

/* A list of one may be given as a text, but is never written so. */
static void put_strings(hm_jw *w, bool written, bool or_null) {
  static const char items[] = "{\"type\":\"string\"}";
  if (written)
    put_type(w, "array", false);
  else {
    hm_jw_arr(w, "type");
    hm_jw_str(w, NULL, HM_STR("array"));
    hm_jw_str(w, NULL, HM_STR("string"));
    if (or_null)
      hm_jw_str(w, NULL, HM_STR("null"));
    hm_jw_end(w);
  }
  hm_jw_raw(w, "items", hm_str_c(items));
}

static void put_value(hm_jw *w) {
  hm_jw_arr(w, "type");
  static const char *const types[] = { "string", "number", "boolean", "array" };
  for (size_t i = 0; i < HM_COUNT(types); i++)
    hm_jw_str(w, NULL, hm_str_c(types[i]));
  hm_jw_end(w);
}

static void put_field(hm_jw *w, const hm_record_field *f, hm_schema_use use) {
  bool or_null = use != HM_SCHEMA_STORED && !(f->flags & HM_F_REQUIRED);
  hm_jw_obj(w, f->key);
  switch (f->type) {
    case HM_F_UNIT:
      put_number(w, "number", 0, or_null);
      break;
    case HM_F_SIGN:
      put_number(w, "integer", -1, or_null);
      break;
    case HM_F_BOOL:
      put_type(w, "boolean", or_null);
      break;
    case HM_F_OBJECT:
      put_type(w, "object", or_null);
      hm_jw_bool(w, "additionalProperties", true);
      break;
    case HM_F_STRINGS:
      put_strings(w, use == HM_SCHEMA_STORED, or_null);
      break;
    case HM_F_CHOICE:
      put_choices(w, f, or_null);
      break;
    case HM_F_VALUE:
      put_value(w);
      break;
    case HM_F_BOUND:
      put_type(w, "string", or_null);
      hm_jw_str(w, "description",
                HM_STR("ISO 8601, partial too, or 44 BC, about 1066 ± 5, "
                       "3rd_age.year_345, an era of world.yml"));
      break;
    case HM_F_TIME:
      put_type(w, "string", or_null);
      hm_jw_str(w, "description", HM_STR("ISO 8601; may be partial: 2026, 2026-04"));
      break;
    default:
      put_type(w, "string", or_null);
  }
  if (f->flags & HM_F_KEY)
    hm_jw_int(w, "minLength", 1);
  if (use == HM_SCHEMA_NEW && f->dflt && *f->dflt) { /* "default" makes generators want a value */
    char text[80];
    snprintf(text, sizeof text, "%s where it is not given", f->dflt);
    hm_jw_str(w, "description", hm_str_c(text));
  }
  hm_jw_end(w);
}

/* Any column may be under as_stored, so only kind and id are required. */
static void put_required(hm_jw *w, const hm_kind *k, hm_schema_use use) {
  if (use == HM_SCHEMA_PATCH)
    return;
  hm_jw_arr(w, "required");
  if (use == HM_SCHEMA_STORED) {
    hm_jw_str(w, NULL, HM_STR("kind"));
    hm_jw_str(w, NULL, HM_STR("id"));
  }
  for (int i = 0; use == HM_SCHEMA_NEW && i < k->n; i++)
    if (k->fields[i].key && k->fields[i].flags & HM_F_REQUIRED && !(k->fields[i].flags & HM_F_KEY))
      hm_jw_str(w, NULL, hm_str_c(k->fields[i].key));
  hm_jw_end(w);
}

static void put_stored_only(hm_jw *w, const hm_kind *k) {
  hm_jw_obj(w, "kind");
  hm_jw_str(w, "const", hm_str_c(k->name));
  hm_jw_end(w);
  hm_jw_obj(w, "as_stored");
  hm_jw_str(w, "type", HM_STR("object"));
  hm_jw_str(w, "description",
            HM_STR("columns that another program wrote and this one would refuse, as they are"));
  hm_jw_raw(w, "additionalProperties", HM_STR("{\"type\":[\"string\",\"null\"]}"));
  hm_jw_end(w);
}

void hm_record_schema(hm_jw *w, const char *key, hm_layer layer, hm_schema_use use) {
  const hm_kind *k = &hm_kinds[hm_kind_find(hm_str_c(hm_layer_name(layer)))];
  hm_jw_obj(w, key);
  hm_jw_str(w, "type", HM_STR("object"));
  put_required(w, k, use);
  hm_jw_obj(w, "properties");
  if (use == HM_SCHEMA_STORED)
    put_stored_only(w, k);
  for (int i = 0; i < k->n; i++)
    if (k->fields[i].key && !(use == HM_SCHEMA_PATCH && k->fields[i].flags & HM_F_KEY))
      put_field(w, &k->fields[i], use);
  hm_jw_end(w);
  if (use != HM_SCHEMA_STORED)
    hm_jw_bool(w, "additionalProperties", false);
  hm_jw_end(w);
}
