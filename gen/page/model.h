/* One page's model in the making. For gen/page only.
 *
 * Every value goes through the functions here, which count the bytes of the page.
 *
 * Every key that a template uses is always set on the object itself: Mustache looks up the stack,
 * and must not find another row's marker. */
#ifndef HM_MODEL_H
#define HM_MODEL_H
#include "core/detect/conflict_story.h"
#include "gen/draw/draw.h"
#include "view.h"
#include "view_private.h"

/* Adds a file to the list, which grows in a. Returns it, valid until the next call. */
hm_raw_file *hm_pages_add_file(hm_pages *out, hm_arena *a, hm_str path, hm_raw_bytes_fn *bytes,
                               uint32_t index);

/* --- a model in the making --- */

struct hm_model {
  const hm_view *v;
  const hm_page *p;
  hm_arena *a;
  size_t bytes; /* of the page so far, by estimate, in the largest of its forms */
};

#define HM_SHOWN 12 /* rows of a section of the overview */

/* True when the page has more than this many bytes, so that a list must end. */
static inline bool hm_model_is_full(const hm_model *m, size_t bytes) { return m->bytes > bytes; }
/* The size of the page at which a section that begins here must end. */
static inline size_t hm_model_section_end(const hm_model *m) {
  size_t end = m->bytes + HM_PART_BYTES / 3;
  return end < HM_PART_BYTES ? end : HM_PART_BYTES;
}
/* Adds the length of a text that the page shows to bytes. */
static inline void hm_model_count_text(hm_model *m, hm_str s) { m->bytes += 16 + hm_page_bytes(s); }

/* Sets a fact, escaped when printed. */
static inline void hm_model_set_text(hm_model *m, hm_node *o, const char *key, hm_str s) {
  hm_model_count_text(m, s);
  hm_node_set_text(o, key, s);
}
/* Sets a text that the program made. */
static inline void hm_model_set_raw(hm_model *m, hm_node *o, const char *key, hm_str s) {
  hm_model_count_text(m, s);
  hm_node_set(o, key, hm_node_new_raw(m->a, s));
}
/* How many, as a reader reads it: "1,234"; 0 is false. */
static inline void hm_model_set_count(hm_model *m, hm_node *o, const char *key, uint64_t n) {
  if (n < 1000)
    hm_node_set_int(o, key, (int64_t)n);
  else
    hm_model_set_raw(m, o, key, hm_format_grouped_number(m->a, n));
}
/* Sets heading, title and description. */
void hm_model_set_titles(hm_model *m, hm_node *top, hm_str heading, hm_str title,
                         hm_str description);
/* As hm_model_set_titles, with one text for heading and title. */
static inline void hm_model_set_heading(hm_model *m, hm_node *top, hm_str title,
                                        hm_str description) {
  hm_model_set_titles(m, top, title, title, description);
}
/* Sets a fact as one short line. */
static inline void hm_model_set_short(hm_model *m, hm_node *o, const char *key, hm_str s,
                                      size_t max) {
  hm_model_set_text(m, o, key, hm_shorten(m->a, s, max));
}
hm_node *hm_model_add_item(hm_model *m, hm_node *list);
/* Sets a link to a page of the mirror; an empty path gives an empty url. */
void hm_model_set_url(hm_model *m, hm_node *o, const char *key, hm_str path, hm_str anchor);
/* {label, url} at key. */
hm_node *hm_model_set_ref(hm_model *m, hm_node *o, const char *key, hm_str label, hm_str path,
                          hm_str anchor);
/* {label, url} of a row at key; url is empty when no page lists it, the label "withheld" when it is
 * left out. */
void hm_model_set_row_link(hm_model *m, hm_node *o, const char *key, uint32_t row);
/* As hm_model_set_row_link with another label; the row must not be left out. */
void hm_model_set_named_row_link(hm_model *m, hm_node *o, const char *key, uint32_t row,
                                 hm_str label);
/* As hm_model_set_row_link for the row that ref names ("entity:e1", or an entity's id); sets false
 * when there is none. */
void hm_model_set_row_link_by_ref(hm_model *m, hm_node *o, const char *key, hm_str ref);
void hm_model_set_row_link_fields(hm_model *m, hm_node *o,
                                  uint32_t row); /* label, url into o itself */

/* Sets "size", with which the title of a drawing ends: "596 by 130 pixels", "152 pixels high" or
 * "about 500 pixels high"; the HTML keeps that room free (core/markdown/markdown.h). */
