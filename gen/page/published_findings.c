/* What rules find where something is left out: the findings that pages may show; and their words.
 *
 * A snapshot of the published rows is made, without properties, links, conflicts' claims and names
 * of rows that are left out, and all rules run over it. A rule in SQL shows what it finds there,
 * and nothing that it found in all rows. A finding of the program, or of a judge, is shown where
 * all its rows are published and the published rows alone give the same one, word for word: so it
 * quotes no other row. One that counts rows is shown as the published rows give it. What is
 * recorded stays the sweep of all rows. Cost: one more sweep, and only where something is left out.
 */
#include <string.h>

#include "core/base/json.h"
#include "core/base/ascii.h"
#include "core/base/par.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/claim/claim.h"
#include "core/detect/rule.h"
#include "view_private.h"

/* --- the published rows ---------------------------------------------------------------------- */

typedef struct {
  const hm_view *v;
  hm_arena *a;          /* of what findings borrow */
  hm_snapshot snap;     /* in the making */
  uint32_t *row_at;     /* row of the sweep -> of snap, or HM_NONE */
  uint32_t *project_at; /* likewise */
} publishing;

static void publish_projects(publishing *p) {
  const hm_snapshot *all = p->v->snap;
  p->project_at = hm_alloc_array(p->a, all->n_projects + 1, sizeof *p->project_at);
  p->snap.projects = hm_alloc_array(p->a, all->n_projects + 1, sizeof *p->snap.projects);
  p->snap.n_projects = 0;
  p->snap.loose = NULL; /* names as rows wrote them */
  p->snap.n_loose = 0;
  for (size_t i = 0; i < all->n_projects; i++) {
    p->project_at[i] = HM_NONE;
    if (p->v->project_of[i] == HM_NONE)
      continue;
    p->project_at[i] = (uint32_t)p->snap.n_projects;
    hm_project *to = &p->snap.projects[p->snap.n_projects++];
    *to = all->projects[i];
    for (size_t k = 0; k < HM_COUNT(to->fits); k++) {
      bool known;
      if (hm_view_project(p->v, to->fits[k], &known) == HM_NONE)
        to->fits[k] = HM_EMPTY;
    }
  }
}

static bool is_left_out(const publishing *p, hm_layer layer, hm_str ref) {
  uint32_t row = ref.n ? hm_snapshot_ref(p->v->snap, layer, ref) : HM_NONE;
  return row != HM_NONE && p->v->hidden[row];
}

static hm_str publish_json(const publishing *p, hm_str text) {
  hm_json *j;
  if (!text.n || hm_json_parse(p->a, text, &j, NULL))
    return text;
  return hm_json_as_text(hm_view_filter_json(p->v, j, p->a), p->a);
}

static void publish_rows(publishing *p) {
  const hm_snapshot *all = p->v->snap;
  hm_snapshot *to = &p->snap;
  to->rows = hm_alloc_array(p->a, all->n_rows + 1, sizeof *to->rows);
  to->details = hm_alloc_array(p->a, all->n_rows + 1, sizeof *to->details);
  p->row_at = hm_alloc_array(p->a, all->n_rows + 1, sizeof *p->row_at);
  to->n_rows = 0;
  for (hm_layer l = HM_MEMORY; l <= HM_RELATION; l++) {
    to->first[l] = to->n_rows;
    hm_row_index_init(&to->by_id[l], p->a, all->first[l + 1] - all->first[l]);
    for (size_t i = all->first[l]; i < all->first[l + 1]; i++) {
      p->row_at[i] = HM_NONE;
      /* A row of a project that no page shows would be one that is left out. */
      if (p->v->hidden[i] || p->project_at[p->v->snap->rows[i].project] == HM_NONE)
        continue;
      hm_row *r = &to->rows[to->n_rows];
      *r = all->rows[i];
      r->project = p->project_at[r->project];
      r->props = publish_json(p, r->props);
      if (r->layer == HM_STATE && r->value_is_json)
        r->text = publish_json(p, r->text);
      if (is_left_out(p, l, r->superseded_by))
        r->superseded_by = HM_EMPTY;
      if (is_left_out(p, HM_ENTITY, r->graduated_to))
        r->graduated_to = HM_EMPTY;
      if (all->details)
        to->details[to->n_rows] = all->details[i];
      hm_row_index_add(&to->by_id[l], r->id, (uint32_t)to->n_rows);
      p->row_at[i] = (uint32_t)to->n_rows++;
    }
  }
  to->first[HM_RELATION + 1] = to->n_rows;
}

