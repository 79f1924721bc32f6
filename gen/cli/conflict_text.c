/* See conflict_text.h. A conflict is shown from its JSON, so that both formats say the same. */
#include "gen/cli/conflict_text.h"
#include <stdio.h>
#include "core/base/text.h"
#include "core/detect/explain.h"
#include "gen/check/check.h"
#include "gen/cli/cli.h"

enum { VALUE_IN_LIST = 40, SIDES_SHOWN = 3, PAST_OF_ROW = 5, FINDINGS_OF_ROW = 10 };

const hm_json *hm_conflict_parse_answer(hm_cli *cli, const hm_conflict_answer *x) {
  hm_json *tree;
  return hm_json_parse(cli->a, x->shown.n ? x->shown : x->json, &tree, &cli->err) ? NULL : tree;
}

static hm_str text_of(const hm_json *o, const char *key) {
  const hm_json *v = hm_json_get(o, key);
  return v && (v->type == HM_JSON_STRING || v->type == HM_JSON_NUMBER) ? v->text : HM_EMPTY;
}

/* "disputed", "awaiting sign-off", "rule off", "resolved", "dismissed". */
static const char *conflict_state(const hm_json *conflict) {
  hm_str status = text_of(conflict, "status");
  if (hm_str_is(status, "resolved"))
    return "resolved";
  if (hm_str_is(status, "dismissed"))
    return "dismissed";
  if (hm_json_get_true(conflict, "rule_off"))
    return "rule off";
  if (hm_json_get_true(conflict, "disputed"))
    return "disputed";
  return text_of(conflict, "settled_by").n ? "settled by a later statement" : "awaiting sign-off";
}

static const char *conflict_style(const hm_cli *cli, const hm_json *conflict) {
  if (!hm_str_is(text_of(conflict, "status"), "open"))
    return cli->dim;
  return hm_json_get_true(conflict, "disputed") ? cli->yellow : cli->green;
}

const char *hm_conflict_slot_text(hm_cli *cli, const hm_json *conflict, size_t max) {
  hm_buf b = { 0 };
  const hm_json *key = hm_json_get(conflict, "slot_key");
  if (key)
    hm_json_write(&b, key);
  hm_str title = text_of(conflict, "title");
  hm_str t = title.n ? title : hm_slot_title(cli->a, hm_buf_view(&b), HM_EMPTY);
  const char *shown = hm_terminal_line(cli->a, t, max);
  hm_buf_free(&b);
  return shown;
}

void hm_print_conflict_line(hm_cli *cli, const hm_json *c) {
  printf("%s%s%s  %s%-9s%s  %s: %s\n", cli->bold, hm_terminal_line(cli->a, text_of(c, "id"), 40),
         cli->plain, conflict_style(cli, c), conflict_state(c), cli->plain,
         hm_conflict_slot_text(cli, c, 120),
         hm_terminal_line(cli->a, hm_conflict_format_values(cli->a, c, VALUE_IN_LIST), 240));
}

static void print_dispute(hm_cli *cli, const hm_row_dispute *d, int indent) {
  printf("%*s%s\xe2\x9a\xa0 disputed%s: conflict %s", indent, "", cli->yellow, cli->plain,
         hm_terminal_line(cli->a, d->conflict, 40));
  for (size_t i = 0; i < d->n_others && i < SIDES_SHOWN; i++)
    printf("%s%s (%s)", i ? "; " : ", others say ",
           hm_terminal_line(cli->a, d->others[i].value, VALUE_IN_LIST),
           hm_terminal_line(cli->a, d->others[i].ref, 80));
  printf("%s\n", d->n_others > SIDES_SHOWN ? "; ..." : "");
}

static void print_past(hm_cli *cli, const hm_past_value *p, int indent) {
  printf("%*s%s was %s", indent, "", hm_terminal_line(cli->a, p->field, 80),
         hm_terminal_line(cli->a, p->value, 200));
  if (p->until.n)
    printf(" until %s", hm_terminal_line(cli->a, hm_str_sub(p->until, 0, 10), 10));
  if (p->source.n)
    printf(" (%s)", hm_terminal_line(cli->a, p->source, 120));
  putchar('\n');
}

