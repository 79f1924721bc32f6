/* Changes of what is said of a row: who contradicts whom, what a person judges, since when a value
 * stands, and what an export says. See evidence.h. */
#include "core/record/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/record/journal.h"
#include "core/record/record_edit.h"

static const char DROP[] = "DELETE FROM evidence WHERE ref = ?1 AND source = ?2";

/* --- changes ----------------------------------------------------------------------------- */

/* What e says of a field, as text; empty: nothing. Its properties are read once. */
static hm_str says_of(const hm_said_set *set, hm_said *e, hm_str field) {
  const hm_kind *k = &hm_kinds[set->kind];
  bool member = hm_str_starts(field, "properties.");
  int i = member ? hm_field_of_column(k, "properties") : hm_field_of_key(k, field);
  if (i < 0)
    return HM_EMPTY;
  if (hm_str_is(field, "status"))
    return hm_said_status(set, e);
  if (!member)
    return hm_said_text(k, i, e->cells);
  hm_str name = hm_str_sub(field, sizeof "properties." - 1, field.n);
  if (!e->object || e->object_text != e->cells[i].text.p) {
    e->object = hm_cell_object(&e->cells[i], set->a);
    e->object_text = e->cells[i].text.p;
  }
  return hm_said_member_text(hm_said_member(e->object, name), set->a);
}

const hm_said *hm_evidence_opponent(const hm_said_set *set, const hm_said *e, hm_str field,
                                    hm_str value) {
  for (size_t n = 0; n < set->n; n++) {
    hm_said *other = set->v[n];
    if (other == e)
      continue;
    hm_str says = says_of(set, other, field);
    if (says.n && !hm_evidence_is_over(set, other, field, says) &&
        !hm_str_eq(hm_text_fold_name(set->a, says), hm_text_fold_name(set->a, value)))
      return other;
  }
  return NULL;
}

static void drop_over(hm_said *e, hm_str field, hm_str value) {
  size_t kept = 0;
  for (size_t i = 0; i < e->n_over; i++)
    if (!hm_str_eq(e->over[i].field, field) || !hm_str_eq(e->over[i].value, value))
      e->over[kept++] = e->over[i];
  e->n_over = kept;
}

void hm_evidence_judge(hm_said_set *set, hm_said *e, hm_str field, hm_str value, bool agent) {
  for (size_t n = 0; n < set->n; n++)
    if (!agent || set->v[n] == e)
      drop_over(set->v[n], field, value);
  if (agent)
    return;
  e->person = true;
  for (size_t n = 0; n < set->n; n++) {
    hm_str says = set->v[n] == e ? HM_EMPTY : says_of(set, set->v[n], field);
    if (says.n && !hm_str_eq(says, value))
      hm_evidence_add_over(e, (hm_said_over){ field, says, HM_EMPTY }, set->a);
  }
}

static const hm_json *choose_other(void *ctx, const hm_json *now, const hm_json *was) {
  const hm_str *name = ctx;
  (void)now;
  return was && hm_str_eq(was->key, *name) ? NULL : was;
}

static void unsay(hm_said_set *set, hm_said *e, hm_str field) {
  static const hm_json nothing = { .type = HM_JSON_OBJECT };
  const hm_kind *k = &hm_kinds[set->kind];
  bool member = hm_str_starts(field, "properties.");
  int i = member ? hm_field_of_column(k, "properties") : hm_field_of_key(k, field);
  if (i < 0)
    return;
  const hm_json *object = member ? hm_cell_object(&e->cells[i], set->a) : NULL;
  hm_str name = hm_str_sub(field, sizeof "properties." - 1, field.n);
  if (!member)
    e->cells[i] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  else if (object)
    e->cells[i].text = hm_json_merge(object, &nothing, choose_other, &name, set->a);
}

void hm_evidence_win(hm_said_set *set, const hm_said *e, hm_str field, hm_str value) {
  for (size_t n = 0; n < set->n; n++) {
    hm_said *other = set->v[n];
    if (other == e)
      continue;
    drop_over(other, field, value);
    if (other->person && !hm_str_eq(says_of(set, other, field), value))
      unsay(set, other, field);
  }
}