/* What sources say of published rows, without the properties that are left out. */
static void publish_evidence(publishing *p) {
  const hm_snapshot *all = p->v->snap;
  p->snap.evidence = hm_alloc_array(p->a, all->n_evidence + 1, sizeof *p->snap.evidence);
  p->snap.n_evidence = 0;
  for (size_t i = 0; i < all->n_evidence; i++) {
    hm_evidence e = all->evidence[i];
    if (p->row_at[e.row] == HM_NONE)
      continue;
    e.row = p->row_at[e.row];
    e.as.project = p->snap.rows[e.row].project;
    e.as.props = publish_json(p, e.as.props);
    hm_said_value *kept = hm_alloc_array(p->a, e.n_fields + 1, sizeof *kept);
    const hm_json *props = hm_json_parse_as(p->a, e.as.props, HM_JSON_OBJECT);
    size_t n = 0;
    for (size_t k = 0; k < e.n_fields; k++) {
      hm_str field = e.fields[k].field;
      const hm_json *m = props ? props->child : NULL;
      bool member = hm_str_starts(field, "properties.");
      while (member && m &&
             !hm_str_eq(m->key, hm_str_sub(field, sizeof "properties." - 1, field.n)))
        m = m->next;
      if (!member || m)
        kept[n++] = e.fields[k];
    }
    e.fields = kept;
    e.n_fields = n;
    p->snap.evidence[p->snap.n_evidence++] = e;
  }
}

static void publish_links(publishing *p) {
  const hm_snapshot *all = p->v->snap;
  p->snap.links = hm_alloc_array(p->a, all->n_links + 1, sizeof *p->snap.links);
  p->snap.n_links = 0;
  for (size_t i = 0; i < all->n_links; i++)
    if (!is_left_out(p, HM_MEMORY, all->links[i].src) &&
        !is_left_out(p, HM_MEMORY, all->links[i].dst))
      p->snap.links[p->snap.n_links++] = all->links[i];
}

/* Flags on rows, and proposals about rows, none of which is left out. */
static void publish_remarks(publishing *p) {
  const hm_snapshot *all = p->v->snap;
  size_t flags = all->n_remarks[HM_REMARK_FLAG];
  hm_remark *kept = hm_alloc_array(p->a, flags + 1, sizeof *kept);
  p->snap.n_remarks[HM_REMARK_FLAG] = 0;
  for (size_t i = 0; i < flags; i++)
    if (!is_left_out(p, HM_MEMORY, all->remarks[HM_REMARK_FLAG][i].subject))
      kept[p->snap.n_remarks[HM_REMARK_FLAG]++] = all->remarks[HM_REMARK_FLAG][i];
  p->snap.remarks[HM_REMARK_FLAG] = kept;
  p->snap.proposals = hm_alloc_array(p->a, all->n_proposals + 1, sizeof *p->snap.proposals);
  p->snap.n_proposals = 0;
  for (size_t i = 0; i < all->n_proposals; i++) {
    const hm_proposal *x = &all->proposals[i];
    size_t k = 0;
    while (k < x->n && !is_left_out(p, HM_MEMORY, x->rows[k]))
      k++;
    if (k == x->n)
      p->snap.proposals[p->snap.n_proposals++] = *x;
  }
}

static void take_newer(hm_time *t, hm_str text, hm_time most) {
  hm_time at;
  hm_precision how;
  if (hm_time_parse(hm_str_trim(text), &at, &how) && at > *t && at <= most)
    *t = at;
}

