/* Visits every text of the store, published or left out, so that a finished site can be searched
 * for texts that must not be in it. */
#include "core/review/links.h"
#include "core/detect/sql_rule.h"
#include "gen/page/model.h"
#include "view_private.h"

typedef struct {
  const hm_view *v;
  hm_arena *a;
  bool withheld;
  const hm_row *r;        /* of which row */
  const hm_row_detail *d; /* NULL: none */
  hm_view_text at;        /* whose text it is */
  hm_view_text_fn *each;
  void *ctx;
} text_visit;

static void visit_text(text_visit *t, const char *what, hm_str field, hm_str text) {
  if (!text.n)
    return;
  t->at.what = what;
  t->at.field = field;
  t->at.text = text;
  t->each(t->ctx, &t->at);
}

static void visit_strings(text_visit *t, const char *what, hm_str json) {
  hm_str *s;
  size_t n = hm_format_json_list(json, t->a, &s);
  for (size_t i = 0; i < n; i++)
    visit_text(t, what, HM_EMPTY, s[i]);
}

/* --- properties --------------------------------------------------------- */

/* Scalars of j; field: the outermost property. all: also those that no property hides. */
static void visit_json(text_visit *t, const hm_json *j, hm_str field, bool all) {
  if (j->type == HM_JSON_STRING || j->type == HM_JSON_NUMBER) {
    if (all)
      visit_text(t, "property", field, j->text);
    return;
  }
  for (const hm_json *c = j->child; c; c = c->next) {
    bool object = j->type == HM_JSON_OBJECT;
    bool hides = object && t->withheld && !all && hm_view_prop_hidden(t->v, c->key, t->a);
    visit_json(t, c, field.n || !object ? field : c->key, all || hides);
  }
}

/* "mass: 4.8 kg" is what a page says of a property. */
static void visit_pair(text_visit *t, hm_str name, const hm_json *value) {
  hm_str text = hm_format_json(value, t->a);
  visit_text(t, "property", value->key, hm_str_fmt(t->a, "%.*s: %.*s", HM_FMT(name), HM_FMT(text)));
}

static void visit_shown_props(text_visit *t, const hm_row *r, const hm_json *props) {
  for (const hm_json *p = props->child; p; p = p->next) {
    visit_text(t, "property", p->key, p->key);
    visit_pair(t, p->key, p);
    if (r->name.n)
      visit_pair(t, r->name, p);
  }
}

static void visit_props(text_visit *t, bool hidden) {
  const hm_row *r = t->r;
  hm_json *raw = NULL;
  hm_str text = r->layer == HM_STATE ? r->text : r->props;
  if (!text.n || (r->layer == HM_STATE && !r->value_is_json) ||
      hm_json_parse(t->a, text, &raw, NULL)) {
    if (hidden && r->layer != HM_STATE)
      visit_text(t, "properties", HM_EMPTY, text);
    return;
  }
  if (t->withheld) {
    visit_json(t, raw, HM_EMPTY, hidden);
    return;
  }
  const hm_json *shown = hm_view_filter_json(t->v, raw, t->a);
  visit_json(t, shown, HM_EMPTY, true);
  if (shown->type == HM_JSON_OBJECT)
    visit_shown_props(t, r, shown);
}

/* --- rows --------------------------------------------------------------- */

static void visit_detail(text_visit *t) {
  const hm_row *r = t->r;
  const hm_row_detail *d = t->d;
  if (!d)
    return;
  visit_strings(t, "source", d->source_refs);
  visit_strings(t, "tag", r->tags);
  visit_text(t, "scope", HM_EMPTY, r->scope);
  visit_text(t, "agent", HM_EMPTY, r->agent);
  visit_text(t, "via", HM_EMPTY, d->via);
  if (t->withheld)
    return;
  visit_text(t, "time", HM_EMPTY, d->superseded_at);
  visit_text(t, "time", HM_EMPTY, r->updated_at);
}

/* A page names a row by its anchor, and a field of another row by "entity:ID". Lists say the type
 * behind a name: "frame, Material". */
