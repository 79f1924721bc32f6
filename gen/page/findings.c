/* The findings of all projects: what a reader must know beside the conflicts.
 *
 * One page shows all of them, by severity and rule, with the sentence of each rule; of one severity
 * the rule, and of one rule the finding, with the most rows comes first. Separate
 * sections have gaps (kind "orphan"), which are no errors, dangling references, and memories that
 * seem to repeat or deny each other, with their texts side by side. When the page would be too
 * long, it lists the rules, and each rule has its own list, cut as other lists are, by the name of
 * the first row that a finding is about. Cost: a sort of the findings. */
#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/detect/rule.h"
#include "core/detect/sql_rule.h"
#include "core/record/given.h"
#include "model.h"

enum {
  ITEM_BYTES = 700,
  NAME_BYTES = 120,
  TEXT_BYTES = 1000,
  TITLE_BYTES = 100,
  SIDE_BYTES = 400,
  SIDES = 3,
  NAMED_BYTES = 30
};

typedef struct {
  hm_item_list list;       /* stands first: pages have it as their data */
  const hm_finding *first; /* of the rule */
} rule_list;

struct hm_finding_lists {
  rule_list *rules;
  uint32_t n;
  bool whole;
};

/* --- order ------------------------------------------------------------------- */

static const struct {
  const char *severity, *words;
} severities[] = { { "error", "Errors" }, { "warn", "Warnings" }, { "info", "Notes" } };
enum { N_SEVERITIES = HM_COUNT(severities) };

static size_t severity_rank(hm_str severity) {
  size_t i = 0;
  while (i + 1 < N_SEVERITIES && !hm_str_is(severity, severities[i].severity))
    i++;
  return i;
}

static bool is_similar(const hm_finding *f) {
  return hm_str_is(f->kind, "reported") || hm_str_is(f->kind, "possible_duplicate") ||
      hm_str_is(f->kind, "possible_contradiction");
}

/* What nobody has recorded is one thing, a reference to what is not there another; what two texts
 * seem to say is a question. */
typedef enum { WRONG, SIMILAR, LOST, UNKNOWN } finding_part;
static finding_part part_of(const hm_finding *f) {
  if (is_similar(f))
    return SIMILAR;
  if (!hm_finding_is_gap(f))
    return WRONG;
  return hm_str_starts(f->rule, "orphan/") ? LOST : UNKNOWN;
}

/* Gaps last; then the worst first. */
static int by_severity(const hm_finding *a, const hm_finding *b) {
  int d = (int)part_of(a) - (int)part_of(b);
  return d ? d : (int)severity_rank(a->severity) - (int)severity_rank(b->severity);
}

static int by_rule(const hm_finding *a, const hm_finding *b) {
  int d = by_severity(a, b);
  return d ? d : hm_str_natural_cmp(a->rule, b->rule);
}

static int most_first(size_t a, size_t b) { return (a < b) - (a > b); }

int hm_finding_cmp(const hm_finding *a, const hm_finding *b) {
  int d = by_severity(a, b);
  if (!d)
    d = most_first(a->n_rows, b->n_rows);
  if (!d)
    d = hm_str_natural_cmp(a->rule, b->rule);
  if (!d)
    d = hm_str_natural_cmp(a->message, b->message);
  return d ? d : hm_str_cmp(a->id, b->id);
}

typedef struct {
  const hm_finding *f;
  size_t most; /* rows of a finding of its rule */
  hm_keyed_item k;
} keyed_finding;

/* Rules, of one severity the one of the finding with the most rows first; in each the same. */
static int by_place(const void *x, const void *y) {
  const keyed_finding *a = x, *b = y;
  int d = by_severity(a->f, b->f);
  if (!d)
    d = most_first(a->most, b->most);
  if (!d)
    d = by_rule(a->f, b->f);
  if (!d)
    d = most_first(a->f->n_rows, b->f->n_rows);
  return d ? d : hm_str_cmp(a->k.key, b->k.key);
}

static void sort_by_place(keyed_finding *f, uint32_t n) {
  if (n)
    qsort(f, n, sizeof *f, by_place); /* `most` is not known yet: by rule */
  for (uint32_t i = 0; i < n; i++)
    f[i].most = i && !by_rule(f[i].f, f[i - 1].f) ? f[i - 1].most : f[i].f->n_rows;
  if (n)
    qsort(f, n, sizeof *f, by_place);
}