void hm_evidence_end(hm_said_set *set, hm_said *e, hm_str source, hm_str field, hm_str conflict) {
  for (size_t n = 0; n < set->n; n++) {
    hm_str says = says_of(set, set->v[n], field);
    if (!says.n || !hm_str_eq(set->v[n]->source, source))
      continue;
    e->person = true;
    hm_evidence_add_over(e, (hm_said_over){ field, says, conflict }, set->a);
  }
}

/* Lists who says the value. */
static size_t add_ended(const hm_said_set *set, const hm_said_over *o, hm_said_ended *out) {
  size_t n = 0;
  for (size_t i = 0; i < set->n; i++)
    if (hm_str_eq(says_of(set, set->v[i], o->field), o->value))
      out[n++] = (hm_said_ended){ set->v[i]->source, o->field, o->value };
  return n;
}

static int drop_said(hm_store *s, hm_said_set *set, const hm_said *e, hm_err *err) {
  size_t kept = 0;
  for (size_t i = 0; i < set->n; i++)
    if (set->v[i] != e)
      set->v[kept++] = set->v[i];
  set->n = kept;
  return hm_sql_do(s, DROP, HM_ARGS(hm_arg_text(set->ref), hm_arg_text(e->source)), err);
}

static bool says_nothing(const hm_said *e) {
  for (int i = 1; i < HM_MAX_FIELDS + 1; i++)
    if (e->cells[i].state == HM_CELL_TEXT)
      return false;
  return !e->n_over && !e->n_since;
}

size_t hm_evidence_list_ended(const hm_said_set *set, hm_str conflict, hm_said_ended **out) {
  size_t room = 0, n = 0;
  for (size_t i = 0; i < set->n; i++)
    room += set->v[i]->n_over * set->n;
  *out = hm_alloc_array(set->a, room + 1, sizeof **out);
  for (size_t i = set->n; i-- > 0;)
    for (size_t k = 0; k < set->v[i]->n_over; k++)
      if (hm_str_eq(set->v[i]->over[k].conflict, conflict))
        n += add_ended(set, &set->v[i]->over[k], *out + n);
  return n;
}

int hm_evidence_revive(hm_store *s, hm_said_set *set, hm_str conflict, hm_err *err) {
  for (size_t i = set->n; i-- > 0;) {
    hm_said *e = set->v[i];
    size_t kept = 0, had = e->n_over;
    for (size_t k = 0; k < had; k++)
      if (!hm_str_eq(e->over[k].conflict, conflict))
        e->over[kept++] = e->over[k];
    e->n_over = kept;
    if (kept < had && says_nothing(e) && drop_said(s, set, e, err))
      return -1;
  }
  return 0;
}

void hm_evidence_note_change(hm_said_set *set, hm_said *e, hm_str field, hm_str was, hm_str at,
                             hm_str source) {
  hm_arena *a = set->a;
  hm_said_since *since = NULL;
  for (size_t i = 0; i < e->n_since; i++)
    if (hm_str_eq(e->since[i].field, field))
      since = &e->since[i];
  if (!since) {
    hm_evidence_add_since(e, (hm_said_since){ field, HM_EMPTY, HM_EMPTY }, a);
    since = &e->since[e->n_since - 1];
  }
  since->at = at;
  if (!was.n)
    return;
  hm_buf b = { 0 };
  hm_jw w;
  const hm_json *past = hm_json_parse_as(a, since->past, HM_JSON_ARRAY);
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  for (const hm_json *p = past ? past->child : NULL; p; p = p->next)
    hm_jw_raw(&w, NULL, hm_json_as_text(p, a));
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "value", was);
  if (at.n)
    hm_jw_str(&w, "until", at);
  if (source.n)
    hm_jw_str(&w, "source", source);
  hm_jw_end(&w);
  hm_jw_end(&w);
  since->past = hm_buf_take(&b, a);
}

void hm_evidence_note_outranked(hm_said_set *set, hm_said *e, hm_str field, hm_str was, hm_str now,
                                hm_str at) {
  for (size_t n = 0; n < set->n; n++) {
    const hm_said *other = set->v[n];
    hm_str says = other == e || other->gone ? HM_EMPTY : says_of(set, set->v[n], field);
    if (!says.n || hm_str_eq(says, was) || hm_str_eq(says, now) ||
        hm_evidence_is_over(set, other, field, says))
      continue;
    hm_str source = hm_said_sources(&hm_kinds[set->kind], other->cells, set->a);
    hm_evidence_note_change(set, e, field, says, at, source.n ? source : other->source);
  }
}

