/* The input of all pages: a sweep's result without what publish.exclude leaves out, with every
 * path, anchor and marker decided, immutable while pages are rendered; and the pages. */
#ifndef HM_VIEW_H
#define HM_VIEW_H
#include "core/base/json.h"
#include "core/base/slug.h"
#include "core/claim/silence.h"
#include "core/detect/explain.h"
#include "core/sweep/sweep.h"
#include "gen/render/template.h"

/* publish.exclude: folded comparisons (exclude_fold); projects by id or alias. */
typedef struct {
  const hm_str *projects, *types, *statuses, *tags, *properties;
  size_t n_projects, n_types, n_statuses, n_tags, n_properties;
} hm_exclude;

/* True when it has any entry. */
bool hm_exclude_has_entries(const hm_exclude *x);

/* An entry of publish.exclude that matches nothing in this store. list: "projects", "types", ...;
 * meant: the nearest name in the store, if it may be a typo, else empty. */
typedef struct {
  const char *list;
  hm_str name, meant;
} hm_exclude_unused;
/* Finds the unused entries, by list, each list in its order; in a. values: also checks tags and
 * properties; this reads the rows until each name is found, and the snapshot must have details.
 * Statuses are not checked: the config refuses unknown ones. */
size_t hm_exclude_find_unused(const hm_exclude *x, const hm_snapshot *snap, bool values,
                              hm_arena *a, hm_exclude_unused **out);

typedef struct {
  hm_exclude exclude;
  hm_str title;          /* of the mirror; "Human Mirror" */
  hm_str base_url;       /* "" or "https://host/path/" for canonical links and the 404 page */
  hm_str source_url;     /* "" or the address of a line of a note, with {path} and {line} */
  size_t list_limit;     /* rows on a list page before it splits; 150 */
  size_t value_limit;    /* bytes of a value shown in a page; data/ has the whole; 2000 */
  hm_str tool;           /* "hmirror 0.1.0" */
  bool search;           /* with search.md and the index that it needs */
  hm_slug_script script; /* of the names of files */
} hm_view_options;

typedef struct hm_view hm_view; /* in view_private.h for gen/page */

/* Builds the view in a. Cost: linear in rows. The sweep must outlive the view, which uses its
 * indexes. */
int hm_view_new(const hm_sweep *sweep, const hm_rules *rules, const hm_view_options *opt,
                hm_arena *a, hm_view **out, hm_err *err);

/* Numbers of what is published: health.json, root page, commit message. */
typedef struct {
  int64_t projects, rows[5], candidates, open_conflicts, disputed, signoff, resolved, dismissed,
      findings, gaps, acked; /* acked: acknowledged findings, not counted in findings */
  hm_compared compared;
} hm_view_counts;
const hm_view_counts *hm_view_get_counts(const hm_view *v);
/* The options and the sweep that it was made with, of which rows say what follows from sources that
 * are not left out. */
const hm_view_options *hm_view_get_options(const hm_view *v);
const hm_sweep *hm_view_sweep(const hm_view *v);
/* One bool for each snapshot row: true when it is left out. */
const bool *hm_view_hidden_rows(const hm_view *v);
/* True when a field of a row is shown: neither row nor property is left out. */
bool hm_view_field_shown(const hm_view *v, uint32_t row, hm_str field, hm_arena *a);
/* The same for a claim, which may also be of a source that is left out. */
bool hm_view_claim_shown(const hm_view *v, const hm_claim *c, hm_arena *a);
/* True when the row shows all that it says: none of its sources is left out, nor the row. */
bool hm_view_row_is_whole(const hm_view *v, uint32_t row);
/* Conflicts that are published (some member is visible), by (slot_key, id). */
const hm_conflict_rec **hm_view_conflicts(const hm_view *v, size_t *n);
/* "conflicts/c1f0….md" of a conflict. */
hm_str hm_view_conflict_path(const hm_view *v, const hm_conflict_rec *c, hm_arena *a);
/* Findings that are published, by project. */
const hm_finding **hm_view_findings(const hm_view *v, size_t *n);
/* The list page of a row and its anchor there; empty when no page lists it. row: index into the
 * snapshot. In a or with the view. */
hm_str hm_view_find_row_page(const hm_view *v, uint32_t row, hm_arena *a, hm_str *anchor);
/* "projects/p05/README.md", the overview of the project with this id; empty when it has none. */
hm_str hm_view_project_path(const hm_view *v, hm_str id, hm_arena *a);
/* Human title of a conflict: "p05-interferometer / lateral_support_material". Facts inside: not
 * escaped. */
hm_str hm_conflict_title(const hm_view *v, const hm_conflict_rec *c, hm_arena *a);

/* --- published and withheld texts: published_texts.c --- */

/* A text of the store, raw. */
typedef struct {
  hm_str text;
  const char *what; /* "id", "name", "content", "property", ... */
  hm_str field;     /* the property or field, or empty */
  uint32_t row;     /* snapshot row, or UINT32_MAX: of `kind` and its id `owner` */
  const char *kind;
  hm_str owner;
} hm_view_text;
typedef void hm_view_text_fn(void *ctx, const hm_view_text *t);