/* Rules may tell now, which is then that of a published row; SOURCE_DATE_EPOCH is of none. */
static void publish_now(publishing *p) {
  const hm_snapshot *all = p->v->snap;
  hm_time newest = HM_TIME_MIN, published = HM_TIME_MIN;
  for (size_t i = 0; i < all->n_rows && all->details; i++) {
    hm_time *const of[] = { &newest, p->row_at[i] == HM_NONE ? &newest : &published };
    for (size_t k = 0; k < HM_COUNT(of); k++) {
      take_newer(of[k], all->rows[i].created_at, all->now);
      take_newer(of[k], all->rows[i].updated_at, all->now);
      take_newer(of[k], all->details[i].superseded_at, all->now);
    }
  }
  if (newest == all->now && published != newest)
    p->snap.now = published == HM_TIME_MIN ? HM_TIME_MAX : published;
}

/* The open disputes that pages show, with the claims that they show. */
static const hm_conflict_rec **publish_conflicts(publishing *p, size_t *n) {
  const hm_view *v = p->v;
  const hm_conflict_rec **out = hm_alloc_array(p->a, v->n_conflicts + 1, sizeof *out);
  *n = 0;
  for (uint32_t i = 0; i < v->n_conflicts; i++) {
    const hm_vconflict *c = &v->conflicts[i];
    hm_conflict_rec *rec = hm_alloc(p->a, sizeof *rec);
    if (!c->dispute)
      continue;
    *rec = *c->rec;
    rec->members = hm_alloc_array(p->a, c->rec->n_members + 1, sizeof *rec->members);
    rec->n_members = 0;
    if (!c->named)
      rec->slot_key = HM_STR("[\"\",\"\"]");
    for (size_t k = 0; k < c->rec->n_members; k++) {
      if (!hm_view_member_shown(v, &c->rec->members[k], p->a))
        continue;
      hm_member_rec *m = &rec->members[rec->n_members++];
      *m = c->rec->members[k];
      if (is_left_out(p, HM_MEMORY, m->conflicts_with))
        m->conflicts_with = HM_EMPTY;
    }
    out[(*n)++] = rec;
  }
  return out;
}

/* --- what is found --------------------------------------------------------------------------- */

static hm_str words_of(const hm_finding *f, hm_arena *a) {
  hm_buf b = { 0 };
  hm_jw w;
  const hm_str said[] = { f->rule,     f->kind,   f->project, f->message,
                          f->expected, f->actual, f->reason };
  hm_jw_init(&w, &b, 0);
  hm_jw_arr(&w, NULL);
  hm_jw_strs(&w, NULL, said, HM_COUNT(said));
  hm_jw_strs(&w, NULL, f->rows, f->n_rows);
  hm_jw_end(&w);
  return hm_buf_take(&b, a);
}

/* Does it say how many rows there are of a kind? Then of published rows it says another number. */
static bool counts_rows(const hm_finding *f) {
  return hm_str_starts(f->rule, "gap/") || hm_str_is(f->rule, "row/no-longer-in-source");
}

static hm_str row_key(const hm_finding *f, size_t row, hm_arena *a) {
  return HM_CAT(a, f->rule, HM_STR("\x1f"), f->rows[row]);
}

/* Those that count published rows, each of which the sweep has found, too. */
static size_t keep_counts(const hm_view *v, const hm_disputes *d, hm_finding *out, hm_arena *tmp) {
  hm_map found;
  size_t n = 0;
  hm_map_init(&found, tmp, v->sweep->n_findings);
  for (size_t i = 0; i < v->sweep->n_findings; i++)
    for (size_t k = 0; counts_rows(&v->sweep->findings[i]) && k < v->sweep->findings[i].n_rows; k++)
      hm_map_add(&found, row_key(&v->sweep->findings[i], k, tmp), 0);
  for (size_t i = 0; i < d->n_findings; i++) {
    const hm_finding *f = &d->findings[i];
    bool same = counts_rows(f) && hm_view_finding_shown(v, f, tmp);
    for (size_t k = 0; k < f->n_rows && same; k++)
      same = hm_map_get(&found, row_key(f, k, tmp)) != HM_MAP_NONE;
    if (same)
      out[n++] = *hm_finding_copy(f, v->a);
  }
  return n;
}