void hm_model_set_drawing_size(hm_model *m, hm_node *o, hm_draw_size size);

/* True when the row is not in the map yet; adds it. a: of the map. */
bool hm_add_row_if_new(hm_map *seen, hm_arena *a, uint32_t row);

/* --- dates --- */
/* {exact, words} at key, or false for an empty text; exact is empty when the text is no date. */
void hm_model_set_date(hm_model *m, hm_node *o, const char *key, hm_str text);
/* The same with hour and minute, in UTC, of a full time; of another text nothing. */
void hm_model_set_hour(hm_model *m, hm_node *o, const char *key, hm_str text);
/* {from, until} at key, each a date or false: when the row holds, as it says; or false. */
void hm_model_set_period(hm_model *m, hm_node *o, const char *key, const hm_row *r);
/* True when the row says since when or until when it holds. */
bool hm_row_has_window(const hm_row *r);

/* --- sentences --- */
/* "7 curated values, 30 entities and 1 memory"; rows: by layer. */
hm_str hm_format_fact_counts(hm_arena *a, const int64_t *rows);
/* "4 values are disputed, 1 waits for sign-off, 2 findings stand and 1 thing is not known" */
typedef struct {
  int64_t disputed, signoff, findings, unknown;
} hm_doubts;
hm_str hm_format_doubt_counts(hm_arena *a, const hm_doubts *n);
typedef struct {
  const char *name;
  bool empty;
} hm_section_name;
/* Sets "compared": what stands beside a count of disputes, as a sentence without its stop. */
void hm_model_set_compared(hm_model *m, hm_node *o, const hm_compared *c);
/* Sets "15 of 320" at key, or an empty text when all are shown. */
void hm_model_set_shown_of_all(hm_model *m, hm_node *o, const char *key, uint64_t shown,
                               uint64_t all);
/* Sets `nothing` to the names of the empty sections, or to an empty text. */
void hm_model_set_empty_sections(hm_model *m, hm_node *top, const hm_section_name *sections,
                                 size_t n);

/* --- values of rows, and lines (row_values.c) --- */
/* Sets v, the value of a row's field: {value, full: {url, bytes}, mark: {url}, trace: {label, url},
 * may}, each or false. */
void hm_model_set_value(hm_model *m, hm_node *o, hm_str value, uint32_t row, hm_str field);
/* As hm_model_set_value at key, for a value without a field that could be disputed. */
void hm_model_set_plain_value(hm_model *m, hm_node *o, const char *key, hm_str value);
/* marks: [{url}], the conflicts that a relation takes part in; may. */
void hm_model_set_relation_marks(hm_model *m, hm_node *o, uint32_t row);
/* "3 disputed inside", of what the row contains; or empty. */
hm_str hm_model_format_inside(hm_model *m, uint32_t row);
/* How the row stands besides its marked values: the disputes that are about it, those inside, and
 * with `findings` these, too. */
void hm_model_add_standing_lines(hm_model *m, hm_node *lines, uint32_t row, bool findings);
/* Adds links to the findings about a row, the first behind the text `first`. */
void hm_model_add_finding_refs(hm_model *m, hm_node *refs, uint32_t row, hm_str first);
/* marks: [{url}], the disputes that are about the row, not of a field of it. */
void hm_model_set_subject_marks(hm_model *m, hm_node *o, uint32_t row);
/* As hm_model_set_relation_marks for a row that a line links to: shows only its first conflict. */
void hm_model_set_row_marks(hm_model *m, hm_node *o, uint32_t row);
/* Sets claim_kind: "subjective", "prophetic", or empty when the row states a fact. */
void hm_model_set_claim_kind(hm_model *m, hm_node *o, uint32_t row);
/* lines: {name, prop (bool), v, date and period or false, refs: [{label, url, note, sep}]}. */
hm_node *hm_model_add_line(hm_model *m, hm_node *lines, const char *name);
void hm_model_add_text_line(hm_model *m, hm_node *lines, const char *name,
                            hm_str text); /* nothing when empty */
void hm_model_add_date_line(hm_model *m, hm_node *lines, const char *name,
                            hm_str text); /* likewise */
/* Sets the texts before (sep) and after (note) the link of one of a line's refs. */
void hm_model_set_ref_note(hm_model *m, hm_node *ref, hm_str sep, hm_str note);