static void visit_shown_only(text_visit *t, const hm_row *r) {
  visit_text(t, "reference", HM_EMPTY,
             hm_str_fmt(t->a, "%s:%.*s", hm_layer_name(r->layer), HM_FMT(r->id)));
  visit_text(t, "name", HM_EMPTY, hm_str_fmt(t->a, "%.*s, %.*s", HM_FMT(r->name), HM_FMT(r->type)));
  const hm_str times[] = { r->valid_from, r->valid_until, r->created_at };
  for (size_t i = 0; i < HM_COUNT(times); i++)
    visit_text(t, "time", HM_EMPTY, times[i]);
  visit_text(t, "type", HM_EMPTY, r->type);
  if (r->layer == HM_STATE)
    visit_text(t, "value", HM_EMPTY,
               hm_str_fmt(t->a, "%.*s: %.*s", HM_FMT(r->name), HM_FMT(r->text)));
}

/* "Leg PART_OF Frame", "PART_OF → Frame", "knowledge: The leg is blue.", ", Component, Polisher".
 */
static void visit_composed(text_visit *t, uint32_t row) {
  const hm_row *r = t->r;
  const hm_view *v = t->v;
  const hm_project *p = &v->snap->projects[r->project];
  hm_str project = p->name.n ? p->name : p->id;
  visit_text(t, "words", HM_EMPTY, hm_view_row_words(v, row, t->a));
  visit_text(t, "words", HM_EMPTY,
             hm_str_fmt(t->a, "%.*s: %.*s", HM_FMT(r->type), HM_FMT(hm_view_label(v, row, t->a))));
  visit_text(t, "words", HM_EMPTY,
             hm_str_fmt(t->a, "%.*s, %.*s, %.*s", HM_FMT(hm_view_label(v, row, t->a)),
                        HM_FMT(r->type), HM_FMT(project)));
  visit_text(t, "words", HM_EMPTY, hm_str_fmt(t->a, "%.*s / %.*s", HM_FMT(p->id), HM_FMT(r->name)));
  visit_text(t, "words", HM_EMPTY,
             hm_str_fmt(t->a, "%.*s: %.*s \u00b7 %.*s \u00b7 %.*s", HM_FMT(project),
                        HM_FMT(hm_view_label(v, row, t->a)), HM_FMT(project),
                        HM_FMT(v->opt.title)));
  if (r->layer != HM_RELATION)
    return;
  hm_str from = hm_view_relation_end_name(v, r->from, t->a),
         to = hm_view_relation_end_name(v, r->to, t->a);
  visit_text(t, "words", HM_EMPTY,
             hm_str_fmt(t->a, "%.*s %.*s %.*s", HM_FMT(from), HM_FMT(r->type), HM_FMT(to)));
}

static void visit_row(text_visit *t) {
  const hm_row *r = t->r;
  visit_text(t, "id", HM_EMPTY, r->id);
  visit_text(t, r->layer == HM_STATE ? "key" : "name", HM_EMPTY, r->name);
  if (!r->value_is_json)
    visit_text(t,
               r->layer == HM_MEMORY      ? "content"
                   : r->layer == HM_STATE ? "value"
                                          : "description",
               HM_EMPTY, r->text);
  visit_text(t, "slot", HM_EMPTY, r->slot_rule);
  visit_detail(t);
  if (!t->withheld)
    visit_shown_only(t, r);
}

/* What sources say of a row that is not left out, or was it for their sake. */
static void visit_sources(text_visit *t, uint32_t row) {
  const hm_snapshot *all = t->v->all;
  size_t n;
  const hm_evidence *e = t->v->reduced[row] ? hm_snapshot_evidence(all, row, &n) : NULL;
  for (size_t i = 0; e && i < n; i++) {
    if (t->v->kept[(size_t)(e - all->evidence) + i])
      continue;
    t->r = &e[i].as;
    t->d = &e[i].detail;
    visit_row(t);
    visit_text(t, "type", HM_EMPTY, t->r->type);
    visit_props(t, true);
  }
}

/* What each source says of a row that is shown: where they differ, pages tell it. */
static void visit_kept_sources(text_visit *t, uint32_t row) {
  size_t n;
  const hm_evidence *e = hm_snapshot_evidence(t->v->snap, row, &n);
  for (size_t i = 0; e && i < n; i++) {
    t->r = &e[i].as;
    t->d = &e[i].detail;
    visit_row(t);
    visit_props(t, false);
  }
}

