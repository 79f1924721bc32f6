/* The fields of the view, and the functions that build it. For gen/page only. Each file listed here
 * uses those before it; view_build.c calls them all.
 *
 * Rows are snapshot indexes; projects, groups, parts and conflicts are indexes
 * into the view's own arrays. HM_MAP_NONE means "there is none". */
#ifndef HM_VIEW_PRIVATE_H
#define HM_VIEW_PRIVATE_H
#include "core/base/err.h"
#include "core/base/json.h"
#include "core/claim/existence.h"
#include "gen/page/changes_file.h"
#include "view.h"

#define HM_NONE HM_MAP_NONE
#define HM_REFS 20        /* relations shown beside a row */
#define HM_ROW_FINDINGS 5 /* findings shown beside a row */

/* An entity type of the specification: its titles, file name and place. */
typedef struct {
  const char *key, *slug, *one, *many;
} hm_page_type;

/* Drawings of a project: relations, links, and what superseded what. */
typedef enum { HM_GRAPH_RELATIONS, HM_GRAPH_LINKS, HM_GRAPH_CHAINS, HM_GRAPHS } hm_graph_kind;

typedef struct {
  uint32_t snap;         /* index into snapshot projects */
  hm_str dir;            /* "projects/p05/" */
  hm_str label;          /* name, else id, else "Global facts" */
  hm_str list_key;       /* hm_list_sort_key */
  uint32_t g_from, g_to; /* groups, in the order of row_lists.c */
  uint32_t c_from, c_to; /* into view.by_project */
  uint32_t f_from, f_to; /* into view.findings */
  uint32_t gaps;         /* published slots that only silent rows claim */
  uint32_t s_from, s_to; /* into view.subsystems */
  struct {
    uint32_t nodes, edges;
  } graphs[HM_GRAPHS];
  int64_t active[5], candidates, disputed, signoff;
  hm_compared compared;
} hm_vproject;

/* All rows of one kind in one project that one list shows: an entity type, a
 * year of memories, the state, the relations. */
typedef struct {
  uint32_t project;
  hm_layer layer;
  hm_str key; /* folded type; year or "undated"; else empty */
  hm_str
      title; /* of a type that the store invented: as the first of its rows writes it, by bytes */
  const hm_page_type *kind;
  uint32_t from, to;     /* into view.listed */
  uint32_t p_from, p_to; /* parts */
  int64_t active, history, candidates;
  hm_str path; /* the list, or the index of its parts */
  hm_str *more;
  uint32_t n_more; /* where the index goes on, HM_INDEX_PARTS parts a page */
} hm_group;

/* One page of a list: all of it, or the rows whose keys begin alike. */
typedef struct {
  uint32_t group, from, to; /* rows view.ordered[from..to) */
  hm_str path, log_path;    /* log_path: the same decisions in the decision log */
  hm_str label, key;        /* "a-c", and a unique name; empty when the list is whole */
} hm_list_part;

typedef enum {
  HM_EDGE_REL_OUT,
  HM_EDGE_REL_IN, /* via: the relation's row */
  HM_EDGE_LINK_OUT,
  HM_EDGE_LINK_IN, /* via: index of the link */
  HM_EDGE_NEWER,
  HM_EDGE_OLDER, /* superseded by, supersedes; via: relation's row or HM_NONE */
  HM_EDGE_PART_OUT,
  HM_EDGE_PART_IN, /* a property says that this belongs to the other */
  HM_EDGE_NAME_OUT,
  HM_EDGE_NAME_IN /* a property names the other */
} hm_edge_kind;
typedef struct {
  uint32_t other, via;
  hm_edge_kind kind;
} hm_edge;

/* place: the field of the page where it stands: "content" for "content:queue_limit", a further
 * claim of a text (core/claim/memory_claims.c); else the field. Both empty: the row is what the
 * dispute is about. */
