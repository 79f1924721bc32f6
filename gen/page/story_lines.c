/* The story of a conflict of texts, on pages: its question with what each answer would record, and
 * its arc, a line for each claim in order of time.
 *
 * A claim that is left out is only counted: pages show neither its line, its value, nor what it
 * overtook. The question uses only shown claims. Lists are cut, so the cost of a page is
 * bounded. */
#include "model.h"

enum {
  LINES_SHOWN = 200,
  VALUES_SHOWN = 20,
  AROUND = 160,
  WORDS_SHOWN = 400,
  ARC_BYTES = HM_PART_BYTES / 3
};

typedef struct {
  const hm_view *v;
  hm_arena *a;
} seen_by;

static bool is_shown(void *ctx, const hm_claim *c) {
  const seen_by *s = ctx;
  return hm_view_claim_shown(s->v, c, s->a);
}

bool hm_view_find_story(const hm_view *v, const hm_vconflict *c, hm_arena *a,
                        hm_conflict_story *out) {
  hm_story_filter f = { is_shown, &(seen_by){ v, a } };
  if (!hm_conflict_story_build(v->snap, c->dispute, &f, a, out))
    return false;
  for (size_t i = 0; i < out->n; i++)
    if (!hm_view_bounds_shown(v, out->lines[i].claim))
      out->lines[i].at = HM_TIME_MIN;
  return true;
}

/* --- what a later statement overtook ------------------------------------------------------- */

static const hm_overtaken *settled_by(hm_model *m, const hm_vconflict *c) {
  const hm_overtaken *by = hm_conflict_find_settling_claim(m->v->sweep, c->rec, m->a);
  return by && is_shown(&(seen_by){ m->v, m->a }, by->by) ? by : NULL;
}

void hm_model_set_settled_later(hm_model *m, hm_node *item, const hm_vconflict *c) {
  if (settled_by(m, c))
    hm_node_set_bool(item, "settled_later", true);
  else
    hm_node_set_bool(item, "settled_later", false);
}

/* Of a claim of the row; false: nobody that shows overtook it, or it is the same claim in the slot
 * of the text's own words. */
static bool is_told(hm_model *m, const hm_overtaken *o) {
  seen_by s = { m->v, m->a };
  const hm_story_claim *said = o->claim->said;
  return o->by && !(said && said->spelled) && is_shown(&s, o->claim) && is_shown(&s, o->by);
}

void hm_model_add_overtaken_lines(hm_model *m, hm_node *lines, uint32_t row) {
  size_t n, left = HM_REFS;
  const hm_overtaken *of = hm_overtaken_find_by_row(m->v->sweep->disputes, row, &n);
  for (size_t i = 0; i < n && left; i++) {
    if (!is_told(m, &of[i]))
      continue;
    hm_node *ref =
        hm_model_add_item(m, hm_node_set_list(hm_model_add_line(m, lines, "Overtaken by"), "refs"));
    hm_model_set_row_link_fields(m, ref, of[i].by->row);
    hm_model_set_text(m, ref, "note",
                      hm_str_fmt(m->a, "%.*s is no longer the last word: %s",
                                 HM_FMT(hm_shorten(m->a, of[i].claim->value.raw, 80)),
                                 hm_arc_state_reason(of[i].state)));
    hm_model_set_raw(m, ref, "sep", HM_STR(" "));
    left--;
  }
}

void hm_model_set_overtaken(hm_model *m, hm_node *item, uint32_t row) {
  size_t n, shown = 0;
  const hm_overtaken *of = hm_overtaken_find_by_row(m->v->sweep->disputes, row, &n);
  hm_node *list = hm_node_set_list(item, "overtaken");
  for (size_t i = 0; i < n && shown < HM_REFS; i++) {
    if (!is_told(m, &of[i]))
      continue;
    hm_node *ref = hm_model_add_item(m, list);
    hm_model_set_row_link_fields(m, ref, of[i].by->row);
    hm_model_set_short(m, ref, "value", of[i].claim->value.raw, 80);
    hm_model_set_text(m, ref, "why", hm_str_c(hm_arc_state_reason(of[i].state)));
    hm_model_set_raw(m, ref, "sep", shown++ ? HM_STR("; ") : HM_STR(" — "));
  }
}