/* The sort key of a finding: the name of the first row that it is about. */
static hm_str finding_key(const hm_view *v, const hm_finding *f, hm_arena *a) {
  uint32_t row = f->n_rows ? hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[0]) : HM_NONE;
  hm_str name = row != HM_NONE ? hm_view_label_source(v, row) : f->message;
  return hm_list_sort_key(a, hm_text_cut(name, NAME_BYTES), f->id);
}

static bool are_long(const void *list, uint32_t from, uint32_t to) {
  const hm_keyed_items *s = list;
  size_t all = 0;
  for (uint32_t i = from; i < to && all <= HM_LIST_BYTES; i++) {
    const hm_finding *f = s->v->findings[s->k[i].item];
    size_t rows = f->n_rows < HM_REFS ? f->n_rows : HM_REFS;
    all += ITEM_BYTES + rows * ITEM_BYTES + hm_page_bytes(hm_str_sub(f->message, 0, TEXT_BYTES)) +
        hm_page_bytes(hm_str_sub(f->expected, 0, SIDE_BYTES)) +
        hm_page_bytes(hm_str_sub(f->actual, 0, SIDE_BYTES)) +
        (is_similar(f) ? SIDES * (ITEM_BYTES + TEXT_BYTES) : 0);
  }
  return all > HM_LIST_BYTES;
}

typedef struct {
  size_t rows;
  uint32_t place, item;
} weighed_item;

static int by_weight(const void *x, const void *y) {
  const weighed_item *a = x, *b = y;
  int d = most_first(a->rows, b->rows);
  return d ? d : (a->place > b->place) - (a->place < b->place);
}

/* On each page of the list, those with the most rows first, else as they were. */
static void sort_pages_by_rows(const hm_view *v, hm_item_list *list, uint32_t n_all, hm_arena *a) {
  uint32_t *order = hm_alloc_array(a, n_all + 1, sizeof *order);
  memcpy(order, list->order, n_all * sizeof *order);
  for (uint32_t i = 0; i < list->n; i++) {
    uint32_t from = list->parts[i].from, n = list->parts[i].to - from;
    weighed_item *w = hm_alloc_array(a, n + 1, sizeof *w);
    for (uint32_t k = 0; k < n; k++)
      w[k] = (weighed_item){ v->findings[order[from + k]]->n_rows, k, order[from + k] };
    if (n)
      qsort(w, n, sizeof *w, by_weight);
    for (uint32_t k = 0; k < n; k++)
      order[from + k] = w[k].item;
  }
  list->order = order;
}

/* Each rule's list, in a file with the name of the rule; its parts are in a folder of that name. */
static void name_lists(const hm_view *v, hm_finding_lists *out, const hm_keyed_item *k,
                       hm_finding_place *places, hm_arena *a) {
  static const char *const reserved[] = { "readme", "index", NULL };
  hm_named *names = hm_alloc_array(a, out->n + 1, sizeof *names);
  for (uint32_t i = 0; i < out->n; i++) {
    const hm_finding *f = out->rules[i].first;
    char *words = hm_alloc(a, f->rule.n + 1);
    for (size_t c = 0; c < f->rule.n; c++)
      words[c] = f->rule.p[c] == '/' ? '-' : f->rule.p[c];
    names[i] =
        (hm_named){ .name = { words, f->rule.n },
                    .id = HM_CAT(a, f->rule, HM_STR("/"), f->kind, HM_STR("/"), f->severity) };
  }
  hm_make_slugs(names, out->n, reserved, v->opt.script, a);
  for (uint32_t i = 0, at = 0; i < out->n; i++) {
    hm_item_list *list = &out->rules[i].list;
    uint32_t n = list->n;
    list->path = HM_CAT(a, HM_STR("findings/"), names[i].slug, HM_STR(".md"));
    hm_item_list_fill(v, a, k + at, n, HM_SPLIT_NAME, are_long,
                      HM_CAT(a, HM_STR("findings/"), names[i].slug, HM_STR("/")), list);
    sort_pages_by_rows(v, list, n, a);
    for (uint32_t part = 0; part < list->n && !out->whole; part++)
      for (uint32_t x = list->parts[part].from; x < list->parts[part].to; x++)
        places[list->order[x]].page = list->parts[part].path;
    at += n;
  }
}

static hm_str anchor_of(const hm_finding *f, hm_arena *a) {
  return hm_is_slug(f->id) ? f->id : hm_str_digest_hex(a, f->id, 16);
}

