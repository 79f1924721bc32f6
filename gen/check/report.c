/* A report in the making: its rules, its items, their order; and what each item says in all
 * formats. What it holds is in check.h. */
#include "gen/check/report_impl.h"

#include <stdlib.h>

#include "core/base/credential.h"
#include "core/base/digest.h"

const hm_report_rule hm_report_rules[HM_N_REPORT_RULES] = {
  [HM_R_DISPUTED] = { "disputed", "DisputedField", "\u26A0 disputed",
                      "Recorded facts contradict each other about a field.",
                      "Open the conflict's page for all sides. A person settles it: hmirror "
                      "conflicts resolve or dismiss.",
                      HM_WARNING, HM_SUITE_CONFLICTS,
                      "Lines of the files, or the tree itself, contradict each other.",
                      "Correct one of the lines, or settle it behind the line: <!-- hmirror: ok "
                      "REASON -->" },
  [HM_R_SIGNOFF] = { "sign-off", "AwaitingSignOff", "awaiting sign-off",
                     "A conflict is open although its claims no longer disagree.",
                     "A person closes it: hmirror conflicts resolve or dismiss.", HM_NOTE,
                     HM_SUITE_CONFLICTS },
  [HM_R_LINK] = { "broken-link", "BrokenLink", "broken link",
                  "A link of a page leads to no file of the site.",
                  "Correct the link in the template or the static file that it comes from.",
                  HM_ERROR, HM_SUITE_LINKS },
  [HM_R_ANCHOR] = { "missing-anchor", "MissingAnchor", "missing anchor",
                    "A link leads to a page that has no such anchor.",
                    "Correct the link, or give the page an element with that id.", HM_ERROR,
                    HM_SUITE_LINKS },
  [HM_R_LEAK] = { "leak", "Leak", "leak",
                  "A file of the site holds what publish.exclude leaves out.",
                  "Take it out of the template or the static file; what may be published is "
                  "listed in check.public.",
                  HM_ERROR, HM_SUITE_LEAKS },
  [HM_R_SECRET] = { "live-secret", "LiveSecret", "live secret",
                    "A published fact looks like a live secret: a key, a token, a password.",
                    "Change it where it is used, since it has been seen; then take it out of the "
                    "store with hmirror redact.",
                    HM_WARNING, HM_SUITE_FINDINGS },
  [HM_R_ANACHRONISM] = { "anachronism", "Anachronism", "anachronism",
                         "Facts whose times cannot all be right.", "Correct the times of the rows.",
                         HM_NOTE, HM_SUITE_FINDINGS },
  [HM_R_ONTOLOGY] = { "ontology-violation", "OntologyViolation", "ontology violation",
                      "A row cannot be read as its type says.", "Correct the row.", HM_NOTE,
                      HM_SUITE_FINDINGS },
  [HM_R_ORPHAN] = { "orphan", "Orphan", "orphan", "A row refers to nothing.",
                    "Correct the reference, or add what it means.", HM_NOTE, HM_SUITE_FINDINGS },
  [HM_R_STALE] = { "stale", "StaleClaim", "stale claim",
                   "A claim that nobody has confirmed for long.",
                   "Confirm the row or supersede it.", HM_NOTE, HM_SUITE_FINDINGS },
  [HM_R_RECORD] = { "decision-record", "DecisionRecord", "record of a decision",
                    "Records of decisions do not fit each other: numbers, supersessions, an index.",
                    "Correct one of the records, or the index.", HM_WARNING, HM_SUITE_FINDINGS },
  [HM_R_PART] = { "other-in-part", "OtherInPart", "otherwise for a part",
                  "Notes of a part of a project say otherwise than those of the whole.",
                  "Correct one of the notes, or say why the part differs.", HM_NOTE,
                  HM_SUITE_FINDINGS },
  [HM_R_FINDING] = { "finding", "Finding", "finding", "Something else that a reader must know.",
                     "See the row.", HM_NOTE, HM_SUITE_FINDINGS },
};