/* --- the arc ------------------------------------------------------------------------------ */

/* The last bytes of a text, from the beginning of a character on. */
static hm_str tail_of(hm_model *m, hm_str s) {
  if (s.n <= AROUND)
    return s;
  size_t from = s.n - AROUND;
  while (from < s.n && ((unsigned char)s.p[from] & 0xC0) == 0x80)
    from++;
  return HM_CAT(m->a, HM_STR("…"), hm_str_sub(s, from, s.n));
}

/* before, words, after: the words that made the claim, within the text where they stand in it; of
 * what is no text, the label of its row. */
static void put_quote(hm_model *m, hm_node *item, const hm_claim *c) {
  hm_str text = c->said ? c->said->text : HM_EMPTY;
  hm_str words = c->said ? c->said->claim.words : HM_EMPTY;
  bool inside = words.n && words.p >= text.p && words.p + words.n <= text.p + text.n;
  size_t at = inside ? (size_t)(words.p - text.p) : 0;
  hm_str before = inside ? hm_str_sub(text, 0, at) : HM_EMPTY;
  if (!c->said)
    before = hm_view_label(m->v, c->row, m->a);
  hm_str after = inside ? hm_str_sub(text, at + words.n, text.n) : HM_EMPTY;
  bool space_before = before.n && before.p[before.n - 1] == ' ';
  bool space_after = after.n && after.p[0] == ' ';
  hm_model_set_text(m, item, "before", hm_clean_text(m->a, tail_of(m, before)));
  hm_model_set_raw(m, item, "before_sep", space_before ? HM_STR(" ") : HM_EMPTY);
  hm_model_set_short(m, item, "words", words, WORDS_SHOWN);
  hm_model_set_raw(m, item, "after_sep", space_after ? HM_STR(" ") : HM_EMPTY);
  hm_model_set_short(m, item, "after", after, AROUND);
}

/* A link to the row that is called by its id: its text stands beside it. */
static void put_row(hm_model *m, hm_node *item, const char *key, uint32_t row) {
  const hm_row *r = &m->v->snap->rows[row];
  hm_node *ref = hm_node_set_obj(item, key);
  hm_model_set_row_link_fields(m, ref, row);
  hm_model_set_text(m, ref, "label", hm_link_label(m->a, hm_ref_text(m->a, r->layer, r->id), 80));
}

static void put_line(hm_model *m, hm_node *list, const hm_story_line *l) {
  const hm_story_claim *said = l->claim->said;
  const hm_row *r = &m->v->snap->rows[l->claim->row];
  hm_node *item = hm_model_add_item(m, list);
  hm_str at = hm_time_iso(m->a, l->at);
  if (hm_str_ends(at, "T00:00:00Z"))
    at.n = sizeof "2026-04-02" - 1;
  hm_model_set_date(m, item, "at", at);
  hm_model_set_date(m, item, "imported", l->at == HM_TIME_MIN ? r->created_at : HM_EMPTY);
  const hm_evidence *by = hm_view_claim_source(m->v, l->claim, m->a);
  hm_str agent = by && by != l->claim->said_by ? by->as.agent : said ? said->agent : HM_EMPTY;
  hm_model_set_short(m, item, "agent", agent, 80);
  put_quote(m, item, l->claim);
  hm_model_set_short(m, item, "value", l->claim->value.raw, 200);
  put_row(m, item, "row", l->claim->row);
  hm_node_set_bool(item, "member", l->party);
  hm_model_set_text(m, item, "status",
                    r->status == HM_ACTIVE ? HM_EMPTY : hm_str_c(hm_status_name(r->status)));
  hm_node_set_bool(item, "holds", l->state == HM_ARC_HOLDS);
  hm_node_set_bool(item, "by_withheld", l->by_withheld);
  hm_node_set_bool(item, "by", false);
  if (l->by)
    put_row(m, item, "by", l->by->row);
  hm_model_set_text(m, item, "why",
                    l->by_withheld ? HM_EMPTY : hm_str_c(hm_arc_state_reason(l->state)));
}

