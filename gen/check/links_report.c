#include "gen/check/links_impl.h"
#include "gen/render/escape.h"

enum { SHOWN = 200 };

/* An HTML page and an address on it, as one key. */
static hm_str key_of(hm_arena *a, hm_str path, hm_str url) {
  return hm_str_fmt(a, "%.*s %.*s", HM_FMT(path), HM_FMT(url));
}

/* What the HTML of a page will have, because its Markdown has it. */
static void note_markdown(hm_map *told, const hm_site *s, const hm_bad_link *bad, size_t n,
                          hm_arena *tmp) {
  for (size_t i = 0; i < n; i++) {
    hm_str path = s->files[bad[i].file].path;
    if (hm_str_ends(path, ".md"))
      hm_map_add(told, key_of(tmp, hm_html_path(path, tmp), hm_html_path(bad[i].url, tmp)), 1);
  }
}

static void add(const hm_site *s, const hm_bad_link *b, size_t more, hm_report_list *l) {
  hm_arena *a = l->a;
  hm_report_rule_id rule = b->anchor ? HM_R_ANCHOR : HM_R_LINK;
  hm_str path = s->files[b->file].path, why = hm_str_dup(a, hm_clean(a, b->why));
  if (more) why = hm_str_fmt(a, "%.*s; %zu more such links are not listed", HM_FMT(why), more);
  hm_str id = hm_report_id(
      a, (const hm_str[]){ hm_str_c(hm_report_rules[rule].id), path, b->url, { NULL, 0 } });
  hm_report_add(l,
                (hm_report_item){ .rule = rule,
                                  .fails = true,
                                  .path = path,
                                  .line = b->line,
                                  .id = id,
                                  .project = HM_EMPTY,
                                  .subject = hm_str_dup(a, hm_short(a, b->url, SHOWN)),
                                  .detail = why,
                                  .see = HM_EMPTY });
}

/* How many links there are of each kind and address: counts[i] is that of the i-th such pair. */
typedef struct { hm_map at; size_t *all, *listed; } tally;

static uint32_t pair_of(tally *t, const hm_bad_link *b, hm_arena *tmp) {
  return hm_map_add(&t->at, hm_str_fmt(tmp, "%c%.*s", b->anchor ? 'a' : 'l', HM_FMT(b->url)),
                    (uint32_t)t->at.n);
}

/* Which pair each of them is; HM_MAP_NONE: told already. */
static uint32_t *count(tally *t, const hm_site *s, const hm_bad_link *bad, size_t n, hm_report *r,
                       hm_arena *tmp) {
  uint32_t *pair = hm_alloc_array(tmp, n + 1, sizeof *pair);
  hm_map told;
  hm_map_init(&told, tmp, n);
  note_markdown(&told, s, bad, n, tmp);
  for (size_t i = 0; i < n; i++) {
    hm_str path = s->files[bad[i].file].path;
    bool twice = !hm_str_ends(path, ".md") &&
        hm_map_get(&told, key_of(tmp, path, bad[i].url)) != HM_MAP_NONE;
    pair[i] = twice ? HM_MAP_NONE : pair_of(t, &bad[i], tmp);
    if (twice) continue;
    t->all[pair[i]]++;
    r->found[bad[i].anchor ? HM_R_ANCHOR : HM_R_LINK]++;
  }
  return pair;
}

void hm_links_report(const hm_site *s, const hm_bad_link *bad, size_t n, hm_report *r,
                     hm_report_list *l) {
  hm_arena *tmp = hm_arena_new();
  tally t = { .all = hm_alloc_array(tmp, n + 1, sizeof(size_t)),
              .listed = hm_alloc_array(tmp, n + 1, sizeof(size_t)) };
  hm_map_init(&t.at, tmp, n);
  uint32_t *pair = count(&t, s, bad, n, r, tmp);
  size_t listed[2] = { 0 };
  for (size_t i = 0; i < n; i++) {
    if (pair[i] == HM_MAP_NONE || t.listed[pair[i]] == HM_LINKS_ALIKE ||
        listed[bad[i].anchor] == HM_LINKS_LISTED)
      continue;
    listed[bad[i].anchor]++;
    bool last = ++t.listed[pair[i]] == HM_LINKS_ALIKE;
    add(s, &bad[i], last ? t.all[pair[i]] - HM_LINKS_ALIKE : 0, l);
  }
  hm_arena_free(tmp);
}