typedef struct {
  uint32_t row;
  hm_str field;
  uint32_t conflict;
  hm_str place;
} hm_mark;
typedef struct hm_finding_lists hm_finding_lists; /* findings.c */
/* Where a finding is shown. */
typedef struct {
  hm_str page, anchor;
} hm_finding_place;
/* Sets the lists of findings and their places, of a view that has all else; in a. */
void hm_view_build_finding_lists(hm_view *v, hm_arena *a);
/* A row and a finding about it, an index into view.findings. */
typedef struct {
  uint32_t row, finding;
} hm_row_finding;
/* An entity that has a page, and how many relations it has. */
typedef struct {
  uint32_t row, n;
  bool timed; /* it or a relation of it has a time */
  hm_str path;
} hm_ventity;
typedef struct {
  uint32_t row, conflict, winner;
} hm_settled_row; /* row lost against winner */

typedef struct {
  const hm_conflict_rec *rec;
  const hm_dispute *dispute; /* NULL: settled, or no longer disputed */
  uint32_t project;
  hm_str path;
  hm_str title, name;               /* with and without the project */
  hm_str words;                     /* the title of its page: "Lateral support: material" */
  hm_str list_key;                  /* hm_list_sort_key */
  size_t withheld;                  /* claims that are not shown */
  hm_time since;                    /* of the dispute; HM_TIME_MIN: not known, or not shown */
  hm_str window_from, window_until; /* the contested time, as far as it is shown */
  bool named;                       /* the slot's name leaks nothing */
  bool proposed; /* of texts, by a model or a person: words do not say of which */
} hm_vconflict;

typedef struct {
  uint32_t slot, row;
  hm_str field, value;
} hm_past_claim; /* slot: its first conflict */

typedef struct {
  uint32_t row;
  hm_str anchor;
} hm_odd_anchor;

/* The kind of a list as a number (a year, or an entity type in view.types), by which rows are
 * grouped. */
enum { HM_UNDATED = 10000 }; /* a readable time has four digits of a year */
enum {
  HM_KIND_STATE,
  HM_KIND_RELATIONS,
  HM_KIND_YEARS,
  HM_KIND_TYPES = HM_KIND_YEARS + HM_UNDATED + 1
};

/* What the view notes of a row, in eight bytes, since it reads all rows several times. 2^25 kinds
 * need as many rows: more than fit in memory. */
typedef struct {
  uint32_t home;                   /* snapshot project whose pages show it; view_build.c */
  uint32_t kind : 25;              /* HM_KIND_… */
  bool candidate : 1, active : 1;  /* neither: history */
  bool odd_id : 1;                 /* its permalink does not follow from it: paths.c */
  bool refers : 1;                 /* a column names another row */
  bool may_be_long : 1;            /* some text is longer than pages show: values.c */
  bool twin_type : 1, twin_id : 1; /* another entity of its project has the same name: of another
                                      type, of the same; row_lists.c */
} hm_view_row;

typedef struct {
  hm_str path, bytes;
} hm_long_value; /* a value too long for a page, in a file of its own */

struct hm_view {
  const hm_sweep *sweep;
  const hm_snapshot *snap;
  const hm_rules *rules;
  hm_view_options opt;
  hm_arena *a;                      /* only while the view is built */
  hm_view_row *rows;                /* parallel to snap->rows */
  uint32_t n_odd_ids, n_maybe_long; /* how many of rows are */
  uint32_t *homes, *home_from;      /* rows by rows.home, in their order; of snapshot project p:
                                       [home_from[p], home_from[p + 1]) */
  hm_str *types;
  uint32_t n_types; /* folded entity types */
  bool *hidden;
  bool *project_hidden; /* by snapshot project */
  bool any_hidden;      /* a project, a row or a property is left out */
  bool row_filter;      /* rows are left out by type, status, tag or property */
  hm_str *props;
  size_t n_props;       /* folded names of properties left out */
  hm_map hidden_values; /* row and field of values that hold such a property */
  /* Where sources of rows are left out, snap is the view's own: rows as they follow from the rest,
   * and no evidence of the left-out ones. */
  const hm_snapshot *all; /* the sweep's */
  const bool *kept;       /* for each evidence of all: its source is not left out */
  bool *reduced;          /* by row: a source is left out */
  hm_map hidden_names;    /* of entities that are left out */