/* Those of the sweep that the published rows give, too. */
static size_t keep_common(const hm_view *v, const hm_disputes *d, hm_finding *out, hm_arena *tmp) {
  hm_map published;
  size_t n = keep_counts(v, d, out, tmp);
  hm_map_init(&published, tmp, d->n_findings);
  for (size_t i = 0; i < d->n_findings; i++)
    hm_map_add(&published, words_of(&d->findings[i], tmp), 0);
  for (size_t i = 0; i < v->sweep->n_findings; i++) {
    const hm_finding *f = &v->sweep->findings[i];
    if (!hm_sql_rule_named(v->rules->sql, f->rule) && !counts_rows(f) &&
        hm_view_finding_shown(v, f, tmp) && hm_map_get(&published, words_of(f, tmp)) != HM_MAP_NONE)
      out[n++] = *f;
  }
  return n;
}

int hm_view_find_published(const hm_view *v, hm_finding **out, size_t *n, hm_err *err) {
  int threads = hm_par_cores();
  hm_arena *tmp = hm_arena_new();
  hm_claims *claims = NULL;
  hm_disputes *found;
  publishing p = { .v = v, .a = v->a, .snap = *v->snap };
  publish_projects(&p);
  publish_rows(&p);
  publish_evidence(&p);
  publish_links(&p);
  publish_remarks(&p);
  publish_now(&p);
  p.snap.lives = NULL;
  p.snap.graph = NULL;
  p.snap.graph = hm_snapshot_graph(&p.snap, threads, p.a);
  hm_sql_facts *facts = hm_alloc(p.a, sizeof *facts);
  hm_snapshot *snap = hm_alloc(p.a, sizeof *snap);
  *facts = (hm_sql_facts){ .rules = v->rules };
  facts->conflicts = publish_conflicts(&p, &facts->n_conflicts);
  *snap = p.snap;
  facts->snap = snap;
  int rc = hm_claims_read(snap, v->rules, threads, &claims, err);
  if (!rc)
    rc = hm_rules_run(snap, claims, v->rules, HM_RUN_ALL, threads, tmp, &found, err);
  if (!rc) {
    hm_sql_result sql;
    hm_finding *own =
        hm_alloc_array(p.a, v->sweep->n_findings + found->n_findings + 1, sizeof *own);
    facts->findings = own;
    facts->n_findings = keep_common(v, found, own, tmp);
    facts->lives = claims->lives;
    hm_sql_rules_run(v->rules->sql, facts, threads, p.a, &sql);
    hm_finding *all = hm_alloc_array(p.a, facts->n_findings + sql.n + 1, sizeof *all);
    memcpy(all, own, facts->n_findings * sizeof *all);
    if (sql.n)
      memcpy(all + facts->n_findings, sql.findings, sql.n * sizeof *all);
    *n = facts->n_findings + sql.n;
    hm_findings_sort(all, *n);
    *n = hm_findings_make_ids_unique(all, *n, p.a);
    hm_findings_acknowledge(v->snap, all, *n);
    *out = all;
  }
  hm_claims_free(claims);
  hm_arena_free(tmp);
  return rc;
}

/* --- the words of a finding ------------------------------------------------------------------ */

enum { NAME_BYTES = 120, NAMED_BYTES = 30 };

bool hm_finding_is_gap(const hm_finding *f) { return hm_str_is(f->kind, "orphan"); }

/* "EXISTED_AFTER" is for programs, and the message says it in words. */
hm_str hm_finding_reason_words(const hm_finding *f) {
  hm_str reason = f->reason;
  for (size_t i = 0; i < reason.n; i++)
    if (!hm_is_upper(reason.p[i]) && reason.p[i] != '_')
      return reason;
  return HM_EMPTY;
}

static bool names_row(const hm_view *v, hm_str message, uint32_t row) {
  hm_str name = hm_text_cut(hm_view_label_source(v, row), NAMED_BYTES);
  return memmem(message.p, message.n, name.p, name.n) != NULL;
}