/* --- what happened to a row (row_values.c) --- */
/* The traces of a relation as lines. */
void hm_model_add_past_conflict_lines(hm_model *m, hm_node *lines, uint32_t row);
/* Adds "Since: 2 Apr 2026; before: PTFE" for a row that superseded others. */
void hm_model_add_earlier_values_line(hm_model *m, hm_node *lines, uint32_t row);
/* Sets before: [{label, url, sep}], the earlier values, linked. */
void hm_model_set_earlier_values(hm_model *m, hm_node *item, uint32_t row);
/* Adds what the row superseded and what superseded it. */
void hm_model_add_supersession_lines(hm_model *m, hm_node *lines, uint32_t row);
/* Returns why one row superseded the other, for an edge NEWER or OLDER of this row; *conflict: the
 * conflict that decided it, if one did. */
hm_str hm_model_format_reason(hm_model *m, uint32_t row, const hm_edge *e, uint32_t *conflict);
/* Sets by: {id, url} of the conflict whose verdict made one row supersede another. */
void hm_model_set_deciding_conflict(hm_model *m, hm_node *o, uint32_t conflict);
/* The row's reason: its property rationale, reason or why; else empty. */
hm_str hm_model_find_rationale_in(hm_model *m, hm_str props);

/* --- the story of texts (story_lines.c) --- */
/* Sets *out to the shown part of the conflict's story. Returns false when it has none. */
bool hm_view_find_story(const hm_view *v, const hm_vconflict *c, hm_arena *a,
                        hm_conflict_story *out);
/* Sets a conflict's question, answers, arc and values (hmirror-templates(5)); each false or empty
 * when no text takes part. */
void hm_model_set_conflict_story(hm_model *m, hm_node *top, const hm_vconflict *c);
/* Sets settled_later: whether a later statement that is shown settles the conflict. */
void hm_model_set_settled_later(hm_model *m, hm_node *item, const hm_vconflict *c);
/* Adds a line "Overtaken by" for each claim of the row that a shown statement overtook. */
void hm_model_add_overtaken_lines(hm_model *m, hm_node *lines, uint32_t row);
/* Sets overtaken: [{label, url, value, why, sep}], the same claims as a list. */
void hm_model_set_overtaken(hm_model *m, hm_node *item, uint32_t row);

/* --- rows as lines (row_lines.c) --- */
/* Puts all facts of a row into a new list "lines" of o. */
void hm_model_set_row_lines(hm_model *m, hm_node *o, uint32_t row);
/* As hm_model_set_row_lines, without relations and links. */
void hm_model_set_own_lines(hm_model *m, hm_node *o, uint32_t row);
/* Adds the links from and to the row, the first HM_REFS. */
void hm_model_add_link_lines(hm_model *m, hm_node *lines, uint32_t row);
/* Adds only the row's properties and description. */
void hm_model_add_field_lines(hm_model *m, hm_node *lines, uint32_t row);
/* "AFFECTS → frame" */
void hm_model_add_relation_line(hm_model *m, hm_node *lines, const hm_edge *e);
void hm_model_add_source_line(hm_model *m, hm_node *lines, uint32_t row);
/* Adds a row to a list: anchor, label, url, lines, active... */
hm_node *hm_model_add_row_item(hm_model *m, hm_node *list, uint32_t row);
hm_str hm_model_format_sources(hm_model *m, uint32_t row); /* joined by "; " */
/* The address of a source, where it is one itself or is "PATH:LINE" of a file of notes and the
 * mirror knows where these are; empty: none. gone: without the line, which may be another by now.
 */
hm_str hm_model_source_address(hm_model *m, hm_str source, bool gone);
/* Is the row superseded or invalid? */
bool hm_model_row_is_gone(const hm_model *m, uint32_t row);
/* Sets "source_url" to the address of the only source of a list, or of the note that stands before
 * those to which it links; false: there is none. gone: as above. */
void hm_model_set_source_url(hm_model *m, hm_node *o, hm_str refs, bool gone);
/* The commit that last changed the line on which the row stands by its sources, refs, in words, or
 * empty; none of a row that is gone. */
hm_str hm_model_find_commit(const hm_model *m, uint32_t row, hm_str refs);
hm_str hm_model_format_refs(hm_model *m, hm_str refs); /* the same of a list */
/* "was 1180 C until 25 Nov 2026 (firing card 4)", or empty; also where something is left out, since
 * it is not known whether that was when the row said it. refs: who says the value of now, as in
 * hm_row_detail.source_refs; who said both is not named again. */