  hm_vproject *projects;
  uint32_t n_projects;  /* naturally by (folded label, id) */
  uint32_t *project_of; /* snapshot project -> view project */
  hm_group *groups;
  uint32_t n_groups;
  hm_list_part *parts;
  uint32_t n_parts;
  uint32_t *listed; /* rows by group, at the places that homes has for their project */
  /* The same in order: by the bytes of their keys, as data files have them; in natural order within
   * each part, as pages have them; and of a list of several parts as overviews have them
   * (hm_order_leading_rows), memories excepted. */
  uint32_t *by_bytes, *ordered, *leading;
  uint32_t *part_of; /* row -> part that lists it */
  hm_odd_anchor *odd;
  uint32_t n_odd, cap_odd; /* permalinks of rows whose ids will not do, by row */
  uint32_t *subsystems;
  uint32_t n_subsystems;  /* active Subsystem rows, by project */
  hm_str *subsystem_path; /* parallel to subsystems */
  hm_map subsystem_at;    /* row's anchor -> index into subsystems */

  hm_edge *edges;
  uint32_t n_edges;
  uint32_t *edge_from; /* row -> first of its edges; n_rows + 1 */

  hm_vconflict *conflicts;
  uint32_t n_conflicts;
  const hm_conflict_rec **recs;
  hm_map conflict_at;   /* id -> conflict */
  uint32_t *by_project; /* conflicts, grouped by project */
  hm_concerns concerns; /* of conflicts: the published rows that they concern */
  hm_mark *marks;
  size_t n_marks; /* by (row, place, field) */
  hm_mark *traces;
  size_t n_traces; /* of conflicts that are not in dispute */
  hm_mark *may;
  size_t n_may; /* that may overlap; likewise, without a conflict */
  hm_settled_row *settled;
  size_t n_settled; /* by row */
  hm_past_claim *past;
  uint32_t n_past; /* by (slot, row, field) */
  const hm_finding **findings;
  uint32_t n_findings; /* shown ones, by project */
  const hm_finding_lists *finding_lists;
  const hm_finding_place *finding_places; /* by finding */
  hm_row_finding *found;
  size_t n_found; /* by row */
  hm_ventity *entities;
  uint32_t n_entities;            /* by group */
  bool hides_times, hides_bounds; /* a property with a time, of relations, is left out */
  hm_existences existences;       /* set when there are entities with pages */
  uint32_t *entity_at; /* parallel to the snapshot's entities: index into entities, or HM_NONE */

  hm_map long_at; /* value -> longs */
  hm_long_value *longs;
  uint32_t n_longs, cap_longs;
  hm_view_counts counts;
  const hm_changes *changes; /* of the last publications; NULL: no pages of them */
};

/* Who gave a value, and when: of its last change. */
typedef struct {
  hm_str date, refs, agent; /* refs: as in hm_row_detail.source_refs */
  hm_str props;             /* of an entity, as whoever gives the value has them */
  hm_str source; /* whose record it is, where sources of the row differ on it; or empty */
  hm_str past;   /* hm_said_value.past */
} hm_origin;
/* Of the value of this field, a member's (empty: what the row is about), as `said` has it; NULL: as
 * the row does. */
hm_origin hm_view_origin(const hm_view *v, uint32_t row, hm_str field, const hm_evidence *said,
                         hm_arena *a);
/* The same of a value that the row had in this field before; false: it has it now, or nobody knows
 * whose it was. */
bool hm_view_past_origin(const hm_view *v, uint32_t row, hm_str field, hm_str value, hm_arena *a,
                         hm_origin *out);
/* "invalid, no longer in sheet.csv": its status, and who said the row and does no longer; in a. */
hm_str hm_view_status_text(const hm_view *v, uint32_t row, hm_arena *a);
/* The source that is called so, of a row whose sources differ; NULL: none. */
const hm_evidence *hm_view_source(const hm_view *v, uint32_t row, hm_str source);

/* NULL when the snapshot was read without details. */
static inline const hm_row_detail *hm_view_detail(const hm_view *v, uint32_t row) {
  return v->snap->details ? &v->snap->details[row] : NULL;
}
/* A page lists the row. */
static inline bool hm_view_listed(const hm_view *v, uint32_t row) {
  hm_view_row x = v->rows[row];
  return !x.candidate && !v->hidden[row] && v->project_of[x.home] != HM_NONE;
}

