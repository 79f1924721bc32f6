/* What a part of the store is that is swept alone: an entity, a project, an era.
 *
 *   entity:ID    the entity and the relations at it; the slots of which the entity speaks
 *   project:ID   the rows of a project (id, alias or name), and relations of no project from them
 *   era:ERA      what holds or happened in it, certainly or perhaps, in every world that has such
 *                an era: rows by their bounds, entities also by when they existed. A row that says
 *                no time is in no era
 *   all          everything
 *
 * A conflict is in the scope if one of its members is, or its slot; a finding if it names a row
 * that is. What is recorded together is in the scope together: conflicts that merge or part. */
#ifndef HM_SWEEP_SCOPE_H
#define HM_SWEEP_SCOPE_H
#include "core/detect/sweep.h"

/* Is the text one of these forms? HM_E_USAGE: it is not. Whether the row or the era is there is
 * asked by the sweep. */
int hm_sweep_scope_check(hm_str text, hm_err *err);
/* Leaves in a whole sweep what is in the scope: plan, findings, n_acked; sets w->recorded to what
 * the findings on record become. w->snap is as read. HM_E_USAGE: there is no such entity, project
 * or era; the message names near ones. Cost: linear in the rows, conflicts and findings. */
int hm_sweep_cut_to_scope(hm_str text, const hm_rules *rules, int threads, hm_arena *a,
                          hm_sweep *w, hm_err *err);
#endif
