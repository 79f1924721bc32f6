/* Which published fields hold a live secret: live_secrets.h.
 *
 * All rows are searched as they are stored, on all cores; only of a row in which something is found
 * are the published texts searched one by one, so that what publish.exclude leaves out is never
 * spoken of. */
#include "gen/check/live_secrets.h"

#include <string.h>

#include "core/base/par.h"

enum { ROWS_AT_ONCE = 512 };

typedef struct {
  const hm_view *v;
  const hm_snapshot *snap;
  bool *suspect; /* by row */
  hm_arena *a, *row_a;
  uint32_t row;
  hm_live_secret *found;
  size_t n, cap;
} search;

/* --- rows as they are stored ----------------------------------------------------------- */

static bool is_suspect(const hm_row *r, const hm_row_detail *d) {
  const hm_str texts[] = { r->text,  r->props, r->name, r->slot_rule,
                           d->scope, d->agent, d->via, d->tags, d->source_refs };
  hm_credential c;
  for (size_t i = 0; i < HM_COUNT(texts); i++)
    if (texts[i].n &&
        hm_credential_find(r->layer == HM_STATE && !i ? r->name : HM_EMPTY, texts[i], &c))
      return true;
  return false;
}

static int search_rows(void *ctx, size_t i, int worker) {
  search *s = ctx;
  size_t to = (i + 1) * ROWS_AT_ONCE;
  (void)worker;
  for (size_t row = i * ROWS_AT_ONCE; row < to && row < s->snap->n_rows; row++)
    s->suspect[row] = is_suspect(&s->snap->rows[row], &s->snap->details[row]);
  return 0;
}

/* --- texts as they are published --------------------------------------------------------- */

/* The field of `redact` whose text it is; empty: none that it could take out. */
static hm_str field_of(const hm_view_text *t, const hm_row *r) {
  static const struct {
    const char *what, *field;
  } fields[] = {
    { "content", "content" }, { "value", "value" },    { "name", "name" },
    { "key", "key" },         { "tag", "tags" },       { "scope", "scope" },
    { "agent", "agent" },     { "via", "via" },        { "slot", "slot_rule" },
    { "description", "description" },
  };
  if (!strcmp(t->what, "property")) return r->layer == HM_STATE ? HM_STR("value") : t->field;
  if (!strcmp(t->what, "source"))
    return r->layer == HM_STATE ? HM_STR("source") : HM_STR("source_refs");
  for (size_t i = 0; i < HM_COUNT(fields); i++)
    if (!strcmp(t->what, fields[i].what)) return hm_str_c(fields[i].field);
  return HM_EMPTY;
}

static void search_text(void *ctx, const hm_view_text *t) {
  search *s = ctx;
  const hm_row *r = &s->snap->rows[s->row];
  hm_str field = field_of(t, r),
         name = hm_str_is(field, "value") && r->layer == HM_STATE ? r->name : field;
  hm_credential c;
  if (!field.n || !hm_credential_find(name, t->text, &c)) return;
  for (size_t i = s->n; i-- > 0 && s->found[i].row == s->row;)
    if (hm_str_eq(s->found[i].field, field)) return;
  s->found = hm_array_grow_in(s->a, s->found, s->n, &s->cap, sizeof *s->found);
  s->found[s->n++] =
      (hm_live_secret){ s->row, hm_str_dup(s->a, field), hm_credential_shown(&c, s->a) };
}

size_t hm_live_secrets_find(const hm_view *v, int threads, hm_arena *a, hm_live_secret **out) {
  search s = { .v = v, .snap = hm_view_sweep(v)->snap, .a = a, .row_a = hm_arena_new() };
  s.suspect = hm_alloc_array(s.row_a, s.snap->n_rows + 1, sizeof *s.suspect);
  hm_par_for(s.snap->n_rows / ROWS_AT_ONCE + 1, threads, search_rows, &s, NULL);
  hm_arena *texts = hm_arena_new();
  for (size_t row = 0; row < s.snap->n_rows; row++) {
    if (!s.suspect[row]) continue;
    s.row = (uint32_t)row;
    hm_arena_reset(texts);
    hm_view_row_texts(v, s.row, false, texts, search_text, &s);
  }
  hm_arena_free(texts);
  hm_arena_free(s.row_a);
  *out = s.found;
  return s.n;
}

/* --- words ---------------------------------------------------------------------------------- */

hm_str hm_live_secret_detail(hm_str ref, hm_str field, hm_str shown, hm_arena *a) {
  bool all = (hm_str_starts(ref, "memory:") && hm_str_is(field, "content")) ||
      (hm_str_starts(ref, "project_state:") && hm_str_is(field, "value"));
  hm_str command = hm_credential_redact(ref, all ? HM_EMPTY : field, a);
  return hm_str_fmt(a, "looks like a live secret (%.*s): change it where it is used, then: %.*s",
                    HM_FMT(shown), HM_FMT(command));
}

hm_str hm_live_secret_words(hm_str ref, hm_str field, hm_str shown, hm_arena *a) {
  return hm_str_fmt(a, "%.*s: %.*s: %.*s", HM_FMT(ref), HM_FMT(field),
                    HM_FMT(hm_live_secret_detail(ref, field, shown, a)));
}