hm_str hm_said_sources(const hm_kind *k, const hm_cell *cells, hm_arena *a) {
  hm_str refs = hm_cell_text(k, cells, "source_refs"), *texts;
  if (!refs.n)
    return hm_cell_text(k, cells, "source");
  size_t n = hm_json_texts(hm_json_parse_as(a, refs, HM_JSON_ARRAY), a, &texts);
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    hm_buf_c(&b, i ? ", " : "");
    hm_buf_str(&b, texts[i]);
  }
  return hm_buf_take(&b, a);
}

hm_str hm_said_date(const hm_kind *k, const hm_said *e) {
  hm_str updated = hm_cell_text(k, e->cells, "updated_at");
  return updated.n ? updated : hm_cell_text(k, e->cells, "created_at");
}

/* --- from an export ---------------------------------------------------------------------- */

static hm_str text_of_said(const hm_said_set *set, const hm_said *e) {
  return HM_CAT(set->a, hm_record_said_json(&hm_kinds[set->kind], e->cells, set->a), e->at,
                hm_evidence_history_text(e, set->a));
}

/* Does the row follow from the others, too? */
static bool follows_without(const hm_said_set *set, const hm_said *own) {
  const hm_kind *k = &hm_kinds[set->kind];
  hm_cell rest[HM_MAX_FIELDS + 1];
  hm_said_set others = *set;
  others.v = hm_alloc_array(set->a, set->n + 1, sizeof *others.v);
  others.n = 0;
  for (size_t i = 0; i < set->n; i++)
    if (set->v[i] != own)
      others.v[others.n++] = set->v[i];
  hm_evidence_merge(&others, rest);
  for (int i = 0; i < k->n && others.n; i++) {
    const hm_record_field *f = &k->fields[i];
    hm_cell is = rest[i].state == HM_CELL_TEXT ? rest[i] : hm_cell_default(f);
    hm_cell says = own->cells[i].state == HM_CELL_TEXT ? own->cells[i] : hm_cell_default(f);
    if (!(f->flags & HM_F_KEY) && !hm_is_verdict_column(f) &&
        (is.state != says.state || !hm_str_eq(is.text, says.text)))
      return false;
  }
  return true;
}

static const hm_said *find_said(const hm_said_set *set, hm_str source) {
  for (size_t i = 0; i < set->n; i++)
    if (hm_str_eq(set->v[i]->source, source))
      return set->v[i];
  return NULL;
}

int hm_evidence_take(hm_store *s, const hm_record_place *p, hm_said_set *set, const hm_record *r,
                     hm_str own, hm_cell *row, bool *changed, bool *moved) {
  enum { ROW, SOURCE, AT, RECORD, HISTORY };
  const hm_kind *k = &hm_kinds[set->kind];
  hm_cell followed[HM_MAX_FIELDS + 1], follows[HM_MAX_FIELDS + 1], now[HM_MAX_FIELDS + 1];
  hm_str source = r->cells[SOURCE].text;
  const hm_said *mine = own.n && !hm_str_eq(own, source) ? find_said(set, own) : NULL;
  *changed = *moved = false;
  hm_evidence_merge(set, followed);
  bool says = source.n || r->cells[RECORD].state == HM_CELL_TEXT;
  if (says) {
    bool known = find_said(set, source) != NULL;
    hm_said *e = hm_evidence_of(set, source);
    hm_str was = text_of_said(set, e);
    memcpy(e->cells, row, sizeof e->cells);
    if (r->cells[RECORD].state == HM_CELL_TEXT &&
        !hm_evidence_read_cells(set, r->cells[RECORD].text, e->cells))
      return hm_record_bad(p, "record", "no record of this row",
                           "write the object that the source said, with its kind");
    e->at = r->cells[AT].state == HM_CELL_TEXT ? r->cells[AT].text : HM_EMPTY;
    e->n_since = e->n_over = 0;
    hm_evidence_read_history(
        e, r->cells[HISTORY].state == HM_CELL_TEXT ? r->cells[HISTORY].text : HM_EMPTY, set->a);
    *changed = !known || !hm_str_eq(was, text_of_said(set, e));
  }
  bool drops = mine && follows_without(set, mine);
  if (drops && drop_said(s, set, mine, p->err))
    return -1;
  if (set->n && (!mine || drops)) {
    hm_evidence_merge(set, follows);
    hm_evidence_apply(k, row, followed, follows, now);
    for (int i = 0; i < k->n; i++)
      if (!hm_is_verdict_column(&k->fields[i]) &&
          (row[i].state != now[i].state || !hm_str_eq(row[i].text, now[i].text))) {
        row[i] = now[i];
        *moved = true;
      }
  }
  return 0;
}

