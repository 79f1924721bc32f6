/* Adds or removes a link; see links.h. */
#include "core/review/links.h"

#include "core/base/near_names.h"
#include "core/base/text.h"
#include "core/review/supersede.h"
#include "core/store/links.h"
#include "core/record/texts.h"

enum { SHOWN = 200 };

/* --- what was asked for --------------------------------------------------------------- */

typedef struct {
  hm_store *s;
  const hm_review *r;
  hm_arena *a;
  hm_link link;
  hm_link_report *out;
  size_t cap_links, cap_warnings;
  hm_err *err;
} linking;

static int bad(linking *l, const char *field, const char *what, const char *why, const char *fix) {
  hm_fail(l->err, HM_E_INPUT, what, why, fix);
  return hm_err_at_field(l->err, hm_str_c(field));
}

static void warn(linking *l, hm_str text) {
  hm_link_report *out = l->out;
  out->warnings = hm_array_grow_in(l->a, out->warnings, out->n_warnings, &l->cap_warnings,
                                   sizeof *out->warnings);
  out->warnings[out->n_warnings++] = text;
}

static int read_rel(linking *l, hm_str rel) {
  rel = hm_str_trim(hm_text_repair(l->a, rel));
  l->link.rel = rel.n ? hm_str_dup(l->a, rel) : HM_STR("related");
  if (rel.n > HM_REL_MAX)
    return bad(l, "rel", "rel", "it is too long", "say it in 100 bytes");
  for (size_t i = 0; i < rel.n;)
    if (hm_cp_is_hidden(hm_text_next(rel, &i)))
      return bad(l, "rel", "rel", "it holds characters that do not show", "leave them out");
  hm_str turned = hm_rel_find_by_inverse(l->link.rel);
  if (!turned.n)
    return 0;
  l->link = (hm_link){ l->link.dst, l->link.src, turned };
  return 0;
}

/* An unknown word may be the user's own. Warns only if it is near a known one. */
static void warn_of_rel(linking *l, hm_str given) {
  size_t n = 0, n_words;
  const hm_rel_word *words = hm_rel_words(&n_words);
  hm_known_name *known = hm_alloc_array(l->a, 2 * n_words, sizeof *known);
  given = hm_str_trim(given);
  if (hm_rel_find_by_inverse(given).n) {
    warn(l,
         HM_CAT(l->a, HM_STR("stored the other way round: "), hm_text_cut(l->link.src, SHOWN),
                HM_STR(" "), l->link.rel, HM_STR(" "), hm_text_cut(l->link.dst, SHOWN)));
    return;
  }
  if (hm_rel_is_known(l->link.rel))
    return;
  for (size_t i = 0; i < n_words; i++) {
    known[n++] = hm_known_name_fold(hm_str_c(words[i].rel), l->a);
    if (*words[i].inverse)
      known[n++] = hm_known_name_fold(hm_str_c(words[i].inverse), l->a);
  }
  hm_str near = hm_find_near_name(l->link.rel, known, n);
  if (near.n)
    warn(l,
         HM_CAT(l->a, HM_STR("'"), l->link.rel, HM_STR("' is kept as it is; did you mean '"), near,
                HM_STR("'?")));
}

/* A row that may be gone: then as it was given. */
static int read_end(linking *l, hm_str text, const char *field, bool may_be_gone, hm_str *ref,
                    bool *gone) {
  hm_named_row row;
  hm_layer layer;
  hm_str said = hm_str_trim(hm_text_repair(l->a, text)), id;
  *gone = false;
  if (!hm_named_row_find(l->s, said, l->a, &row, l->err)) {
    *ref = row.ref;
    return 0;
  }
  *gone = l->err->code == HM_E_UNKNOWN && hm_ref_parse(said, &layer, &id) && id.n;
  *ref = hm_str_dup(l->a, said);
  return may_be_gone && *gone ? 0 : hm_err_at_field(l->err, hm_str_c(field));
}

/* --- one transaction ----------------------------------------------------------------- */

typedef int link_step(linking *l, hm_str src, hm_str dst, hm_str rel);

static int run(hm_store *s, const hm_review *r, link_step *step, hm_str src, hm_str dst, hm_str rel,
               hm_arena *a, hm_link_report *out, hm_err *err) {
  hm_err own = { 0 };
  linking l = { .s = s, .r = r, .a = a, .out = out, .err = err ? err : &own };
  *out = (hm_link_report){ .dry_run = r->dry_run,
                           .by = r->who.by,
                           .at = r->who.at,
                           .notes = r->who.why.n ? r->who.why : HM_EMPTY };
  if (hm_store_begin(s, true, l.err))
    return -1;
  int rc = hm_links_make_indexes(s, l.err);
  if (!rc)
    rc = step(&l, src, dst, rel);
  out->n_secrets = out->n_warnings;
  hm_store_secrets_tell(s, a, &out->warnings, &out->n_warnings);
  out->n_secrets = out->n_warnings - out->n_secrets;
  return hm_review_end(s, r, true, rc, l.err);
}