static void put_arc(hm_model *m, hm_node *top, const hm_conflict_story *s) {
  hm_node *list = hm_node_set_list(top, "arc");
  size_t end = m->bytes + ARC_BYTES, i = 0;
  for (; i < s->n && i < LINES_SHOWN && !hm_model_is_full(m, end); i++)
    put_line(m, list, &s->lines[i]);
  hm_node_set_bool(top, "more_arc", i < s->n);
  hm_str withheld = HM_EMPTY;
  if (s->withheld)
    withheld = hm_format_count_phrase(m->a, s->withheld, "claim withheld", "claims withheld");
  hm_model_set_text(m, top, "arc_withheld", withheld);
}

/* --- question, answers, values ------------------------------------------------------------ */

static bool may_stand(hm_model *m, const hm_claim *c) {
  return m->v->snap->rows[c->row].status == HM_ACTIVE;
}

static void put_answer(hm_model *m, hm_node *list, const hm_claim *c, const char *answer) {
  const hm_row *r = &m->v->snap->rows[c->row];
  hm_str member = hm_format_shell_word(m->a, hm_ref_text(m->a, r->layer, r->id));
  hm_node *item = hm_model_add_item(m, list);
  hm_model_set_text(m, item, "answer", hm_str_c(answer));
  hm_model_set_short(m, item, "value", c->value.raw, 80);
  hm_model_set_raw(m, item, "member", member.n ? member : HM_STR("MEMBER"));
}

/* Each value that an active row says may stand. Where the question asks for one, that is "yes" and
 * comes first, and the others are "no". */
static void put_answers(hm_model *m, hm_node *top, const hm_conflict_story *s) {
  hm_node *list = hm_node_set_list(top, "answers");
  bool asked = s->in_doubt != HM_STORY_NO_VALUE;
  size_t shown = 0;
  if (asked && may_stand(m, s->values[s->in_doubt].best))
    put_answer(m, list, s->values[s->in_doubt].best, "Yes");
  for (size_t i = 0; i < s->n_values && shown < VALUES_SHOWN; i++) {
    const hm_story_value *v = &s->values[i];
    if (i == s->in_doubt || !may_stand(m, v->best))
      continue;
    put_answer(m, list, v->best, asked ? "No" : "");
    shown++;
  }
}

/* Where several rows say the same, they are one value with several sources. */
static void put_values(hm_model *m, hm_node *top, const hm_conflict_story *s) {
  bool several = false;
  for (size_t i = 0; i < s->n_values; i++)
    several = several || s->values[i].n_rows > 1;
  hm_node_set_bool(top, "corroborated", several);
  hm_node *list = hm_node_set_list(top, "values");
  for (size_t i = 0; several && i < s->n_values && i < VALUES_SHOWN; i++) {
    hm_node *item = hm_model_add_item(m, list);
    hm_model_set_short(m, item, "value", s->values[i].best->value.raw, 80);
    hm_model_set_text(m, item, "said_by", hm_story_describe_speakers(s, (uint32_t)i, m->a));
  }
}

/* The question as commands ask it, with the name of its project in place of the id. */
static hm_str question_of(hm_model *m, const hm_conflict_story *s) {
  bool known;
  hm_str id = m->v->snap->projects[s->text->project].id;
  uint32_t project = hm_view_project(m->v, id, &known);
  hm_str label = project != HM_NONE ? hm_shorten(m->a, m->v->projects[project].label, 120) : id;
  return id.n ? hm_conflict_story_ask(s, label, m->a) : s->question;
}

void hm_model_set_conflict_story(hm_model *m, hm_node *top, const hm_vconflict *c) {
  hm_conflict_story s;
  const hm_overtaken *by = settled_by(m, c);
  hm_model_set_settled_later(m, top, c);
  hm_node_set_bool(top, "settled_by", false);
  if (by)
    put_row(m, top, "settled_by", by->by->row);
  if (by)
    hm_model_set_text(m, top, "settled_why", hm_str_c(hm_arc_state_reason(by->state)));
  if (!hm_view_find_story(m->v, c, m->a, &s)) {
    static const char *const none[] = { "question",     "answers",      "arc",   "more_arc",
                                        "arc_withheld", "corroborated", "values" };
    for (size_t i = 0; i < HM_COUNT(none); i++)
      hm_node_set_bool(top, none[i], false);
    return;
  }
  hm_model_set_short(m, top, "question", question_of(m, &s), 600);
  put_answers(m, top, &s);
  put_arc(m, top, &s);
  put_values(m, top, &s);
}