/* --- file names and links: paths.c --- */
typedef struct {
  hm_str name, id;
  hm_str order; /* of names that fold alike the one that is first in this order keeps its name;
                 * empty, of all: the one that is its own file name does */
  hm_str slug, folded;
  uint32_t stage;
} hm_named;
/* Who came first: by the command that stored it, created_at, id. In a. */
hm_str hm_address_order(hm_arena *a, hm_str came, hm_str created_at, hm_str id);
/* The same of a row. */
hm_str hm_view_address_order(const hm_view *v, uint32_t row, hm_arena *a);
/* Gives each of n a file name stem that is not in `reserved` (NULL-terminated); no two fold alike
 * (hm_slug_fold). */
void hm_make_slugs(hm_named *names, size_t n, const char *const *reserved, hm_slug_script script,
                   hm_arena *a);
/* True when s has only letters a to z, digits and single '-' inside, and is not too long. */
bool hm_is_slug(hm_str s);
/* Path of `to` as a link on the page `from`, percent-encoded. */
hm_str hm_path_link(hm_arena *a, hm_str from, hm_str to, hm_str anchor);
hm_str hm_path_to_root(hm_arena *a, hm_str path); /* "../../" */
/* "conflicts/c1.svg" beside "conflicts/c1.md". */
hm_str hm_drawing_path(hm_arena *a, hm_str page);

/* --- how lists are cut, and their keys: split.c --- */
typedef enum { HM_SPLIT_NAME, HM_SPLIT_TIME } hm_split_kind;
/* The keys that begin with prefix, followed by a character of range ("a-c", or ""), or by one of
 * `step` numbers from `first` (step 0: no number). */
typedef struct {
  uint32_t from, to;
  hm_str prefix;
  const char *range;
  uint64_t first, step;
} hm_piece;
/* The most bytes that a page may list, by estimate: no file is over 1 MiB, with room for the text
 * around the list. */
enum { HM_PART_BYTES = 768 << 10, HM_INDEX_PARTS = 500 };
/* The same for one part of a list, which a reader has to load: in fact under 100 KB, since the
 * estimate is an upper bound. */
enum { HM_LIST_BYTES = 160 << 10 };
/* True when the rows of these keys have more than HM_LIST_BYTES. */
typedef bool hm_is_long_fn(const void *rows, uint32_t from, uint32_t to);
/* Cuts sorted keys into pieces of at most limit keys for which is_long (NULL: always false) is
 * false; see split.c. keys may be NULL when the whole is one piece. */
void hm_split_list(const hm_str *keys, uint32_t n, size_t limit, hm_is_long_fn *is_long,
                   const void *rows, hm_split_kind kind, hm_arena *a, hm_piece **pieces,
                   uint32_t *n_pieces);
/* Rewrites the numbers in a key (folded name, NUL, id) so that keys sort by their values, and
 * hm_split_list can cut by ranges of them. In a, or the key itself. */
hm_str hm_split_key(hm_arena *a, hm_str key);
/* Puts the items of each piece in natural order by their keys. The pieces cover the items. */
void hm_pieces_sort_naturally(const hm_str *keys, uint32_t *items, const hm_piece *pieces,
                              uint32_t n_pieces, hm_arena *a);
/* Writes rows with these keys to out: first the first HM_LEAD active ones in natural order (for
 * overviews), then the others in their given order. Reads each row once. */
enum { HM_LEAD = 1024 };
void hm_order_leading_rows(const hm_view *v, const hm_str *keys, const uint32_t *rows, uint32_t n,
                           uint32_t *out, hm_arena *a);
/* A piece's label for readers ("pep … a-c", "PEP 300 to 399": spelled as in name, that of one of
 * its items), its file name ("pep-a-c", "pep-300-399"), and its unique key. */