void hm_view_build_finding_lists(hm_view *v, hm_arena *a) {
  hm_finding_lists *out = hm_alloc(a, sizeof *out);
  keyed_finding *f = hm_alloc_array(a, v->n_findings + 1, sizeof *f);
  hm_keyed_item *k = hm_alloc_array(a, v->n_findings + 1, sizeof *k);
  for (uint32_t i = 0; i < v->n_findings; i++)
    f[i] = (keyed_finding){ v->findings[i], 0, { HM_EMPTY, finding_key(v, v->findings[i], a), i } };
  sort_by_place(f, v->n_findings);
  out->rules = hm_alloc_array(a, v->n_findings + 1, sizeof *out->rules);
  for (uint32_t i = 0; i < v->n_findings; i++) {
    k[i] = f[i].k;
    if (!i || by_rule(f[i].f, f[i - 1].f))
      out->rules[out->n++].first = f[i].f;
    out->rules[out->n - 1].list.n++;
  }
  out->whole =
      v->n_findings <= v->opt.list_limit && !are_long(&(hm_keyed_items){ v, k }, 0, v->n_findings);
  hm_finding_place *places = hm_alloc_array(a, v->n_findings + 1, sizeof *places);
  for (uint32_t i = 0; i < v->n_findings; i++)
    places[i] = (hm_finding_place){ HM_STR("findings/README.md"), anchor_of(v->findings[i], a) };
  name_lists(v, out, k, places, a);
  v->finding_lists = out;
  v->finding_places = places;
}

uint32_t hm_count_finding_rule_lists(const hm_finding_lists *l) { return l->whole ? 0 : l->n; }
const hm_item_list *hm_get_finding_rule_list(const hm_finding_lists *l, uint32_t i) {
  return &l->rules[i].list;
}

/* --- one finding ---------------------------------------------------------------- */

/* The newest time at which one of its rows came to say what it says: since then it can be seen. */
static hm_str recorded_last(const hm_view *v, const hm_finding *f) {
  hm_time last = HM_TIME_MIN, t;
  hm_precision p;
  hm_str text = HM_EMPTY;
  for (size_t i = 0; i < f->n_rows; i++) {
    uint32_t row = hm_snapshot_ref(v->snap, HM_ENTITY, f->rows[i]);
    if (row == HM_NONE || v->hidden[row])
      continue;
    hm_str at = hm_str_trim(hm_row_text_date(v->snap, row));
    if (!hm_time_parse(at, &t, &p) || t <= last)
      continue;
    last = t;
    text = at;
  }
  return text;
}

/* Remedies for a finding, besides acknowledging it. */
static const char *const remedies[] = { [WRONG] = "correct the row that is wrong",
                                        [SIMILAR] = "keep one of them",
                                        [LOST] = "record what is named, or correct the name",
                                        [UNKNOWN] = "record it" };

/* False for an end that is left out. */
static bool is_end_shown(const hm_view *v, hm_str ref) {
  uint32_t end = hm_snapshot_ref(v->snap, HM_ENTITY, ref);
  return end == HM_NONE || !v->hidden[end];
}

/* A link to the row; a relation, which has no name, is said in words. */
static void put_row(hm_model *m, hm_node *ref, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_model_set_row_link_fields(m, ref, row);
  if (!m->v->hidden[row] && r->layer == HM_RELATION && is_end_shown(m->v, r->from) &&
      is_end_shown(m->v, r->to))
    hm_model_set_text(m, ref, "label",
                      hm_link_label(m->a, hm_view_row_words(m->v, row, m->a), NAME_BYTES));
}

/* Where the line of the row stands, and the commit that last changed it. */
static void put_commit(hm_model *m, hm_node *commits, uint32_t row) {
  const hm_row_detail *d = hm_view_detail(m->v, row);
  hm_str *places, said = d ? hm_model_find_commit(m, row, d->source_refs) : HM_EMPTY;
  if (!said.n || m->v->hidden[row] || !hm_format_json_list(d->source_refs, m->a, &places))
    return;
  hm_node *item = hm_model_add_item(m, commits);
  hm_model_set_short(m, item, "place", places[0], NAME_BYTES);
  hm_model_set_text(m, item, "commit", said);
}