hm_str hm_model_format_past(hm_model *m, hm_str past, hm_str refs);
/* "name was leg until 3 May 2026; type was ...": what names, types and ends of the row were. */
hm_str hm_model_format_past_names(hm_model *m, uint32_t row);

/* --- the sides of a conflict (conflict_sides.c) --- */
/* Adds each value as words, b set on those that differ: [{words: [{t, b}], v}]. */
enum { HM_WORDS_VALUES = 20 }; /* at most */
void hm_model_add_word_differences(hm_model *m, hm_node *list, const hm_str *values, size_t n);

/* One side of a conflict, whether in dispute now or only recorded. */
typedef struct {
  hm_layer layer;
  uint32_t row; /* HM_NONE: gone */
  hm_str id, field, value, against;
  bool flagged;
  bool removed;            /* the verdict took the field out of the row */
  const hm_value *says;    /* NULL: only recorded */
  hm_str same;             /* equal for sides that say one value */
  size_t number;           /* among the shown sides, from 1 */
  hm_str from;             /* who says it, where sources of the row differ; or empty */
  const hm_evidence *said; /* NULL: the row */
} hm_side;
/* Collects the parties while disputed, else the recorded members; highest trust first. */
size_t hm_collect_conflict_sides(hm_model *m, const hm_vconflict *c, hm_side **out);
/* "PATH:LINE" of a side that is a line of a document or a manifest; else empty. */
hm_str hm_model_side_line(hm_model *m, const hm_side *s);
/* Sets sides, the first *shown claims. recorded: they are no longer in dispute. */
void hm_model_set_sides(hm_model *m, hm_node *top, const hm_side *s, size_t n, bool recorded,
                        size_t *shown);
/* What the field of a row says today. */
hm_str hm_model_find_field_text(hm_model *m, uint32_t row, hm_str field);
/* A value and the sides that say it, in their order. */
typedef struct {
  const hm_side **sides;
  size_t n;
} hm_case_value;
/* Groups sides by value, in the order of each value's first side; in m->a. */
hm_case_value *hm_collect_case_values(hm_model *m, const hm_side *s, size_t n, size_t *n_values);
/* Sets cards, the values with the rows that say them, more_cards, and in_files. */
void hm_model_set_cards(hm_model *m, hm_node *top, const hm_vconflict *c,
                        const hm_case_value *values, size_t n);
/* Sets changes and differences, what differs between the values; differs: some of it can be
 * shown. */
void hm_model_set_differences(hm_model *m, hm_node *top, const hm_case_value *values, size_t n);

/* --- a conflict in words (conflict_sides.c) --- */
/* lead: who says what since when, in two sentences; lead_more. past: it is no longer in dispute. */
void hm_model_set_lead(hm_model *m, hm_node *top, const hm_case_value *values, size_t n, bool past);

/* --- a conflict as an item of lists (item_lists.c) --- */
/* Adds {title, url, since, values: [{v}], withheld, verdict...}. */
hm_node *hm_model_add_conflict_item(hm_model *m, hm_node *list, uint32_t conflict);
/* What the verdict did: "the winner stands, what contradicts it is superseded". */
hm_str hm_format_verdict_action(hm_model *m, const hm_conflict_rec *rec);
/* Sets winner: a list of {label, url}, the rows that the verdict kept. */
void hm_model_set_winners(hm_model *m, hm_node *o, const hm_conflict_rec *rec);
/* Sets gave_way: {rows: [{label, url, value, sep}]} or false, and gave_way_more: the rows that the
 * verdict superseded and that still are superseded. */
void hm_model_set_superseded_rows(hm_model *m, hm_node *o, uint32_t conflict);
/* As hm_model_add_conflict_item, labelled without its project, for lists of one project. */
hm_node *hm_model_add_conflict_of_project(hm_model *m, hm_node *list, uint32_t conflict);
/* "Polisher: spindle speed"; without a project as the conflict is named. */
hm_str hm_format_conflict_in_project(const hm_model *m, uint32_t conflict);
/* The table of disputes: {disputed: {conflicts}, has_disputed, more_disputed, disputed_cut,
 * conflicts_url}; of these conflicts, the first ones until the page has `end` bytes. */
void hm_model_set_disputed(hm_model *m, hm_node *top, const uint32_t *conflicts, size_t n,
                           size_t end);
/* The same of a row: disputes that are about it, with `own` those of its fields, too, then those of
 * what it contains; inside, and is_disputed, true if there are any of these. */
