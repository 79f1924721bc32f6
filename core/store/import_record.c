/* One record of an import: compared with what its source said last, then stored.
 *
 * A verdict in a conflict's record waits for core/review if it supersedes rows. Else it is stored
 * as it is, as from a backup. */
#include <string.h>

#include "core/record/record_edit.h"
#include "core/store/import_impl.h"
#include "core/record/journal.h"
#include "core/record/judge_queue.h"
#include "core/store/links.h"
#include "core/store/verdict_lines.h"

static const char ANCHOR_TAKEN[] =
    "SELECT 1 FROM conflicts WHERE slot_key = ?1 AND anchor = ?3 AND rule = ?4 AND status = 'open'"
    " AND id <> ?2";
static const char OVERTAKEN[] =
    "SELECT 1 FROM conflicts AS c JOIN conflict_members AS w ON w.conflict_id = c.id"
    " JOIN conflict_members AS m ON m.conflict_id = c.id"
    " WHERE c.slot_key = ?1 AND c.id <> ?2 AND julianday(c.detected_at) >= julianday(?3)"
    " AND w.member_kind || ':' || w.member_id = ?4 AND m.member_kind || ':' || m.member_id = ?5";

/* --- verdicts --------------------------------------------------------------- */

/* Verdicts wait until core/review finds the conflict that they are about, which may be one that no
 * sweep has opened yet. */
static int keep_verdict(hm_import_run *im, const hm_verdict_line *v, bool *added) {
  if (hm_store_add_verdict(im->s, v, &im->opt->who, im->arena, added, im->place.err))
    return -1;
  im->counts->verdicts += *added;
  return 0;
}

int hm_import_verdict(hm_import_run *im, const hm_json *json, int64_t **outcome) {
  hm_verdict_line v;
  bool added;
  if (hm_verdict_line_parse(json, im->arena, &v, im->place.err)) {
    const hm_json *at = hm_json_get(json, im->place.err->field);
    if (at)
      im->place.err->at = at->at;
    return hm_record_error(&im->place, hm_str_dup(im->arena, hm_str_c(im->place.err->field)));
  }
  if (keep_verdict(im, &v, &added))
    return -1;
  *outcome = added ? &im->counts->added : &im->counts->unchanged;
  return 0;
}

/* --- world.yml ------------------------------------------------------------------ */

int hm_import_world_file(hm_import_run *im, const hm_json *json, int64_t **outcome) {
  const hm_import_options *opt = im->opt;
  const hm_json *text = hm_json_get(json, "text");
  bool is_new = false;
  if (!text || text->type != HM_JSON_STRING)
    return hm_record_bad(&im->place, "text", "not the text of a world.yml",
                         "write {\"kind\":\"world\",\"text\":\"...\"}, as an export does");
  if (!opt->world)
    return hm_record_bad(&im->place, "kind", "a world.yml, which a store cannot hold",
                         "import it into a mirror");
  if (opt->world(opt->world_ctx, im->s, text->text, &is_new, im->place.err))
    return -1;
  *outcome = is_new ? &im->counts->added : &im->counts->unchanged;
  return 0;
}

static hm_str text_in(const hm_record *r, const hm_cell *cells, const char *name) {
  return hm_cell_text(r->kind, cells, name);
}

static bool is_settled(const hm_record *r, const hm_cell *cells) {
  hm_str status = text_in(r, cells, "status");
  return hm_str_is(status, "resolved") || hm_str_is(status, "dismissed");
}

/* The verdict that a conflict's record says; where the record lacks something, by the conflict's.
 */