hm_node *hm_model_add_finding(hm_model *m, hm_node *list, const hm_finding *f) {
  hm_node *item = hm_model_add_item(m, list), *rows = hm_node_set_list(item, "rows");
  hm_node *commits = hm_node_set_list(item, "commits");
  hm_str id = anchor_of(f, m->a);
  bool known;
  uint32_t p = hm_view_project(m->v, f->project, &known);
  hm_node_set_row(item, hm_str_fmt(m->a, "finding %.*s", HM_FMT(id)));
  hm_model_set_raw(m, item, "anchor", id);
  hm_model_set_raw(m, item, "id", id);
  hm_model_set_date(m, item, "since", recorded_last(m->v, f));
  hm_model_set_raw(m, item, "remedy", hm_str_c(remedies[part_of(f)]));
  hm_str subject = hm_view_finding_subject(m->v, f, m->a);
  hm_model_set_short(m, item, "subject", subject, NAME_BYTES);
  hm_model_set_short(m, item, "message", hm_view_finding_message(m->v, f, subject, m->a),
                     TEXT_BYTES);
  hm_model_set_short(m, item, "reason", hm_finding_reason_words(f), SIDE_BYTES);
  hm_model_set_short(m, item, "expected", f->expected, SIDE_BYTES);
  hm_model_set_short(m, item, "actual", f->actual, SIDE_BYTES);
  for (size_t i = 0; i < f->n_rows && i < HM_REFS; i++) {
    uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, f->rows[i]);
    hm_node *ref = hm_model_add_item(m, rows);
    hm_model_set_raw(m, ref, "sep", i ? HM_STR(", ") : HM_EMPTY);
    if (row != HM_NONE) {
      put_row(m, ref, row);
      put_commit(m, commits, row);
    } else {
      hm_model_set_text(m, ref, "label", hm_link_label(m->a, f->rows[i], 120));
      hm_node_set_bool(ref, "url", false);
    }
  }
  hm_node_set_bool(item, "has_sides", false);
  hm_node_set_bool(item, "has_rows", f->n_rows > 0);
  hm_node_set_bool(item, "more_rows", f->n_rows > HM_REFS);
  if (p == HM_NONE || p == m->p->project)
    hm_node_set_bool(item, "project", false);
  else
    hm_model_set_ref(m, item, "project", m->v->projects[p].label,
                     HM_CAT(m->a, m->v->projects[p].dir, HM_STR("README.md")), HM_EMPTY);
  return item;
}

/* The same with the texts of its first rows side by side, where it is about what they say. */
static void put_whole(hm_model *m, hm_node *list, const hm_finding *f) {
  hm_node *item = hm_model_add_finding(m, list, f), *sides = hm_node_set_list(item, "sides");
  for (size_t i = 0; i < f->n_rows && i < SIDES && is_similar(f); i++) {
    uint32_t row = hm_snapshot_ref(m->v->snap, HM_ENTITY, f->rows[i]);
    if (row == HM_NONE)
      continue;
    hm_node *side = hm_model_add_item(m, sides);
    hm_model_set_row_link_fields(m, side, row);
    hm_model_set_short(m, side, "text", m->v->snap->rows[row].text, TEXT_BYTES);
  }
  hm_node_set_bool(item, "has_sides", is_similar(f));
}

/* --- pages ---------------------------------------------------------------------- */

/* The name of the rule and its sentence, which is its title where it is short. */
static hm_str put_rule(hm_model *m, hm_node *o, const hm_finding *f) {
  const hm_rule *r = hm_rule_named(hm_config_rule_table(m->v->rules), f->rule);
  const hm_sql_rule *own = m->v->rules->sql ? hm_sql_rule_named(m->v->rules->sql, f->rule) : NULL;
  hm_str says = r && r->says ? hm_str_c(r->says) : own ? own->description : HM_EMPTY;
  hm_str name = hm_link_label(m->a, f->rule, NAME_BYTES);
  hm_model_set_text(m, o, "rule", name);
  says = hm_str_trim(hm_shorten(m->a, says, TEXT_BYTES));
  bool is_title = says.n && says.n <= TITLE_BYTES;
  hm_model_set_text(m, o, "says", is_title ? HM_EMPTY : says);
  if (is_title && says.p[says.n - 1] == '.')
    says.n--;
  hm_model_set_text(m, o, "rule_title", is_title ? says : name);
  return is_title ? says : name;
}

static void put_rules(hm_model *m, hm_node *list, const hm_finding_lists *l, uint32_t from,
                      uint32_t to) {
  for (uint32_t i = from; i < to; i++) {
    const rule_list *r = &l->rules[i];
    hm_node *item = hm_model_add_item(m, list);
    put_rule(m, item, r->first);
    hm_node *findings = hm_node_set_list(item, "findings");
    uint32_t end = r->list.parts[r->list.n - 1].to;
    hm_model_set_raw(m, item, "count_text", hm_format_grouped_number(m->a, end));
    hm_model_set_url(m, item, "url", l->whole ? HM_EMPTY : r->list.path, HM_EMPTY);
    for (uint32_t k = 0; l->whole && k < end; k++)
      put_whole(m, findings, m->v->findings[r->list.order[k]]);
  }
}