void hm_model_set_row_disputed(hm_model *m, hm_node *top, uint32_t row, bool own);
/* As hm_model_add_conflict_item, with its project beside it. */
hm_node *hm_model_add_conflict_with_project(hm_model *m, hm_node *list, uint32_t conflict);
/* "1 claim withheld", or empty. */
hm_str hm_model_format_withheld(hm_model *m, const hm_vconflict *c);
/* True when the conflicts have more bytes than a list may have. */
hm_is_long_fn hm_conflicts_are_long;

/* --- lists cut into pages (item_lists.c) --- */
/* Lists of projects, of open conflicts, and of those settled in a year, cut as other lists are. */
typedef struct {
  hm_str path, label;
  uint32_t from, to;
} hm_item_list_part; /* order[from..to) */
typedef struct hm_item_list hm_item_list;
struct hm_item_list {
  hm_str path, year, title; /* title: empty when it follows from the year */
  const uint32_t *order;    /* projects, or conflicts */
  hm_item_list_part *parts;
  uint32_t n;    /* n is 1 when the page at path shows them itself */
  bool is_apart; /* its only part still has a page of its own */
  hm_item_list *years;
  uint32_t n_years; /* for the open conflicts: a list for each year in which one was
                       settled, sorted */
};
/* An item to list; sorted by year, then by key. */
typedef struct {
  hm_str year, key;
  uint32_t item;
} hm_keyed_item;
void hm_keyed_items_sort(hm_keyed_item *k, size_t n);
/* hm_item_list_fill passes it to is_long. */
typedef struct {
  const hm_view *v;
  const hm_keyed_item *k;
} hm_keyed_items;
/* Fills out, whose path is set, with the list of n items and its parts in files of `folder`. k must
 * be sorted, except for HM_SPLIT_NAME, which sorts by other keys. */
void hm_item_list_fill(const hm_view *v, hm_arena *a, const hm_keyed_item *k, uint32_t n,
                       hm_split_kind kind, hm_is_long_fn *is_long, hm_str folder,
                       hm_item_list *out);
/* Sets parts: [{label, url, count_text}], links to the parts of a list that has several, and
 * has_parts. list may be NULL. */
void hm_model_set_parts(hm_model *m, hm_node *top, const hm_item_list *list);

/* --- indexes of conflicts (conflict_list_pages.c) --- */
typedef struct hm_conflict_index hm_conflict_index;
hm_conflict_index *hm_conflict_index_new(const hm_view *v, hm_arena *a);
/* The open conflicts by project, with the years of the settled ones. */
const hm_item_list *hm_get_open_conflict_list(const hm_conflict_index *x);
/* True when there are so many that pages list them in other orders, too. List i of these: 0 by
 * date, then by layer; NULL when there is no more. */
bool hm_conflicts_have_other_orders(const hm_conflict_index *x);
const hm_item_list *hm_get_ordered_conflict_list(const hm_conflict_index *x, uint32_t i);

/* --- findings (findings.c) --- */
/* How many rules have their own list besides the index; the list of one. */
uint32_t hm_count_finding_rule_lists(const hm_finding_lists *l);
const hm_item_list *hm_get_finding_rule_list(const hm_finding_lists *l, uint32_t i);
/* Orders by severity, the worst first; within a rule by message, in natural order. */
int hm_finding_cmp(const hm_finding *a, const hm_finding *b);
/* {anchor, id, subject, message, expected, actual, rows: [{label, url, sep}], more_rows, project};
 * subject: the first row, when the message does not name it. */
hm_node *hm_model_add_finding(hm_model *m, hm_node *list, const hm_finding *f);

/* --- timelines (timeline.c) --- */
/* Sets timeline: {url} of the page's drawing and what its legend names, or false. Exactly one of e
 * and c is not NULL. */
void hm_model_set_timeline(hm_model *m, hm_node *top, const hm_ventity *e, const hm_vconflict *c);
void hm_list_timeline_files(const hm_view *v, hm_arena *a, hm_pages *out);

/* --- what the last publications changed (change_pages.c) --- */
bool hm_project_has_changes(const hm_view *v, uint32_t project);
/* changed: {day, counts, url, changes: [{label, url, text}], more, line} of the newest publication
 * that changed the project, or (HM_NONE) of the newest; or false. */