static int verdict_of(hm_import_run *im, const hm_record *r, const hm_cell *before,
                      hm_verdict_line *v) {
  hm_str members = text_in(r, r->cells, "members");
  if (!members.n && before)
    members = text_in(r, before, "members");
  hm_verdict_from_cells(r->cells, v);
  if (!v->slot_key.n && before)
    v->slot_key = text_in(r, before, "slot_key");
  if (v->slot_key.n && !v->rule.n)
    v->rule = before ? text_in(r, before, "rule") : HM_STR("slot/1");
  if (hm_members_parse_cell(members, &v->members, &v->n_members, im->arena, im->place.err))
    return -1;
  v->id = hm_verdict_line_id(v, im->arena);
  if (!hm_verdict_line_supersedes(v) || v->winner.n)
    return 0;
  return hm_record_bad(&im->place, "winner", "missing", "name the row that stands, as kind:id");
}

/* True if a winner and a row that gave way were found in dispute again after the verdict: somebody
 * restored the row, and the later conflict decides about it. */
static int is_overtaken(hm_import_run *im, hm_str id, const hm_verdict_line *v, hm_str ref,
                        bool *overtaken) {
  hm_str *winners;
  size_t n = hm_winners_parse(im->arena, v->winner, &winners);
  *overtaken = false;
  for (size_t k = 0; k < n && !*overtaken; k++)
    if (hm_sql_has(im->s, OVERTAKEN,
                   HM_ARGS(hm_arg_text(v->slot_key), hm_arg_text(id), hm_arg_text(v->at),
                           hm_arg_text(winners[k]), hm_arg_text(ref)),
                   overtaken, im->place.err))
      return -1;
  return 0;
}

/* True if the verdict was not carried out here: a winner and a member that it supersedes are both
 * active. Members that only lost a field, or that say what a winner says, do not count. With
 * supersede_opponents, or if a store wrote the record (it has an anchor): once a member was
 * superseded by a winner, lost its field or was in dispute since, the verdict was carried out, and
 * what is active was restored later. */
static int is_undone(hm_import_run *im, const hm_record *r, const hm_verdict_line *v,
                     bool *undone) {
  bool stands = false, other = false, gave_way = false;
  hm_str *winners, *says;
  size_t n = hm_winners_parse(im->arena, v->winner, &winners);
  *undone = false;
  if (!hm_verdict_line_supersedes(v))
    return 0;
  says = hm_alloc_array(im->arena, n, sizeof *says);
  for (size_t k = 0; k < n; k++)
    says[k] = hm_verdict_line_value(v, winners[k]);
  for (size_t i = 0; i < v->n_members; i++) {
    const hm_member_rec *m = &v->members[i];
    hm_column row[] = { { "status", HM_EMPTY }, { "superseded_by", HM_EMPTY } };
    bool found = false, wins = false, says_so = false;
    hm_str ref = hm_ref_text(im->arena, m->layer, m->id);
    if (hm_store_get_columns(im->s, ref, row, 2, &found, im->arena, im->place.err))
      return -1;
    gave_way |= m->removed;
    if (!found)
      continue;
    bool active = hm_str_is(row[0].value, "active");
    hm_str by = row[1].value.p ? row[1].value : HM_EMPTY;
    for (size_t k = 0; k < n; k++) {
      wins |= hm_str_eq(ref, winners[k]);
      says_so |= hm_str_eq(m->normal, says[k]);
      gave_way |= hm_str_is(row[0].value, "superseded") &&
          (hm_str_eq(by, winners[k]) ||
           hm_str_eq(hm_ref_text(im->arena, m->layer, by), winners[k]));
    }
    if (wins)
      stands |= active;
    else if (active && !m->removed && !(hm_str_is(v->action, "supersede_opponents") && says_so)) {
      other = true;
      if (!gave_way && is_overtaken(im, r->cells[0].text, v, ref, &gave_way))
        return -1;
    }
  }
  bool carried_out =
      gave_way && (hm_str_is(v->action, "supersede_opponents") || text_in(r, r->cells, "anchor").n);
  *undone = stands && other && !carried_out;
  return 0;
}

/* Removes the verdict from a conflict's record if it must be carried out as by the command: it
 * supersedes rows, or the conflict does not exist yet. The record then says that the conflict is
 * open. *only: the record has nothing else to store; *added: the verdict was not known; *put_off: a
 * later line may say that the verdict was undone since. */