void hm_report_add(hm_report_list *l, hm_report_item item) {
  l->v = hm_array_grow_in(l->a, l->v, l->n, &l->cap, sizeof *l->v);
  item.project = hm_credential_hide(item.project, l->a);
  item.subject = hm_credential_hide(item.subject, l->a);
  item.detail = hm_credential_hide(item.detail, l->a);
  l->v[l->n++] = item;
}

hm_str hm_report_make_item_id(hm_arena *a, const hm_str *parts) {
  hm_sha256 h;
  hm_sha256_init(&h);
  for (; parts->p; parts++)
    hm_sha256_field(&h, *parts);
  return hm_sha256_hex(&h, a, 16);
}

static int by_place(const void *x, const void *y) {
  const hm_report_item *a = x, *b = y;
  if (a->rule != b->rule)
    return a->rule < b->rule ? -1 : 1;
  int c = hm_str_cmp(a->path, b->path);
  if (c)
    return c;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  c = hm_str_cmp(a->id, b->id);
  return c ? c : hm_str_cmp(a->detail, b->detail);
}

void hm_report_finish(hm_report *r, hm_report_list *l) {
  size_t listed[HM_N_REPORT_RULES] = { 0 };
  if (l->n)
    qsort(l->v, l->n, sizeof *l->v, by_place);
  for (size_t i = 0; i < l->n; i++) {
    hm_report_item *item = &l->v[i];
    item->level = item->fails ? HM_ERROR : hm_report_rules[item->rule].level;
    r->fails |= item->fails;
    listed[item->rule]++;
  }
  for (int k = 0; k < HM_N_REPORT_RULES; k++)
    if (r->found[k] < listed[k])
      r->found[k] = listed[k];
  r->items = l->v;
  r->n = l->n;
}

/* --- what items say --------------------------------------------------------------------------- */

const char *const report_level_names[] = {
  [HM_NOTE] = "note", [HM_WARNING] = "warning", [HM_ERROR] = "error"
};

hm_str report_path(const hm_format_options *o, hm_str path, hm_arena *a) {
  return HM_CAT(a, o->prefix, path);
}

hm_str report_message(const hm_report_item *i, hm_arena *a) {
  return hm_str_fmt(a, "%s: %.*s%s%.*s%s", hm_report_rules[i->rule].title, HM_FMT(i->subject),
                    i->detail.n ? ": " : "", HM_FMT(i->detail), i->fresh ? " (new)" : "");
}

const char *report_help(const hm_report *r, const hm_report_rule *rule) {
  return r->of_files && rule->help_files ? rule->help_files : rule->help;
}

const char *report_said(const hm_report_side *s) {
  return s->settled ? "is settled there: " : s->text.n ? "says " : "";
}

/* Is the side a line that is open? */
static bool is_open_line(const hm_report_side *s) { return !s->nowhere && !s->settled; }

bool report_shows_at(const hm_report_item *i, const hm_report_side *side) {
  bool all = true;
  for (const hm_report_side *s = i->sides; s < i->sides + i->n_sides; s++)
    all = all && (s->untouched || !is_open_line(s));
  return is_open_line(side) && (all || !side->untouched);
}

const char *report_line(size_t line, hm_arena *tmp) {
  return line ? hm_str_fmt(tmp, ":%zu", line).p : "";
}

const char *report_side_line(const hm_report_side *s, hm_arena *tmp) {
  return report_line(s->nowhere ? 0 : s->line, tmp);
}

hm_str report_settled_text(const hm_report_settled *s, const hm_format_options *o, hm_arena *a) {
  return hm_str_fmt(a, "%.*s%s is settled %s%s%.*s%s: %.*s", HM_FMT(report_path(o, s->path, a)),
                    report_line(s->line, a), s->conflict.n ? "by a verdict" : "there",
                    s->against.n ? " against " : s->aside, HM_FMT(s->against),
                    s->later ? " and all later values" : "", HM_FMT(s->reason));
}
