/* What may be said of a slot's name: it is made from texts of a row and of rows
 * that this row names. Each of its words must stand in what is shown of one
 * claiming row anyway: then it can give nothing away. */
#include "core/base/text.h"
#include "view_private.h"

/* A longer name would be shown cut. */
enum { NAME_BYTES = 256 };

/* A row can have as many conflicts as fields: its words are taken apart once. */
struct hm_teller { const hm_view *v; hm_arena *a; hm_map **words; };

hm_teller *hm_teller_new(const hm_view *v, hm_arena *a) {
  hm_teller *t = hm_alloc(a, sizeof *t);
  *t = (hm_teller){ .v = v, .a = a };
  if (v->any_hidden) t->words = hm_alloc_array(a, v->snap->n_rows + 1, sizeof *t->words);
  return t;
}

/* The next word of a folded name, from *at; false when there is none. */
static bool next_word(hm_str name, size_t *at, hm_str *word) {
  if (*at >= name.n) return false;
  size_t to = *at;
  while (to < name.n && name.p[to] != '_') to++;
  *word = hm_str_sub(name, *at, to);
  *at = to + 1;
  return true;
}

static void add(hm_teller *t, hm_map *words, hm_str text) {
  hm_str name = hm_text_name(t->a, text), word;
  for (size_t at = 0; next_word(name, &at, &word);) hm_map_add(words, word, 1);
}

static void add_props(hm_teller *t, hm_map *words, uint32_t row) {
  const hm_view *v = t->v;
  const hm_json *props = hm_view_props(v, row, t->a);
  for (const hm_json *p = props ? props->child : NULL; p; p = p->next) {
    add(t, words, p->key);
    add(t, words, hm_json_text(p, t->a));
    uint32_t other =
        p->type == HM_JSON_STRING ? hm_snapshot_row(v->snap, HM_ENTITY, p->text) : HM_NONE;
    if (other != HM_NONE && !v->hidden[other]) add(t, words, v->snap->rows[other].name);
  }
}

static const hm_map *words_of(hm_teller *t, uint32_t row) {
  if (t->words[row]) return t->words[row];
  const hm_row *r = &t->v->snap->rows[row];
  hm_map *words = t->words[row] = hm_alloc(t->a, sizeof *words);
  hm_map_init(words, t->a, 16);
  const hm_str own[] = { r->type, r->name, r->slot_rule, r->scope,
                         r->layer == HM_MEMORY ? r->text : HM_EMPTY };
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) add(t, words, own[i]);
  if (r->layer == HM_ENTITY) add_props(t, words, row);
  return words;
}

static bool row_tells(hm_teller *t, uint32_t row, hm_str name) {
  const hm_map *words = words_of(t, row);
  hm_str word;
  for (size_t at = 0; next_word(name, &at, &word);)
    if (hm_map_get(words, word) == HM_NONE) return false;
  return true;
}

bool hm_teller_may_name(hm_teller *t, const hm_vconflict *c, hm_str name) {
  const hm_view *v = t->v;
  if (!v->any_hidden) return true;
  hm_str folded = hm_text_name(t->a, name);
  if (folded.n > NAME_BYTES) return false;
  size_t n = c->dispute ? c->dispute->n : c->rec->n_members;
  for (size_t i = 0; i < n; i++) {
    const hm_member_rec *m = c->dispute ? NULL : &c->rec->members[i];
    uint32_t row =
        m ? hm_snapshot_row(v->snap, m->layer, m->id) : c->dispute->parties[i].claim->row;
    hm_str field = m ? m->field : c->dispute->parties[i].claim->field;
    if (row == HM_NONE || !hm_view_claim_shown(v, row, field, t->a)) continue;
    if (row_tells(t, row, folded)) return true;
  }
  return false;
}