/* --- what a source no longer says ------------------------------------------------------------- */

/* The row that took the place of a gone one; empty: none. */
static hm_str heir_of(const hm_said_end *end, hm_str ref) {
  uint32_t at = end->heirs ? hm_map_get(end->heirs, ref) : HM_MAP_NONE;
  return at == HM_MAP_NONE ? HM_EMPTY : end->heir_refs[at];
}

/* The source says of an active row that its heir supersedes it. */
static void say_superseded(const hm_said_set *set, hm_said *e, hm_str heir, const hm_actor *who) {
  const hm_kind *k = &hm_kinds[set->kind];
  const char *colon = memchr(heir.p, ':', heir.n);
  const hm_column said[] = { { "status", HM_STR("superseded") },
                             { "superseded_by",
                               hm_str_sub(heir, (size_t)(colon - heir.p) + 1, heir.n) },
                             { "superseded_at", who->undated ? HM_EMPTY : who->at } };
  if (!hm_str_is(hm_said_status(set, e), "active"))
    return;
  for (size_t i = 0; i < HM_COUNT(said); i++) {
    int at = hm_field_of_column(k, said[i].column);
    if (at >= 0)
      e->cells[at] = said[i].value.n ? (hm_cell){ HM_CELL_TEXT, said[i].value }
                                     : (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  }
}

/* A verdict on a row holds for the row that says the same in its place. */
static int hand_on_verdict(hm_store *s, hm_kind_index k, const hm_cell *gone, hm_str heir,
                           const hm_said_end *end, hm_arena *a, hm_err *err) {
  const hm_kind *kind = &hm_kinds[k];
  hm_cell row[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } };
  bool found;
  int content = hm_field_of_column(kind, "content"), at = hm_field_of_column(kind, "status");
  if (content < 0 || hm_kind_parse_ref(heir, &row[0].text) != k)
    return 0;
  if (hm_record_load(s, k, row, &found, a, err))
    return -1;
  if (!found || !hm_str_is(row[at].text, "active") ||
      !hm_str_eq(row[content].text, gone[content].text) ||
      hm_str_eq(hm_cell_text(kind, gone, "superseded_by"), row[0].text))
    return 0;
  hm_str old = hm_record_json(kind, row, a);
  for (int i = 0; i < kind->n; i++)
    if (hm_is_verdict_column(&kind->fields[i]))
      row[i] = gone[i];
  return hm_record_save(s, k, row, false, a, err) ||
          hm_journal_add(s, end->who, "import", heir, old, hm_record_json(kind, row, a), err)
      ? -1
      : 0;
}

/* Did a person say it, by no verdict on a conflict? */
static bool is_edit(const hm_said *e) {
  bool edit = e->person && !e->gone;
  for (size_t i = 0; i < e->n_over; i++)
    edit = edit && !e->over[i].conflict.n;
  return edit;
}

/* What people said instead of a line that e gave goes along with the line to its heir, which says
 * the same. */