static void tell(linking *l, const hm_link *link) {
  hm_link_report *out = l->out;
  out->links = hm_array_grow_in(l->a, out->links, out->n_links, &l->cap_links, sizeof *out->links);
  out->links[out->n_links++] = *link;
}

static int link_rows(linking *l, hm_str src, hm_str dst, hm_str rel) {
  bool gone;
  if (read_end(l, src, "src", false, &l->link.src, &gone) ||
      read_end(l, dst, "dst", true, &l->link.dst, &gone))
    return -1;
  if (hm_str_eq(l->link.src, l->link.dst))
    return bad(l, "dst", hm_str_fmt(l->a, "%.*s", HM_FMT(hm_text_cut(l->link.dst, SHOWN))).p,
               "a row has no link to itself", "name two rows");
  if (gone)
    warn(l,
         HM_CAT(l->a, HM_STR("there is no row "), hm_text_cut(l->link.dst, SHOWN),
                HM_STR(": the link dangles until one comes")));
  if (read_rel(l, rel) ||
      hm_store_add_link(l->s, &l->link, false, &l->r->who, &l->out->changed, l->a, l->err))
    return -1;
  warn_of_rel(l, rel);
  if (l->out->changed && hm_str_is(l->link.rel, "supersedes"))
    warn(l, HM_STR("a link changes no row: 'hmirror supersede OLD NEW' lets a row give way"));
  tell(l, &l->link);
  return 0;
}

int hm_review_link(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel, hm_arena *a,
                   hm_link_report *out, hm_err *err) {
  return run(s, r, link_rows, src, dst, rel, a, out, err);
}

static int remove_one(linking *l, const hm_link *link) {
  bool removed;
  if (hm_store_remove_link(l->s, link, &l->r->who, &removed, l->a, l->err))
    return -1;
  if (removed)
    tell(l, link);
  return 0;
}

static int unlink_rows(linking *l, hm_str src, hm_str dst, hm_str rel) {
  bool gone, any = !hm_str_trim(rel).n;
  hm_str ends[2];
  hm_link *all;
  size_t n;
  if (read_end(l, src, "src", true, &l->link.src, &gone) ||
      read_end(l, dst, "dst", true, &l->link.dst, &gone) || read_rel(l, rel))
    return -1;
  for (size_t e = hm_link_ends(l->link.src, ends); e-- > 0;) {
    if (hm_store_links_at(l->s, ends[e], true, l->a, &all, &n, l->err))
      return -1;
    for (size_t i = 0; i < n; i++)
      if (hm_link_end_is(all[i].dst, l->link.dst) && (any || hm_str_eq(all[i].rel, l->link.rel)) &&
          remove_one(l, &all[i]))
        return -1;
  }
  l->out->changed = l->out->n_links > 0;
  for (size_t i = 0; i < l->out->n_links; i++)
    if (hm_str_is(l->out->links[i].rel, "supersedes"))
      warn(l, HM_STR("a link changes no row: 'hmirror restore ROW' brings a superseded one back"));
  return 0;
}

int hm_review_unlink(hm_store *s, const hm_review *r, hm_str src, hm_str dst, hm_str rel,
                     hm_arena *a, hm_link_report *out, hm_err *err) {
  return run(s, r, unlink_rows, src, dst, rel, a, out, err);
}

/* --- the answer ------------------------------------------------------------------------ */

void hm_link_report_json(hm_buf *b, const hm_link_report *r) {
  hm_jw w;
  hm_jw_init(&w, b, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_bool(&w, "changed", r->changed);
  hm_jw_bool(&w, "dry_run", r->dry_run);
  hm_jw_arr(&w, "links");
  for (size_t i = 0; i < r->n_links; i++) {
    hm_jw_obj(&w, NULL);
    hm_jw_str(&w, "src", r->links[i].src);
    hm_jw_str(&w, "dst", r->links[i].dst);
    hm_jw_str(&w, "rel", r->links[i].rel);
    hm_jw_end(&w);
  }
  hm_jw_end(&w);
  hm_jw_int(&w, "count", (int64_t)r->n_links);
  hm_jw_str(&w, "by", r->by);
  hm_jw_str(&w, "at", r->at);
  hm_jw_str(&w, "notes", r->notes);
  hm_jw_strs(&w, "warnings", r->warnings, r->n_warnings);
  hm_jw_end(&w);
}

/* --- the graph ----------------------------------------------------------------------------- */

int hm_links_walk(hm_store *s, const hm_str *starts, size_t n, const hm_link_filter *f, bool edges,
                  hm_arena *a, hm_link_graph *out, hm_err *err) {
  hm_str *refs = hm_alloc_array(a, n + 1, sizeof *refs);
  for (size_t i = 0; i < n; i++) {
    hm_named_row row;
    if (hm_named_row_find(s, starts[i], a, &row, err))
      return -1;
    refs[i] = row.ref;
  }
  return hm_links_walk_refs(s, refs, n, f, edges, a, out, err);
}