void hm_print_standing(hm_cli *cli, const hm_standing *s, int indent) {
  for (size_t i = 0; i < s->given.n_was && i < PAST_OF_ROW; i++)
    print_past(cli, &s->given.was[i], indent);
  for (size_t i = 0; i < s->n; i++)
    print_dispute(cli, &s->disputes[i], indent);
  if (s->inside)
    printf("%*s%s disputed inside\n", indent, "", hm_format_thousands(cli->a, (int64_t)s->inside));
  for (size_t i = 0; i < s->n_findings && i < FINDINGS_OF_ROW; i++)
    printf("%*sfinding %s, %s: %s\n", indent, "", hm_terminal_line(cli->a, s->findings[i]->id, 40),
           hm_terminal_line(cli->a, s->findings[i]->kind, 40),
           hm_terminal_line(cli->a, s->findings[i]->message, 300));
  if (s->n_findings > FINDINGS_OF_ROW)
    printf("%*sand %zu more findings\n", indent, "", s->n_findings - FINDINGS_OF_ROW);
}

/* "label: value" unless it is empty. */
static void print_detail(hm_cli *cli, const char *label, hm_str value) {
  if (value.n)
    printf("      %-9s %s\n", label, hm_terminal_line(cli->a, value, 0));
}

static void print_member(hm_cli *cli, const hm_json *m) {
  hm_str trust = text_of(m, "member_layer_trust"), against = text_of(m, "conflicts_with");
  printf("\n  %s[%.*s]%s %s:%s, %s\n", cli->bold, HM_FMT(trust), cli->plain,
         hm_terminal_line(cli->a, text_of(m, "member_kind"), 40),
         hm_terminal_line(cli->a, text_of(m, "member_id"), 200),
         hm_terminal_line(cli->a, text_of(m, "field"), 200));
  print_detail(cli, "value", text_of(m, "value"));
  print_detail(cli, "status", text_of(m, "status"));
  const hm_json *refs = hm_json_get(m, "source_refs");
  for (const hm_json *r = refs ? refs->child : NULL; r; r = r->next)
    print_detail(cli, "source", r->text);
  if (hm_json_get_true(m, "flagged"))
    printf("      %s%-9s disagrees with %s%s\n", cli->yellow, "flagged",
           against.n ? hm_terminal_line(cli->a, against, 200) : "a row of higher trust",
           cli->plain);
}

static void head(hm_cli *cli, const char *label, hm_str value) {
  if (value.n)
    printf("  %-13s %s\n", label, hm_terminal_line(cli->a, value, 0));
}

/* "2026-05-01T10:00:00Z  codex  memory:m1: REST (We use REST), overtaken by memory:m2" */
static void arc_line(hm_cli *cli, const hm_json *l) {
  hm_str at = text_of(l, "at"), agent = text_of(l, "agent"), words = text_of(l, "words"),
         by = text_of(l, "overtaken_by"), state = text_of(l, "state");
  printf("  %s", at.n ? hm_terminal_line(cli->a, at, 40) : "no time");
  if (agent.n)
    printf("  %s", hm_terminal_line(cli->a, agent, 40));
  printf("  %s: %s", hm_terminal_line(cli->a, text_of(l, "row"), 200),
         hm_terminal_line(cli->a, text_of(l, "value"), 0));
  if (words.n)
    printf(" (%s)", hm_terminal_line(cli->a, words, 200));
  if (by.n)
    printf(", overtaken by %s\n", hm_terminal_line(cli->a, by, 200));
  else
    puts(hm_str_is(state, "holds") ? ", holds" : ", overtaken");
}