/* The name of the first row, when the message lacks it; for a relation the message names an end. */
hm_str hm_view_finding_subject(const hm_view *v, const hm_finding *f, hm_arena *a) {
  bool tells_number = counts_rows(f) && (f->n_rows > 1 || !hm_finding_is_gap(f));
  bool about_row = f->n_rows && !tells_number;
  uint32_t row = about_row ? hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[0]) : HM_NONE;
  if (row == HM_NONE || v->hidden[row])
    return HM_EMPTY;
  const hm_row *r = &v->snap->rows[row];
  if (r->layer != HM_RELATION && names_row(v, f->message, row))
    return HM_EMPTY;
  const hm_str ends[] = { r->from, r->to };
  for (size_t i = 0; r->layer == HM_RELATION && i < HM_COUNT(ends); i++) {
    uint32_t end = hm_snapshot_ref(v->snap, HM_ENTITY, ends[i]);
    if (end != HM_NONE && (v->hidden[end] || names_row(v, f->message, end)))
      return HM_EMPTY;
  }
  hm_str words = hm_view_row_words(v, row, a);
  return hm_str_sub(words, 0, hm_str_ends(words, ".") ? words.n - 1 : words.n);
}

static bool begins_with(hm_str s, hm_str begin) {
  return s.n >= begin.n && !memcmp(s.p, begin.p, begin.n);
}

/* An id in quotes, replaced by the name of the entity that has it. */
static hm_str name_quoted(hm_str message, hm_str id, hm_str name, hm_arena *a) {
  hm_str quoted = HM_CAT(a, HM_STR("\""), id, HM_STR("\""));
  const char *at = id.n ? memmem(message.p, message.n, quoted.p, quoted.n) : NULL;
  if (!at)
    return message;
  size_t from = (size_t)(at - message.p);
  return HM_CAT(a, hm_str_sub(message, 0, from + 1), name,
                hm_str_sub(message, from + 1 + id.n, message.n));
}

/* Of values of relations: "realm / MEMBER_OF: aldric: ..." without the slot, which the subject says
 * in words, and with the names of what it quotes. */
static hm_str overlap_message(const hm_view *v, const hm_finding *f, hm_arena *a) {
  uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[0]);
  const char *first = memchr(f->message.p, '"', f->message.n);
  if (row == HM_NONE || v->snap->rows[row].layer != HM_RELATION || !first)
    return f->message;
  hm_str message = hm_str_sub(f->message, (size_t)(first - f->message.p), f->message.n);
  for (size_t i = 0; i < f->n_rows; i++) {
    row = hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[i]);
    if (row == HM_NONE || v->hidden[row])
      continue;
    const hm_row *r = &v->snap->rows[row];
    message = name_quoted(message, r->from, hm_view_relation_end_name(v, r->from, a), a);
    message = name_quoted(message, r->to, hm_view_relation_end_name(v, r->to, a), a);
  }
  return message;
}

/* The message as a reader needs it: the name of the first row in place of its id. The id of a
 * relation goes, since the subject says the relation in words. Other messages stay. */
hm_str hm_view_finding_message(const hm_view *v, const hm_finding *f, hm_str subject, hm_arena *a) {
  if (!f->n_rows)
    return f->message;
  if (subject.n && hm_str_is(f->kind, "possible_overlap"))
    return overlap_message(v, f, a);
  uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[0]);
  bool has_id = begins_with(f->message, f->rows[0]);
  if (!has_id || row == HM_NONE || v->hidden[row])
    return f->message;
  const hm_row *r = &v->snap->rows[row];
  hm_str rest = hm_str_sub(f->message, f->rows[0].n, f->message.n),
         name = HM_CAT(a, HM_STR(" ("), r->name, HM_STR(")"));
  if (r->name.n && begins_with(rest, name))
    rest = hm_str_sub(rest, name.n, rest.n);
  if (subject.n && hm_str_starts(rest, ": "))
    return hm_str_sub(rest, 2, rest.n);
  if (subject.n && hm_str_starts(rest, " was "))
    return hm_str_sub(rest, 5, rest.n);
  if (subject.n)
    return f->message;
  return HM_CAT(a, hm_shorten(a, hm_view_row_words(v, row, a), NAME_BYTES), rest);
}