static int take_verdict(hm_import_run *im, hm_record *r, const hm_cell *before, bool *only,
                        bool *added, bool *put_off) {
  static const char *const columns[] = { "status", "resolved_at", "resolution", "action",
                                         "winner", "resolved_by", "scope",      "winner_source" };
  hm_verdict_line v;
  bool undone = false;
  *only = *added = *put_off = false;
  if (r->index != HM_K_CONFLICT || !is_settled(r, r->cells))
    return 0;
  if (before && is_settled(r, before))
    return 0;
  if (verdict_of(im, r, before, &v))
    return -1;
  *only = !before && !(text_in(r, r->cells, "slot_key").n && text_in(r, r->cells, "detected_at").n);
  if (!*only && is_undone(im, r, &v, &undone))
    return -1;
  *put_off = undone && !im->is_late;
  if (*put_off || (!*only && !undone))
    return 0;
  if (keep_verdict(im, &v, added))
    return -1;
  for (size_t i = 0; i < HM_COUNT(columns); i++)
    r->cells[hm_field_of_column(r->kind, columns[i])] = (hm_cell){ HM_CELL_ABSENT, HM_EMPTY };
  return 0;
}

/* --- records ---------------------------------------------------------------- */

static hm_str ref_of(const hm_record *r, hm_arena *a) {
  hm_buf b = { 0 };
  hm_buf_c(&b, r->kind->name);
  for (int i = 0; i < r->kind->n && r->kind->fields[i].flags & HM_F_KEY; i++) {
    hm_buf_ch(&b, i ? ' ' : ':');
    hm_buf_str(&b, r->cells[i].text);
  }
  return hm_buf_take(&b, a);
}

/* An open conflict may take its anchor only once the line that settles the anchor's former one has
 * been read, which in an export may come later. */
static int is_anchor_taken(hm_import_run *im, const hm_record *r, const hm_cell *after,
                           bool *taken) {
  *taken = false;
  if (r->index != HM_K_CONFLICT || !hm_str_is(text_in(r, after, "status"), "open"))
    return 0;
  hm_str anchor = text_in(r, after, "anchor");
  if (!anchor.n)
    return 0;
  if (hm_sql_has(im->s, ANCHOR_TAKEN,
                 HM_ARGS(hm_arg_text(text_in(r, after, "slot_key")), hm_arg_text(after[0].text),
                         hm_arg_text(anchor),
                         hm_arg_text(hm_verdict_rule_name(
                             after[hm_field_of_key(r->kind, HM_STR("rule"))].text))),
                 taken, im->place.err))
    return -1;
  if (!*taken || !im->is_late)
    return 0;
  return hm_record_bad(&im->place, "slot_key", "another conflict is open on its anchor",
                       "settle one of the two");
}

/* Tells the names that the record has. */
static int tell_names(hm_import_run *im, const hm_record *r, const hm_cell *cells) {
  static const char *const columns[] = { [HM_NAME_PROJECT] = "project",
                                         [HM_NAME_MEMORY_TYPE] = "memory_type",
                                         [HM_NAME_ENTITY_TYPE] = "entity_type",
                                         [HM_NAME_RELATION_TYPE] = "type" };
  if (!im->opt->named || r->index < HM_K_MEMORY || r->index > HM_K_RELATION)
    return 0;
  for (int i = 0; i < HM_NAME_KINDS; i++) {
    hm_str name = text_in(r, cells, columns[i]);
    if (name.n && im->opt->named(im->opt->named_ctx, im->s, (hm_name_kind)i, name, im->place.err))
      return -1;
  }
  return 0;
}

/* After the record is stored: reports the kept fields and saves what the source says. row: as it is
 * stored. */