hm_str hm_piece_label(hm_arena *a, const hm_piece *p, hm_str name);
hm_str hm_piece_stem(hm_arena *a, const hm_piece *p, hm_slug_script script);
hm_str hm_list_piece_key(hm_arena *a, hm_str list, const hm_piece *p);
/* The sort key of an item with this title and id: the folded title, a NUL, the id. */
hm_str hm_list_sort_key(hm_arena *a, hm_str title, hm_str id);

/* --- what is left out: exclude.c --- */
/* Index of the project with this id, or HM_NONE; known: the store has it. */
uint32_t hm_view_project(const hm_view *v, hm_str id, bool *known);
bool hm_view_prop_hidden(const hm_view *v, hm_str name, hm_arena *a);
/* Is the text one of these names of publish.exclude? */
bool hm_exclude_names(const hm_str *names, size_t n, hm_str text, hm_arena *a);
/* Does the text begin with one, and go on? */
bool hm_exclude_begins(const hm_str *names, size_t n, hm_str text, hm_arena *a);
/* True for JSON with a property that is left out, at any depth. */
bool hm_view_text_holds_hidden(const hm_view *v, hm_str json, hm_arena *a);
/* Returns j without the properties that are left out, at any depth, and with the ids of left out
 * rows withheld; j itself when nothing is left out. */
const hm_json *hm_view_filter_json(const hm_view *v, const hm_json *j, hm_arena *a);
bool hm_view_finding_shown(const hm_view *v, const hm_finding *f, hm_arena *a);
int hm_view_build_exclusions(hm_view *v, hm_err *err);
/* Hides relations of rows that are hidden; values with a property that is left out. */
void hm_view_hide_relations(hm_view *v);
void hm_view_hide_values(hm_view *v);

/* --- the same, where sources of a row differ: exclude_evidence.c --- */
/* After the rows are hidden; moves v->snap. */
void hm_view_build_sources(hm_view *v);
/* hm_view_claim_shown for a recorded member, whose row may be gone. */
bool hm_view_member_shown(const hm_view *v, const hm_member_rec *m, hm_arena *a);
/* Would a row with this in this field of its record be left out? */
bool hm_view_value_left_out(const hm_view *v, hm_layer layer, hm_str field, hm_str value,
                            hm_arena *a);
/* True when a left-out source of the row says this, and no other one. */
bool hm_view_source_says(const hm_view *v, uint32_t row, hm_str part);
/* How many sources of the row are not left out, where they differ. */
size_t hm_view_count_sources(const hm_view *v, uint32_t row);
/* True when what is published says the bounds of a claim. */
bool hm_view_bounds_shown(const hm_view *v, const hm_claim *c);
/* The source of a claim that is shown, and not left out; NULL: the row itself. */
const hm_evidence *hm_view_claim_source(const hm_view *v, const hm_claim *c, hm_arena *a);

/* --- findings where something is left out: published_findings.c --- */
/* The findings that pages may show, sorted, with their acknowledgements, with the view. Needs its
 * projects and conflicts. */
int hm_view_find_published(const hm_view *v, hm_finding **out, size_t *n, hm_err *err);
/* True for a finding that something is not recorded, which is no error. */
bool hm_finding_is_gap(const hm_finding *f);
/* Its words, in a or its own: what it is about where the message does not say so, the message, and
 * the reason unless that is a word for programs. */
hm_str hm_view_finding_subject(const hm_view *v, const hm_finding *f, hm_arena *a);
hm_str hm_view_finding_message(const hm_view *v, const hm_finding *f, hm_str subject, hm_arena *a);
hm_str hm_finding_reason_words(const hm_finding *f);