/* True when publish.exclude leaves out any row, property or project. */
bool hm_view_withholds(const hm_view *v);
/* withheld false: calls each for the published texts of a row that some page lists (columns,
 * properties, and "name: value" as pages write it). true: calls it for the texts that are left out:
 * all of a hidden row, the values of hidden properties of other rows. Texts live in a or with the
 * view. */
void hm_view_visit_row_texts(const hm_view *v, uint32_t row, bool withheld, hm_arena *a,
                             hm_view_text_fn *each, void *ctx);
/* The same for texts outside rows: projects, links, records of conflicts, the mirror's title. What
 * rules say is none of them: a rule that tells what is left out does not publish it. */
void hm_view_visit_other_texts(const hm_view *v, bool withheld, hm_arena *a, hm_view_text_fn *each,
                               void *ctx);

/* --- texts, dates and numbers in the form in which pages show them: format.c -------------------
 */

/* Text of a fact as one short line: at most max bytes of clean text, then "…" if cut. */
hm_str hm_shorten(hm_arena *a, hm_str s, size_t max);
/* As hm_shorten, for the text of a link: never empty. */
hm_str hm_link_label(hm_arena *a, hm_str s, size_t max);
/* "decision target" for decision_target; hm_format_field_name also shortens. */
hm_str hm_format_name(hm_arena *a, hm_str name);
hm_str hm_format_field_name(hm_arena *a, hm_str name);
/* Capitalizes the first letter when it is a to z. */
hm_str hm_capitalize(hm_arena *a, hm_str s);
/* A fact as a word of a shell command in a code fence, where nothing is escaped: the word is on one
 * line, visible, and cannot act as markup. Empty when the fact is too long, or no shell could pass
 * it on. */
hm_str hm_format_shell_word(hm_arena *a, hm_str s);
/* The bytes of a text on a page, in the largest of its forms, which escape it differently. */
size_t hm_page_bytes(hm_str text);

/* A property's value as text: strings as they are, lists of scalars with commas, else JSON. */
hm_str hm_format_json(const hm_json *j, hm_arena *a);
/* Elements of a JSON array of strings, or the text itself as the only one. */
size_t hm_format_json_list(hm_str json, hm_arena *a, hm_str **out);

/* "2 Apr 2026" for a date or time, "Apr 2026" for a month; anything else unchanged. */
hm_str hm_format_date(hm_arena *a, hm_str s);
/* "2026-01 to 2026-04", "since 2026-01", "until 2026-04", or empty. */
hm_str hm_format_window(hm_arena *a, hm_str from, hm_str until);
/* "10,485,760" */
hm_str hm_format_grouped_number(hm_arena *a, uint64_t n);
/* "1 claim", "2,000 claims" */
hm_str hm_format_count_phrase(hm_arena *a, uint64_t n, const char *one, const char *many);
/* What stands beside a count of disputes: "compared 134 values in 119 places; 2,467 of 2,590
 * memories state nothing that could be read". */
hm_str hm_compared_text(hm_arena *a, const hm_compared *c);

/* --- pages: lists them, and makes the model of each, one file a family. Pure. page.c ------------
 */

typedef struct hm_page hm_page;
typedef struct hm_model hm_model; /* one model in the making; model.h */
/* Fills the family's fields of one page's model. */
typedef void hm_page_fn(hm_model *m, hm_node *top);

struct hm_page {
  hm_str path;      /* "projects/p05-interferometer/README.md"; [a-z0-9./-] and README only */
  const char *tmpl; /* template name without suffix: "overview" */
  hm_page_fn *model;
  uint32_t project;  /* snapshot index or UINT32_MAX */
  uint32_t from, to; /* family's own: a range, an index */
  const void *data;  /* family's own */
};

/* A file that is no page: conflicts.json, data/... */
typedef struct hm_raw_file hm_raw_file;
/* Appends the file's bytes, or its source. Callable from any thread. */
typedef void hm_raw_bytes_fn(const hm_view *v, const hm_raw_file *f, hm_arena *a, hm_buf *out);

struct hm_raw_file {
  hm_str path;
  hm_raw_bytes_fn *bytes;
  hm_raw_bytes_fn *source; /* of a file that is slow to make: all that its bytes are made from. It
                              is not made while its source is the same. Else NULL */
  uint32_t index;          /* the maker's own */
  bool is_list;            /* one record a line: when it is long it becomes an index of parts
                              (gen/site/manifest.h) */
  const void *data;        /* the maker's own */
};

typedef struct {
  hm_page *pages;
  size_t n; /* sorted by path, no two alike */
  hm_raw_file *raws;
  size_t n_raws, cap_raws; /* sorted by path */
} hm_pages;

/* Lists all pages and raw files. gen/site adds manifest.json, assets/ and the HTML. */
int hm_list_pages(const hm_view *v, hm_arena *a, hm_pages **out, hm_err *err);
/* Lists only conflicts.json and the data files of rows, unsorted; no pages. */
void hm_list_conflict_and_row_files(const hm_view *v, hm_arena *a, hm_pages *out);
/* Makes a page's model, in a: its family's fields plus those of every page:
 *   title (text), description (text), root ("../../", path back to the root, raw), path (raw),
 * breadcrumbs (list of {name, url}), kind (raw: the tmpl name), generated (the banner's text),
 * is_root (bool). */
hm_node *hm_page_model(const hm_view *v, const hm_page *p, hm_arena *a);

#endif