void hm_model_set_newest_changes(hm_model *m, hm_node *top, uint32_t project);
void hm_list_change_files(const hm_view *v, hm_arena *a, hm_pages *out);

/* --- drawings of a project: graphs.c --- */
/* "projects/p/pictures/relations.md", and beside it the drawing. */
hm_str hm_graph_path(const hm_view *v, uint32_t project, hm_graph_kind kind, hm_arena *a);
/* True when the graph is not empty and small enough to draw. */
bool hm_graph_is_drawn(const hm_view *v, uint32_t project, hm_graph_kind kind);
/* {title, words, url, drawing: {url} or false} to the list. */
void hm_model_add_graph_item(hm_model *m, hm_node *list, uint32_t project, hm_graph_kind kind);
void hm_list_graph_files(const hm_view *v, hm_arena *a, hm_pages *out);

/* --- the page of pictures, and counts of disputes by time: pictures.c --- */
/* The page of a project, or of all (HM_NONE). Empty when there is nothing to show. */
hm_str hm_pictures_path(const hm_view *v, uint32_t project, hm_arena *a);
void hm_list_chart_files(const hm_view *v, hm_arena *a, hm_pages *out);

/* --- sources (sources.c) --- */
typedef struct hm_source_list hm_source_list;
hm_source_list *hm_source_list_new(const hm_view *v, hm_arena *a);
const hm_item_list *hm_source_item_list(const hm_source_list *l);
/* How many there are; the text of one. */
uint32_t hm_count_sources(const hm_source_list *l);
hm_str hm_source_label(const hm_source_list *l, uint32_t i);
/* The page that lists the source with this label, and its anchor there; empty when none does. */
hm_str hm_find_source_page(const hm_source_list *l, hm_str label, hm_arena *a, hm_str *anchor);
/* Sets sources, where the rows of a project come from. Returns how many there are. */
uint32_t hm_model_set_project_sources(hm_model *m, hm_node *top, uint32_t project);

/* --- candidates (list_pages.c) --- */
typedef struct hm_candidate_index hm_candidate_index;
/* What each published candidate would contradict. The claims of the sweep must be there. */
int hm_candidate_index_new(const hm_view *v, hm_arena *a, hm_candidate_index **out, hm_err *err);
/* Those of a project; NULL: it has none. */
const hm_item_list *hm_candidate_list(const hm_candidate_index *x, uint32_t project);
/* Sets candidates, their number, one_candidate and candidates_url. */
void hm_model_set_candidates(hm_model *m, hm_node *o, int64_t n, uint32_t project);

/* --- lists of the root (root_pages.c) --- */
hm_item_list *hm_project_list_new(const hm_view *v, hm_arena *a);
/* All names, from A to Z. */
hm_item_list *hm_a_to_z_new(const hm_view *v, hm_arena *a);

/* Overview's parts. */
bool hm_model_set_subsystem_tree(hm_model *m, hm_node *top,
                                 uint32_t project); /* subsystems.c; false: empty */
/* Groups rows of state below headings of their categories, while rows are added in order. */
typedef struct {
  hm_node *categories, *item, *rows;
  hm_str last;
  uint32_t n, windows; /* rows of the current category, and those with a validity window */
  bool confidences;
} hm_categories;
/* True when at least half of the rows have a value for a column; else it is shown beside another
 * column's values. */
static inline bool hm_wants_column(uint32_t say, uint32_t n) { return say && 2 * say >= n; }

/* --- files that are no pages (data.c) --- */
void hm_list_non_page_files(const hm_view *v, const hm_source_list *sources, hm_arena *a,
                            hm_pages *out);

/* --- the families, a file each --- */
hm_page_fn hm_page_root, hm_page_overview, hm_page_decisions, hm_page_decisions_index,
    hm_page_subsystem, hm_page_list, hm_page_state, hm_page_parts, hm_page_entities_index,
    hm_page_memories_index, hm_page_conflict, hm_page_conflicts, hm_page_conflicts_part,
    hm_page_conflicts_newest, hm_page_conflicts_oldest, hm_page_conflicts_by_layer, hm_page_sources,
    hm_page_sources_part, hm_page_archive, hm_page_archive_index, hm_page_projects_part,
    hm_page_search, hm_page_glossary, hm_page_a_to_z, hm_page_a_to_z_part, hm_page_entity,
    hm_page_findings, hm_page_findings_part, hm_page_findings_parts, hm_page_pictures,
    hm_page_graph, hm_page_changes, hm_page_candidates;
#endif