static int hand_on_edits(hm_store *s, hm_said_set *set, const hm_said *e, hm_str heir,
                         const hm_said_end *end, hm_err *err) {
  const hm_kind *kind = &hm_kinds[set->kind];
  hm_cell row[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } }, followed[HM_MAX_FIELDS + 1],
                              follows[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  hm_said_set to;
  bool found;
  int content = hm_field_of_column(kind, "content");
  if (content < 0 || hm_kind_parse_ref(heir, &row[0].text) != set->kind)
    return 0;
  if (hm_record_load(s, set->kind, row, &found, set->a, err) ||
      hm_evidence_load(s, set->kind, heir, found ? row : NULL, set->a, &to, err))
    return -1;
  if (!found || !hm_str_eq(row[content].text, e->cells[content].text))
    return 0;
  hm_evidence_merge(&to, followed);
  for (size_t i = set->n; i-- > 0;) {
    hm_said *edit = set->v[i];
    if (edit == e || !is_edit(edit))
      continue;
    hm_said *own = hm_evidence_of(&to, edit->source);
    hm_str stored = own->stored;
    if (stored.n && !own->gone) /* who said it says something of the heir already */
      continue;
    *own = *edit;
    own->cells[0] = row[0];
    own->stored = stored;
    if (drop_said(s, set, edit, err))
      return -1;
  }
  hm_evidence_merge(&to, follows);
  hm_evidence_apply(kind, row, followed, follows, after);
  hm_str old = hm_record_json(kind, row, set->a), new = hm_record_json(kind, after, set->a);
  if (!hm_str_eq(old, new) &&
      (hm_record_save(s, set->kind, after, false, set->a, err) ||
       hm_journal_add(s, end->who, "import", heir, old, new, err)))
    return -1;
  return hm_evidence_save(s, &to, after, err);
}

static int change_row(hm_store *s, hm_str ref, const hm_said_end *end, bool ends, hm_arena *a,
                      hm_err *err) {
  hm_cell row[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } }, followed[HM_MAX_FIELDS + 1],
                              follows[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  hm_kind_index k = hm_kind_parse_ref(ref, &row[0].text);
  hm_said_set set;
  bool found;
  if (hm_record_load(s, k, row, &found, a, err) ||
      hm_evidence_load(s, k, ref, found ? row : NULL, a, &set, err) || !found)
    return found ? -1 : 0;
  hm_evidence_merge(&set, followed);
  hm_said *e = hm_evidence_of(&set, end->source);
  hm_str heir = heir_of(end, ref);
  e->gone = ends;
  e->absent = !ends;
  if (heir.n && hm_evidence_is_held(&set) && hand_on_edits(s, &set, e, heir, end, err))
    return -1;
  if (heir.n && !hm_evidence_is_held(&set))
    say_superseded(&set, e, heir, end->who);
  hm_evidence_merge(&set, follows);
  hm_evidence_apply(&hm_kinds[k], row, followed, follows, after);
  int at = hm_field_of_column(&hm_kinds[k], "status");
  bool held =
      at >= 0 && !hm_str_is(row[at].text, "active") && !hm_str_is(row[at].text, "candidate");
  for (int i = 0; i < hm_kinds[k].n && held; i++)
    if (hm_is_verdict_column(&hm_kinds[k].fields[i]))
      after[i] = row[i];
  if (held && heir.n && hand_on_verdict(s, k, row, heir, end, a, err))
    return -1;
  hm_str old = hm_record_json(&hm_kinds[k], row, a), new = hm_record_json(&hm_kinds[k], after, a);
  if (!hm_str_eq(old, new) &&
      (hm_record_save(s, k, after, false, a, err) ||
       hm_journal_add(s, end->who, "import", ref, old, new, err)))
    return -1;
  return hm_evidence_save(s, &set, after, err);
}

/* An id that is the digest of its record. */
static bool is_digest(hm_kind_index k, hm_str id) {
  if (k > HM_K_RELATION || id.n != 18 || id.p[1] != '-' || id.p[0] != hm_kinds[k].letter)
    return false;
  for (size_t i = 2; i < id.n; i++)
    if (!hm_is_digit(id.p[i]) && (id.p[i] < 'a' || id.p[i] > 'f'))
      return false;
  return true;
}

/* A row without an id of its own, of which the same source has another value in its slot now: it
 * was edited there, and is no dispute of the source with itself. Read of rows whose columns name
 * the slot. */
static int is_edited(hm_store *s, hm_kind_index k, hm_str id, const hm_map *said, bool *is,
                     hm_arena *a, hm_err *err) {
  static const char states[] =
      "SELECT 'project_state:' || o.id FROM project_state r JOIN project_state o"
      " USING (project, category, key) WHERE r.id = ?1 AND o.id <> r.id";
  static const char entities[] =
      "SELECT 'entity:' || o.id FROM entities r JOIN entities o"
      " USING (project, entity_type, name) WHERE r.id = ?1 AND o.id <> r.id";
  hm_stmt *st;
  hm_str *others;
  size_t n;
  if (hm_sql_query(s, k == HM_K_STATE ? states : entities, HM_ARGS(hm_arg_text(id)), &st, err) ||
      hm_sql_texts(s, st, a, &others, &n, err))
    return -1;
  for (size_t i = 0; i < n; i++)
    *is |= hm_map_get(said, others[i]) != HM_MAP_NONE;
  return 0;
}