void hm_print_conflict(hm_cli *cli, const hm_json *c) {
  printf("%s%s%s  %s%s%s\n%s\n\n", cli->bold, hm_terminal_line(cli->a, text_of(c, "id"), 40),
         cli->plain, conflict_style(cli, c), conflict_state(c), cli->plain,
         hm_conflict_slot_text(cli, c, 0));
  if (text_of(c, "question").n)
    printf("%s\n\n", hm_terminal_line(cli->a, text_of(c, "question"), 0));
  head(cli, "kind", text_of(c, "slot_kind"));
  head(cli, "rule", text_of(c, "rule"));
  head(cli, "since", text_of(c, "since"));
  head(cli, "detected at", text_of(c, "detected_at"));
  head(cli, "resolved at", text_of(c, "resolved_at"));
  head(cli, "resolved by", text_of(c, "resolved_by"));
  head(cli, "action", text_of(c, "action"));
  const hm_json *winners = hm_json_get(c, "winners");
  for (const hm_json *w = winners ? winners->child : NULL; w; w = w->next)
    head(cli, "winner", w->text);
  head(cli, "resolution", text_of(c, "resolution"));
  head(cli, "settled by", text_of(c, "settled_by"));
  const hm_json *arc = hm_json_get(c, "arc");
  if (arc)
    puts("");
  for (const hm_json *l = arc ? arc->child : NULL; l; l = l->next)
    arc_line(cli, l);
  const hm_json *members = hm_json_get(c, "members");
  for (const hm_json *m = members ? members->child : NULL; m; m = m->next)
    print_member(cli, m);
}

void hm_note_unrecorded(hm_cli *cli, size_t n) {
  if (n)
    hm_note(cli, "%s not recorded yet: run 'hmirror sweep'",
            hm_format_count_plural(cli->a, n, "dispute is", "disputes are"));
}

/* --- findings ------------------------------------------------------------------------- */

void hm_findings_json(hm_jw *w, const hm_finding *f, size_t n) {
  hm_jw_arr(w, "findings");
  for (size_t i = 0; i < n; i++)
    hm_finding_json(w, &f[i]);
  hm_jw_end(w);
}

/* The row in front, unless the message begins with it. */
static const char *finding_subject(hm_cli *cli, const hm_finding *f) {
  if (f->n_rows == 0 || hm_str_starts(f->message, hm_terminal_line(cli->a, f->rows[0], 80)))
    return "";
  return hm_str_fmt(cli->a, "%s: ", hm_terminal_line(cli->a, f->rows[0], 80)).p;
}

/* What is wrong, and then what nobody knows. */
void hm_print_findings(hm_cli *cli, const hm_finding *f, size_t n, size_t most) {
  size_t shown = 0;
  for (int gaps = 0; gaps < 2; gaps++)
    for (size_t i = 0; i < n && shown < most; i++) {
      if (hm_str_starts(f[i].rule, "gap/") != gaps)
        continue;
      printf("%s%s%s  %-5s  %s%s%s  %s  %s%s%s%s\n", cli->bold,
             hm_terminal_line(cli->a, f[i].id, 40), cli->plain,
             hm_terminal_line(cli->a, f[i].severity, 40), cli->cyan,
             gaps ? "not known" : hm_terminal_line(cli->a, f[i].kind, 40), cli->plain,
             f[i].project.n ? hm_terminal_line(cli->a, f[i].project, 60) : "global",
             finding_subject(cli, &f[i]), hm_terminal_line(cli->a, f[i].message, 300),
             f[i].acked ? "; acknowledged: " : "",
             f[i].acked ? hm_terminal_line(cli->a, f[i].ack->reason, 120) : "");
      shown++;
    }
  if (n > most)
    printf("and %s more: see --verbose or --format json\n",
           hm_format_thousands(cli->a, (n - most)));
}

/* "3 anachronism, 1 orphan"; what is no count is left out. */
static const char *kinds_text(hm_cli *cli, hm_str kinds) {
  hm_buf b = { 0 };
  hm_json *tree = NULL;
  if (hm_json_parse(cli->a, kinds, &tree, NULL))
    return "";
  for (const hm_json *k = tree->child; k; k = k->next) {
    if (k->type != HM_JSON_NUMBER)
      continue;
    hm_buf_c(&b, b.n ? ", " : "");
    hm_buf_str(&b, hm_text_cut(k->text, 20));
    hm_buf_ch(&b, ' ');
    hm_buf_str(&b, hm_text_cut(k->key, 40));
  }
  return hm_terminal_line(cli->a, hm_buf_take(&b, cli->a), 300);
}