void hm_view_visit_row_texts(const hm_view *v, uint32_t row, bool withheld, hm_arena *a,
                             hm_view_text_fn *each, void *ctx) {
  text_visit t = {
    .v = v, .a = a, .withheld = withheld, .at = { .row = row }, .each = each, .ctx = ctx
  };
  bool hidden = v->hidden[row];
  if (withheld)
    visit_sources(&t, row);
  if (withheld ? !hidden && !v->n_props : !hm_view_listed(v, row))
    return;
  const hm_snapshot *s = withheld ? v->all : v->snap;
  t.r = &s->rows[row];
  t.d = s->details ? &s->details[row] : NULL;
  if (withheld == hidden)
    visit_row(&t);
  if (!withheld)
    visit_composed(&t, row);
  visit_props(&t, hidden);
  if (!withheld)
    visit_kept_sources(&t, row);
}

/* --- what pages compose of published texts ------------------------------------------------------
 */

static hm_str project_name(const hm_view *v, hm_str id) {
  for (size_t i = 0; i < v->snap->n_projects; i++)
    if (hm_str_eq(v->snap->projects[i].id, id))
      return v->snap->projects[i].name.n ? v->snap->projects[i].name : id;
  return id;
}

/* "Spindle speed", "p06 / spindle_speed", "PEEK / PTFE", the question. */
static void visit_conflict_words(text_visit *t, const hm_vconflict *c) {
  const hm_view *v = t->v;
  hm_conflict_story story;
  hm_str name = project_name(v, c->rec->project), joined = HM_EMPTY;
  t->at = (hm_view_text){ .row = HM_NONE, .owner = c->rec->id, .kind = "conflict" };
  if (!c->named)
    return;
  visit_text(t, "title", HM_EMPTY,
             hm_str_fmt(t->a, "Conflict: %.*s \u00b7 %.*s \u00b7 %.*s",
                        HM_FMT(hm_conflict_title(v, c->rec, t->a)), HM_FMT(name),
                        HM_FMT(v->opt.title)));
  visit_text(t, "title", HM_EMPTY, hm_slot_title(t->a, c->rec->slot_key, HM_EMPTY));
  visit_text(t, "title", HM_EMPTY, c->title);
  for (size_t i = 0; i < c->rec->n_members; i++)
    if (hm_view_member_shown(v, &c->rec->members[i], t->a))
      joined = HM_CAT(t->a, joined, joined.n ? HM_STR(" / ") : HM_EMPTY, c->rec->members[i].value);
  visit_text(t, "claims", HM_EMPTY, joined);
  if (!c->dispute || !hm_view_find_story(v, c, t->a, &story))
    return;
  visit_text(t, "question", HM_EMPTY, story.question);
  visit_text(t, "question", HM_EMPTY, hm_conflict_story_ask(&story, name, t->a));
}

/* A rule in SQL may tell anything, and counts for nothing. */
static void visit_findings(text_visit *t) {
  for (size_t i = 0; i < t->v->n_findings; i++) {
    const hm_finding *f = t->v->findings[i];
    t->at = (hm_view_text){ .row = HM_NONE, .owner = f->id, .kind = "finding" };
    if (hm_sql_rule_named(t->v->rules->sql, f->rule))
      continue;
    hm_str subject = hm_view_finding_subject(t->v, f, t->a);
    visit_text(t, "message", HM_EMPTY, f->message);
    visit_text(
        t, "message", HM_EMPTY,
        HM_CAT(t->a, subject, HM_STR(": "), hm_view_finding_message(t->v, f, subject, t->a)));
    visit_text(t, "expected", HM_EMPTY, f->expected);
    visit_text(t, "actual", HM_EMPTY, f->actual);
    visit_text(t, "reason", HM_EMPTY, f->reason);
  }
}

/* --- what is no row ------------------------------------------------------ */

static bool is_hidden_ref(const hm_view *v, hm_str ref) {
  uint32_t row = hm_snapshot_ref(v->snap, HM_MEMORY, ref);
  return row != HM_NONE && v->hidden[row];
}