static int conclude(hm_import_run *im, const hm_import_comparison *c, const hm_cell *row) {
  hm_import_counts *n = im->counts;
  n->kept += c->keeps_status;
  for (size_t i = 0; i < c->n_kept; i++) {
    n->disagreed += c->kept[i].what == HM_KEPT_OTHER_SOURCE;
    n->taken_out += c->kept[i].what == HM_KEPT_TAKEN_OUT;
    n->redacted += c->kept[i].what == HM_KEPT_REDACTED;
    if (im->opt->kept_field)
      im->opt->kept_field(im->opt->kept_field_ctx, &c->kept[i]);
  }
  return c->said.n ? hm_evidence_save(im->s, &c->said, row, im->place.err) : 0;
}

/* Of a recorded conflict an import changes what a verdict did, unless one stands here; all else is
 * found by sweeps. True: it changes nothing. */
static bool conflict_stays(const hm_import_run *im, const hm_record *r, const hm_cell *before,
                           hm_import_comparison *c) {
  hm_str is = text_in(r, before, "status"), says = text_in(r, r->cells, "status");
  if (!says.n || hm_str_eq(is, says))
    return true;
  if (hm_str_is(is, "open") || im->opt->override_verdicts)
    return false;
  hm_import_kept_field *kept = hm_alloc(im->arena, sizeof *kept);
  *kept = (hm_import_kept_field){ HM_KEPT_BY_VERDICT, ref_of(r, im->arena), HM_STR("status"),
                                  im->opt->source, HM_EMPTY };
  c->keeps_status = true;
  c->kept = kept;
  c->n_kept = 1;
  return true;
}

/* A constraint that fails for a record is an error of the record, not of the store. */
static int refuse_record(hm_import_run *im) {
  hm_err *err = im->place.err;
  if (err->code == HM_E_INPUT)
    return hm_record_error(&im->place, hm_str_dup(im->arena, hm_str_c(err->what)));
  if (!im->s->refused)
    return -1;
  return hm_record_bad(&im->place, "", hm_str_dup(im->arena, hm_str_c(err->why)).p, err->fix);
}

static void tell_change(const hm_import_run *im, const hm_record *r, hm_str ref,
                        const hm_cell *before, const hm_cell *after, bool found) {
  hm_str keys[HM_MAX_FIELDS];
  hm_import_change c = { .ref = ref, .added = !found, .keys = keys };
  if (!im->opt->changed)
    return;
  for (int i = 0; i < r->kind->n; i++) {
    const char *key = r->kind->fields[i].key;
    if (!key ||
        (found && before[i].state == after[i].state && hm_str_eq(before[i].text, after[i].text)))
      continue;
    if (found || r->cells[i].state == HM_CELL_TEXT)
      keys[c.n_keys++] = hm_str_c(key);
  }
  im->opt->changed(im->opt->changed_ctx, &c);
}

/* --- one record ---------------------------------------------------------------------------- */

/* What a source says of a row, as a store exported it. The stream's own line of the row said what
 * follows from all of them, and is no statement beside them unless it says something else. */
static int import_evidence(hm_import_run *im, const hm_record *r, int64_t **outcome) {
  hm_arena *a = im->arena;
  hm_err *err = im->place.err;
  hm_cell row[HM_MAX_FIELDS + 1] = { { HM_CELL_TEXT, HM_EMPTY } };
  hm_str ref = r->cells[0].text;
  hm_kind_index k = hm_kind_parse_ref(ref, &row[0].text);
  bool found = false, changed, moved;
  hm_said_set set;
  if (k > HM_K_RELATION)
    return hm_record_bad(&im->place, "row", "no row", "name a row, as kind:id");
  if (hm_record_load(im->s, k, row, &found, a, err))
    return -1;
  if (!found)
    return hm_record_bad(&im->place, "row", "there is no such row",
                         "write its record before what is said of it");
  hm_str old = hm_record_json(&hm_kinds[k], row, a);
  if (hm_evidence_load(im->s, k, ref, row, a, &set, err) ||
      hm_evidence_take(im->s, &im->place, &set, r, im->opt->source, row, &changed, &moved))
    return -1;
  if (moved &&
      (hm_record_save(im->s, k, row, false, a, err) ||
       hm_journal_add(im->s, &im->opt->who, "import", ref, old,
                      hm_record_json(&hm_kinds[k], row, a), err)))
    return -1;
  *outcome = moved ? &im->counts->updated : NULL;
  return hm_evidence_save(im->s, &set, row, err);
}