/* --- facts of rows: values.c --- */
/* Properties of a row as shown, or NULL when they are no JSON object. */
const hm_json *hm_view_props(const hm_view *v, uint32_t row, hm_arena *a);
/* "subjective", "prophetic", or empty when the row states a fact. */
hm_str hm_view_claim_kind(const hm_view *v, uint32_t row, hm_arena *a);
/* A row's text; a state's JSON value without what is left out. */
hm_str hm_view_state_value(const hm_view *v, uint32_t row, hm_arena *a);
/* The label of a row in a link, and the text that it is cut from. */
hm_str hm_view_label_source(const hm_view *v, uint32_t row);
hm_str hm_view_label(const hm_view *v, uint32_t row, hm_arena *a);
/* As hm_view_label, distinct among entities of one name: "Frame (Component)", "Leg (p05-e5)". */
hm_str hm_view_distinct_label(const hm_view *v, uint32_t row, hm_arena *a);
/* The name of an end of a relation: that of the entity with the id ref, or ref itself. */
hm_str hm_view_relation_end_name(const hm_view *v, hm_str ref, hm_arena *a);
/* As hm_view_distinct_label; a relation, which has only an id, in words: "Ann RULES Keep". */
hm_str hm_view_row_words(const hm_view *v, uint32_t row, hm_arena *a);
/* How many of a row's properties, from the first, a page shows. When that is not all, data/ has the
 * whole object. */
size_t hm_view_count_fitting_props(const hm_view *v, uint32_t row, const hm_json *props,
                                   hm_arena *a);
/* The file with the whole of a long value, or NULL. */
const hm_long_value *hm_view_find_long_value(const hm_view *v, hm_str value);
/* Returns false when no text of the row is longer than pages show. */
bool hm_view_may_be_long(const hm_view *v, uint32_t row);
void hm_view_build_long_values(hm_view *v);

/* --- permalinks: paths.c --- */
/* True when the anchor of a row with this id can be made from the id alone. */
bool hm_is_plain_id(hm_str id);
/* The row's anchor; empty when it is not listed. In a or with the view. */
hm_str hm_view_anchor(const hm_view *v, uint32_t row, hm_arena *a);
void hm_view_build_anchors(hm_view *v);

/* --- lists, and the order of their rows: row_lists.c --- */
const hm_page_type *hm_page_kind(hm_str type_key); /* NULL: not a type of the specification */
/* Title of a group's list: "Parameters". */
hm_str hm_group_title(const hm_group *g, hm_arena *a);
/* First group of the project with this layer and key, or NULL. */
const hm_group *hm_view_group(const hm_view *v, uint32_t project, hm_layer layer, hm_str key);
/* True when the project has a list of this layer. */
bool hm_view_has_layer(const hm_view *v, uint32_t project, hm_layer layer);
/* The sort key of a row in its list, in a: "head 1 name 0 id", or "name 0 id", where 0 and 1 are
 * bytes that no folded name has. Rows without a head stand together, before all others. */
hm_str hm_view_row_key(const hm_view *v, uint32_t row, hm_arena *a);
/* The rows of a list, at [g->from, g->to), as overviews have them: view.leading for a list that has
 * it, else view.ordered. */
const uint32_t *hm_view_leading_rows(const hm_view *v, const hm_group *g);
void hm_view_build_groups(hm_view *v);
/* Notes which active entities of a project have the same name. */
void hm_view_mark_same_names(hm_view *v);

/* --- edges between rows: edges.c --- */
/* True when no earlier edge of the row than edges[at] has the same kind and the same other row. */
bool hm_view_edge_is_first(const hm_view *v, uint32_t row, uint32_t at);
void hm_view_build_edges(hm_view *v);
/* An edge of a drawing. */
typedef struct {
  uint32_t from, to;
  const hm_edge *edge;
} hm_graph_edge;
typedef void hm_graph_edge_fn(void *ctx, const hm_graph_edge *e);
/* Visits the project's edges in the order of its rows: each once, at the row it starts from, or at
 * its other row when the first belongs to another project. */
void hm_view_visit_graph_edges(const hm_view *v, uint32_t project, hm_graph_kind kind,
                               hm_graph_edge_fn *fn, void *ctx);
/* Measures the drawings of each project. */
void hm_view_measure_graphs(hm_view *v);

/* --- entities with pages: entities.c --- */
/* The subsystem's page, or HM_EMPTY. */
hm_str hm_view_subsystem_path(const hm_view *v, uint32_t row);
/* The page of an entity, or HM_EMPTY. */
hm_str hm_view_entity_path(const hm_view *v, uint32_t row);
/* Finds when an entity existed, or an event happened (*happened), as far as published facts tell.
 * Returns the number of windows. */