/* Why somebody flagged a row, and what a model asked about some. */
static void visit_remarks(text_visit *t) {
  const hm_snapshot *s = t->v->snap;
  for (size_t i = 0; i < s->n_remarks[HM_REMARK_FLAG]; i++) {
    const hm_remark *r = &s->remarks[HM_REMARK_FLAG][i];
    t->at = (hm_view_text){ .row = HM_NONE, .owner = r->id, .kind = "flag" };
    if (is_hidden_ref(t->v, r->subject) != t->withheld)
      continue;
    visit_text(t, "reason", HM_EMPTY, r->reason);
    visit_text(t, "actor", HM_EMPTY, r->by);
  }
  for (size_t i = 0; i < s->n_proposals; i++) {
    const hm_proposal *p = &s->proposals[i];
    bool hidden = false;
    for (size_t k = 0; k < p->n; k++)
      hidden |= is_hidden_ref(t->v, p->rows[k]);
    t->at = (hm_view_text){ .row = HM_NONE, .owner = p->id, .kind = "proposal" };
    if (hidden == t->withheld)
      visit_text(t, "question", HM_EMPTY, p->question);
  }
}

static void visit_project(text_visit *t, const hm_project *p) {
  t->at = (hm_view_text){ .row = HM_NONE, .owner = p->id, .kind = "project" };
  visit_text(t, "id", HM_EMPTY, p->id);
  visit_text(t, "name", HM_EMPTY, p->name);
  visit_text(t, "description", HM_EMPTY, p->description);
  for (size_t i = 0; i < p->n_aliases; i++)
    visit_text(t, "alias", HM_EMPTY, p->aliases[i]);
}

/* A verdict in words may speak of any side. */
static void visit_conflict(text_visit *t, const hm_conflict_rec *c) {
  bool some_hidden = false;
  t->at = (hm_view_text){ .row = HM_NONE, .owner = c->id, .kind = "conflict" };
  for (size_t i = 0; i < c->n_members; i++) {
    bool shown = hm_view_member_shown(t->v, &c->members[i], t->a);
    some_hidden |= !shown;
    if (shown != t->withheld)
      visit_text(t, "claim", c->members[i].field, c->members[i].value);
  }
  if (some_hidden == t->withheld)
    visit_text(t, "resolution", HM_EMPTY, c->resolution);
  if (!t->withheld)
    visit_text(t, "verdict", HM_EMPTY, c->resolved_by);
}

void hm_view_visit_other_texts(const hm_view *v, bool withheld, hm_arena *a, hm_view_text_fn *each,
                               void *ctx) {
  text_visit t = { .v = v, .a = a, .withheld = withheld, .each = each, .ctx = ctx };
  for (size_t i = 0; i < v->snap->n_projects; i++)
    if (withheld ? v->project_hidden[i] : v->project_of[i] != HM_NONE)
      visit_project(&t, &v->snap->projects[i]);
  for (size_t i = 0; i < v->snap->n_links; i++) {
    const hm_link *l = &v->snap->links[i];
    if ((is_hidden_ref(v, l->src) || is_hidden_ref(v, l->dst)) != withheld)
      continue;
    /* A word that every mirror has gives nothing away. */
    if (withheld && hm_rel_is_known(v->snap->links[i].rel))
      continue;
    t.at = (hm_view_text){ .row = HM_NONE, .owner = v->snap->links[i].src, .kind = "link" };
    visit_text(&t, "relation", HM_EMPTY, v->snap->links[i].rel);
  }
  for (size_t i = 0; i < v->snap->n_conflicts; i++)
    visit_conflict(&t, &v->snap->conflicts[i]);
  visit_remarks(&t);
  if (withheld)
    return;
  for (uint32_t i = 0; i < v->n_conflicts; i++)
    visit_conflict_words(&t, &v->conflicts[i]);
  visit_findings(&t);
  t.at = (hm_view_text){ .row = HM_NONE, .owner = v->opt.title, .kind = "mirror" };
  visit_text(&t, "title", HM_EMPTY, v->opt.title);
}

bool hm_view_withholds(const hm_view *v) { return v->any_hidden; }