/* A file is stored as it is, and told of: what it has may be history that nobody can correct. */
static void tell_odd(hm_import_run *im, const hm_record *r, const hm_cell *after) {
  hm_err why = { 0 };
  hm_record_place place = im->place;
  place.err = &why;
  if (r->index > HM_K_RELATION || !hm_record_check(&place, r, after))
    return;
  im->counts->odd++;
  if (im->opt->odd)
    im->opt->odd(im->opt->odd_ctx, &why);
}

int hm_import_record(hm_import_run *im, hm_record *r, bool *put_off, int64_t **outcome) {
  hm_cell before[HM_MAX_FIELDS + 1], after[HM_MAX_FIELDS + 1];
  hm_import_comparison compared = { 0 };
  hm_import_counts *n = im->counts;
  hm_err *err = im->place.err;
  hm_str ref = ref_of(r, im->arena);
  bool found, only_verdict, new_verdict;
  memcpy(before, r->cells, sizeof before);
  if (hm_record_load(im->s, r->index, before, &found, im->arena, err) ||
      take_verdict(im, r, found ? before : NULL, &only_verdict, &new_verdict, put_off))
    return -1;
  if (*put_off)
    return 0;
  if (only_verdict) {
    *outcome = new_verdict ? &n->added : &n->unchanged;
    return 0;
  }
  if (found && hm_kind_is_statement(r->index)) { /* perhaps redacted since */
    *outcome = &n->unchanged;
    return 0;
  }
  /* A link that somebody removed stays removed, even if a file still has it. */
  if (!found && r->index == HM_K_LINK) {
    const hm_link link = { before[0].text, before[1].text, before[2].text };
    hm_link_past past;
    if (hm_link_past_read(im->s, &link, &past, im->arena, err))
      return -1;
    if (past.removed) {
      *outcome = &n->unchanged;
      return 0;
    }
  }
  if (r->index == HM_K_EVIDENCE)
    return import_evidence(im, r, outcome);
  /* before holds a row, of the store or, where that was deleted, of the journal */
  bool known = found;
  if (!found && r->index == HM_K_CONFLICT && hm_import_revive(im, ref, r, before, &known))
    return -1;
  if (known && r->index == HM_K_CONFLICT && conflict_stays(im, r, before, &compared)) {
    memcpy(after, before, sizeof after);
  } else if (im->opt->source.n && r->index <= HM_K_RELATION) {
    if (hm_import_compare(im, ref, r, before, &known, after, &compared))
      return -1;
  } else if (hm_record_merge(&im->place, r, known ? before : NULL, after)) {
    return -1;
  }
  if (is_anchor_taken(im, r, after, put_off))
    return -1;
  if (*put_off)
    return 0;
  hm_str old = found ? hm_record_json(r->kind, before, im->arena) : HM_EMPTY,
         new = hm_record_json(r->kind, after, im->arena);
  *outcome = found ? &n->updated : &n->added;
  if (found && hm_str_eq(old, new)) {
    *outcome = new_verdict ? &n->updated : &n->unchanged;
    return conclude(im, &compared, after);
  }
  if (tell_names(im, r, after))
    return -1;
  tell_odd(im, r, after);
  tell_change(im, r, ref, before, after, found);
  if (hm_record_save(im->s, r->index, after, !found, im->arena, err))
    return refuse_record(im);
  if (hm_journal_add(im->s, &im->opt->who, "import", ref, old, new, err) ||
      (r->index <= HM_K_RELATION && hm_judge_queue_add(im->s, ref, err)))
    return -1;
  return conclude(im, &compared, after);
}