uint32_t hm_view_find_existence_windows(const hm_view *v, uint32_t row, const hm_window **out,
                                        bool *happened);
/* True when a page may show the end of this window, which may be that of a left out existence. */
bool hm_view_window_end_shown(const hm_view *v, const hm_window *w);
/* True when a page may show the bounds of this window, which a left out property may give. */
bool hm_view_window_shown(const hm_view *v, const hm_window *w);
/* Finds when a row holds, as it says. Returns false when its bounds are no times. */
bool hm_view_find_row_window(const hm_view *v, uint32_t row, hm_arena *scratch, hm_window *out);
typedef struct {
  const hm_edge *edge;
  hm_str type, label; /* folded; of the other end */
  hm_time begins;
} hm_relation_item;
/* Lists the relations by direction and kind, then by the time at which they begin; in a. */
const hm_relation_item *hm_view_list_relations(const hm_view *v, const hm_ventity *e, hm_arena *a,
                                               size_t *n);
/* Returns 0 for items of one direction and kind. */
int hm_relation_item_kind_cmp(const hm_relation_item *a, const hm_relation_item *b);
void hm_view_build_subsystems(hm_view *v);
/* Computes when things existed, and whether pages may show it. */
void hm_view_build_existences(hm_view *v);
void hm_view_build_entities(hm_view *v);

/* --- marks on rows: marks.c --- */
/* The index of the first element of this row or a later one. The n elements begin with a row number
 * (uint32_t) and are sorted by it. */
size_t hm_find_first_of_row(const void *sorted, size_t n, size_t size, uint32_t row);
/* The marks that stand at a place of a row; NULL: none. A text may be in several disputes. */
const hm_mark *hm_view_find_place_marks(const hm_view *v, uint32_t row, hm_str place, size_t *n);
bool hm_view_is_disputed(const hm_view *v, uint32_t row, hm_str place);
/* True when a claim at the place may overlap in time with one that contradicts it. */
bool hm_view_may_overlap(const hm_view *v, uint32_t row, hm_str place);
/* The markers of a row, by place, then field; the fields of a row that may overlap. */
const hm_mark *hm_view_marks(const hm_view *v, uint32_t row, size_t *n);
const hm_mark *hm_view_may_marks(const hm_view *v, uint32_t row, size_t *n);
/* The number of disputes of what the row contains, and not its own; the conflicts, in a. */
uint32_t hm_view_count_inside(const hm_view *v, uint32_t row);
uint32_t hm_view_list_inside(const hm_view *v, uint32_t row, hm_arena *a, uint32_t **out);
/* The marks of a row's conflicts that are not in dispute, by place; pages show the first of a
 * place. */
const hm_mark *hm_view_past_conflict_marks(const hm_view *v, uint32_t row, size_t *n);
/* The verdict by which row lost against winner, or HM_NONE. */
uint32_t hm_view_find_deciding_conflict(const hm_view *v, uint32_t row, uint32_t winner);
const hm_row_finding *hm_view_find_row_findings(const hm_view *v, uint32_t row, size_t *n);
/* Build the marks of the listed conflicts, and the shown findings sorted by row. */
void hm_view_build_marks(hm_view *v);
void hm_view_build_finding_rows(hm_view *v);

/* --- conflicts: conflict_titles.c, conflict_view.c --- */
/* Did a person decide it? */
bool hm_conflict_is_settled(const hm_vconflict *c);
/* Since when it is disputed: "2026-04-02", or with its time of day; "2026-04" when no row says
 * more; empty when unknown. In a or of a row. */
hm_str hm_format_since(const hm_view *v, const hm_vconflict *c, hm_arena *a);
/* Sets title, name and words of all listed conflicts. */
void hm_view_build_conflict_titles(hm_view *v);
int hm_view_build_conflicts(hm_view *v, hm_err *err);
/* First of the past claims in a conflict's slot, and how many. */
uint32_t hm_view_find_past_claims(const hm_view *v, uint32_t conflict, uint32_t *n);
int hm_view_build_past_claims(hm_view *v, hm_err *err);

/* --- the parts of lists of rows: row_list_parts.c --- */
void hm_view_build_parts(hm_view *v);
#endif