/* "3 errors, 1 note, 44 references that lead nowhere", or empty. */
static hm_str count_words(hm_arena *a, const hm_finding_lists *l) {
  static const char *const words[][2] = {
    { "error", "errors" },
    { "warning", "warnings" },
    { "note", "notes" },
    { "possible duplicate or contradiction", "possible duplicates or contradictions" },
    { "reference that leads nowhere", "references that lead nowhere" },
    { "thing that is not known", "things that are not known" }
  };
  uint64_t n[HM_COUNT(words)] = { 0 };
  hm_buf b = { 0 };
  for (uint32_t i = 0; i < l->n; i++) {
    const rule_list *r = &l->rules[i];
    finding_part part = part_of(r->first);
    size_t at = part == WRONG ? severity_rank(r->first->severity) : N_SEVERITIES - 1 + part;
    n[at] += r->list.parts[r->list.n - 1].to;
  }
  for (size_t i = 0; i < HM_COUNT(words); i++) {
    if (!n[i])
      continue;
    hm_buf_c(&b, b.n ? ", " : "");
    hm_buf_str(&b, hm_format_count_phrase(a, n[i], words[i][0], words[i][1]));
  }
  return hm_buf_take(&b, a);
}

void hm_page_findings(hm_model *m, hm_node *top) {
  const hm_finding_lists *l = m->p->data;
  hm_model_set_raw(m, top, "counts", count_words(m->a, l));
  hm_model_set_heading(
      m, top, HM_STR("Findings"),
      HM_STR("What the rules found beside conflicts, and what nobody has recorded"));
  hm_node *sections = hm_node_set_list(top, "sections"),
          *unknown = hm_node_set_list(top, "unknown");
  uint32_t from = 0;
  for (size_t s = 0; s < N_SEVERITIES; s++) {
    uint32_t to = from;
    while (to < l->n && part_of(l->rules[to].first) == WRONG &&
           severity_rank(l->rules[to].first->severity) == s)
      to++;
    if (from == to)
      continue;
    hm_node *section = hm_model_add_item(m, sections);
    hm_model_set_text(m, section, "severity", hm_str_c(severities[s].words));
    put_rules(m, hm_node_set_list(section, "rules"), l, from, to);
    from = to;
  }
  uint32_t gaps = from;
  while (gaps < l->n && part_of(l->rules[gaps].first) == SIMILAR)
    gaps++;
  put_rules(m, hm_node_set_list(top, "similar"), l, from, gaps);
  hm_node_set_bool(top, "has_similar", gaps > from);
  from = gaps;
  while (gaps < l->n && part_of(l->rules[gaps].first) == LOST)
    gaps++;
  put_rules(m, hm_node_set_list(top, "lost"), l, from, gaps);
  put_rules(m, unknown, l, gaps, l->n);
  hm_node_set_bool(top, "has_lost", gaps > from);
  hm_model_set_count(m, top, "n_gaps", m->v->counts.gaps);
  hm_model_set_count(m, top, "acked", m->v->counts.acked);
  hm_model_set_url(m, top, "conflicts_url", HM_STR("conflicts/README.md"), HM_EMPTY);
}

void hm_page_findings_part(hm_model *m, hm_node *top) {
  const rule_list *r = m->p->data;
  const hm_item_list_part *p = &r->list.parts[m->p->from];
  hm_str title = put_rule(m, top, r->first);
  if (r->list.n > 1)
    title = hm_str_fmt(m->a, "%.*s: %.*s", HM_FMT(title), HM_FMT(p->label));
  hm_model_set_heading(m, top, title, hm_str_fmt(m->a, "What the rule %.*s found", HM_FMT(title)));
  hm_model_set_ref(m, top, "index", HM_STR("Findings"), HM_STR("findings/README.md"), HM_EMPTY);
  hm_node *findings = hm_node_set_list(top, "findings");
  for (uint32_t i = p->from; i < p->to; i++)
    put_whole(m, findings, m->v->findings[r->list.order[i]]);
}

void hm_page_findings_parts(hm_model *m, hm_node *top) {
  const rule_list *r = m->p->data;
  hm_str title = put_rule(m, top, r->first);
  hm_model_set_heading(m, top, title, title);
  hm_model_set_parts(m, top, &r->list);
  hm_node_set_bool(top, "candidates", false);
}