void hm_print_sweep_run(hm_cli *cli, const hm_sweep_run *r) {
  hm_str at = r->finished_at.n ? r->finished_at : r->started_at;
  printf("  %-14s %s, %.3f s, %s\n", "last sweep", hm_terminal_line(cli->a, at, 40),
         (double)r->duration_us / 1e6, hm_format_count(cli->a, r->rows, "row"));
  printf("  %-14s %s opened, %s updated", "", hm_format_count(cli->a, r->opened, "conflict"),
         hm_format_thousands(cli->a, r->updated));
  if (r->rules)
    printf(", %s disputed; %s", hm_format_thousands(cli->a, r->disputed),
           hm_format_count(cli->a, r->rules, "rule"));
  const char *kinds = kinds_text(cli, r->kinds);
  printf("; %s%s%s", hm_format_count(cli->a, r->findings, "finding"), *kinds ? ": " : "", kinds);
  if (r->acknowledged)
    printf(", %s of them acknowledged", hm_format_thousands(cli->a, r->acknowledged));
  putchar('\n');
}

enum { TYPES_SHOWN = 8 };

static void type_list(hm_cli *cli, const hm_silence *s) {
  size_t shown = 0, left = 0;
  for (size_t i = 0; i < s->n; i++) {
    const hm_silence_type *t = &s->types[i];
    if (!t->silent)
      continue;
    if (shown == TYPES_SHOWN) {
      left++;
      continue;
    }
    printf("%s%s of %s %s", shown++ ? ", " : " (", hm_format_thousands(cli->a, t->silent),
           hm_format_thousands(cli->a, t->active),
           t->type.n ? hm_terminal_line(cli->a, t->type, 40) : "without a type");
  }
  if (left)
    printf(", and %s", hm_format_count(cli->a, left, "more type"));
  if (shown)
    printf(")");
}

void hm_print_silence(hm_cli *cli, const hm_silence *s) {
  static const char *const many[] = {
    [HM_MEMORY] = "memories", [HM_ENTITY] = "entities", [HM_STATE] = "states"
  };
  const char *sep = "";
  if (!(s->silent[HM_MEMORY] + s->silent[HM_ENTITY] + s->silent[HM_STATE]))
    return;
  printf("  %-14s ", "claim nothing");
  for (hm_layer l = HM_MEMORY; l <= HM_STATE; l++) {
    if (!s->silent[l])
      continue;
    printf("%s%s of %s active %s", sep, hm_format_thousands(cli->a, s->silent[l]),
           hm_format_thousands(cli->a, s->active[l]), many[l]);
    if (l == HM_MEMORY)
      type_list(cli, s);
    sep = "; ";
  }
  puts("");
}

void hm_note_silence(hm_cli *cli, const hm_silence *s) {
  if (!hm_silence_is_notable(s))
    return;
  hm_note(
      cli,
      "%s of %s active memories claim nothing, so nothing can contradict them: prose is not read "
      "unless it says "
      "'SUBJECT is VALUE' or the like; a slot_rule names what a memory is about (see 'hmirror "
      "health')",
      hm_format_thousands(cli->a, s->silent[HM_MEMORY]),
      hm_format_thousands(cli->a, s->active[HM_MEMORY]));
}

void hm_print_alike(hm_cli *cli, const hm_alike_row *v, size_t n) {
  if (n)
    puts("About the same thing, and no rule compared it:");
  for (size_t i = 0; i < n; i++) {
    hm_str differs = hm_alike_difference_words(v[i].differs, cli->a);
    printf("  %s  %s  (%s%s%s%s)\n", hm_terminal_line(cli->a, v[i].ref, 120),
           hm_terminal_line(cli->a, v[i].text, 200), differs.p, v[i].source.n ? ", " : "",
           v[i].source.n ? hm_terminal_line(cli->a, v[i].source, 60) : "",
           v[i].date.n ? hm_str_fmt(cli->a, ", %.*s", HM_FMT(v[i].date)).p : "");
  }
}