/* edited[i]: the row gone[i] is another row of the source now. */
static int find_edited(hm_store *s, const hm_said_end *end, const hm_str *gone, size_t n,
                       bool *edited, hm_arena *a, hm_err *err) {
  hm_str *asked = hm_alloc_array(a, n + 1, sizeof *asked);
  size_t *at = hm_alloc_array(a, n + 1, sizeof *at), n_asked = 0;
  bool *answer = hm_alloc_array(a, n + 1, sizeof *answer);
  for (size_t i = 0; i < n; i++) {
    hm_str id;
    hm_kind_index k = hm_kind_parse_ref(gone[i], &id);
    edited[i] = heir_of(end, gone[i]).n > 0;
    if (edited[i] || !is_digest(k, id))
      continue;
    if (k == HM_K_MEMORY || k == HM_K_RELATION) {
      at[n_asked] = i;
      asked[n_asked++] = gone[i];
    } else if (is_edited(s, k, id, end->said, &edited[i], a, err)) {
      return -1;
    }
  }
  if (!n_asked || !end->edited)
    return 0;
  if (end->edited(end->edited_ctx, s, asked, n_asked, end->said, answer, err))
    return -1;
  for (size_t i = 0; i < n_asked; i++)
    edited[at[i]] = answer[i];
  return 0;
}

int hm_evidence_list_rows(hm_store *s, hm_str source, hm_arena *a, hm_str **out, size_t *n,
                          hm_err *err) {
  static const char named[] =
      "SELECT ref FROM evidence WHERE source = ?1"
      " AND (history IS NULL OR NOT history ->> '$.gone' IS 1) ORDER BY ref";
  hm_stmt *st;
  hm_str *refs = NULL;
  size_t n_refs = 0;
  *n = 0;
  if (hm_sql_query(s, named, HM_ARGS(hm_arg_text(source)), &st, err) ||
      hm_sql_texts(s, st, a, &refs, &n_refs, err))
    return -1;
  *out = refs;
  for (size_t i = 0; i < n_refs; i++)
    if (!hm_str_starts(refs[i], "project:"))
      refs[(*n)++] = refs[i];
  return 0;
}

/* Rows of which the source says something, and of them those that it does not name. */
static int list_gone(hm_store *s, const hm_said_end *end, hm_str **gone, size_t *n, size_t *all,
                     hm_arena *a, hm_err *err) {
  *n = 0;
  if (hm_evidence_list_rows(s, end->source, a, gone, all, err))
    return -1;
  for (size_t i = 0; i < *all; i++)
    if (hm_map_get(end->said, (*gone)[i]) == HM_MAP_NONE)
      (*gone)[(*n)++] = (*gone)[i];
  return 0;
}

int hm_evidence_end_source(hm_store *s, const hm_said_end *end, int64_t *n, int64_t *ended,
                           hm_err *err) {
  hm_arena *a = hm_arena_new(), *tmp = hm_arena_new();
  hm_str *gone = NULL;
  size_t n_gone, all, lost = 0;
  bool *edited = NULL;
  *n = *ended = 0;
  int rc = list_gone(s, end, &gone, &n_gone, &all, a, err);
  if (!rc && n_gone) {
    edited = hm_alloc_array(a, n_gone, sizeof *edited);
    rc = find_edited(s, end, gone, n_gone, edited, a, err);
  }
  for (size_t i = 0; i < n_gone && !rc; i++)
    lost += !edited[i];
  bool most = all >= HM_GONE_FEW && 2 * lost > all;
  bool ends = end->what == HM_GONE_ENDS || (end->what == HM_GONE_ENDS_BUT_MOST && !most);
  for (size_t i = 0; i < n_gone && !rc; i++) {
    hm_arena_reset(tmp);
    *n += ends || !edited[i];
    *ended += ends;
    rc = change_row(s, gone[i], end, ends || edited[i], tmp, err);
  }
  hm_arena_free(a);
  hm_arena_free(tmp);
  return rc;
}
