/* Blocks of JSON that quote the package.json of the tree: what they have otherwise, or what it has
 * no more. A block is a quotation where most of it stands in the file word by word, or of packages
 * nearly all names do; of others nobody knows whether they say what is there or what to write.
 * Asked are the files in whose folders the document lies. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/sort.h"
#include "core/base/text.h"
#include "core/foreign/record_maker.h"
#include "core/notes/notes_impl.h"

enum { BLOCK_MAX = 16 << 10, FILE_MAX = 64 << 10, QUOTED_MAX = 50, DEEP = 4, SHOWN = 120 };

/* What a block says that a file has not, compared with one object of it. */
typedef struct {
  const hm_script_file *file;
  note_quote v[QUOTED_MAX];
  size_t n, same, lacks; /* lacks: those of v whose names the object has not */
  hm_arena *a;
} comparison;

/* --- the block ------------------------------------------------------------------------------- */

/* Blanks out comments, and commas behind which nothing comes, so that it is JSON. */
static void clean(char *s, size_t n) {
  bool text = false;
  size_t last = n; /* the last sign that is no blank */
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '"')
      text = !text;
    else if (text && s[i] == '\\')
      i++;
    else if (!text && s[i] == '/' && i + 1 < n && s[i + 1] == '/')
      while (i < n && s[i] != '\n')
        s[i++] = ' ';
    if (i >= n || hm_is_space(s[i]))
      continue;
    if (!text && (s[i] == '}' || s[i] == ']') && last < n && s[last] == ',')
      s[last] = ' ';
    last = i;
  }
}

/* The block of code from part `first` on, as an object; braces are added where it has none. NULL:
 * it is none. *from: where its text begins in what was read. */
static const hm_json *read_block(const hm_document *doc, uint32_t first, size_t *from,
                                 hm_arena *a) {
  hm_buf b = { 0 };
  uint32_t end = first;
  bool bare = !hm_char_at(hm_str_trim(doc->parts[first].text), 0, '{');
  *from = bare;
  if (bare)
    hm_buf_ch(&b, '{');
  for (; end < doc->n && b.n < BLOCK_MAX && doc->parts[end].block == doc->parts[first].block;
       end++) {
    hm_buf_str(&b, doc->parts[end].text);
    hm_buf_ch(&b, '\n');
  }
  if (bare)
    hm_buf_ch(&b, '}');
  clean(b.p, b.n);
  return hm_json_parse_as(a, hm_buf_take(&b, a), HM_JSON_OBJECT);
}

/* The line of the block in which byte `at` of its text stands. */
static uint32_t part_at(const hm_document *doc, uint32_t first, size_t at) {
  uint32_t part = first;
  for (size_t end = doc->parts[part].text.n; end < at && part + 1 < doc->n; part++)
    end += 1 + doc->parts[part + 1].text.n;
  return part;
}

/* Does what leads to the block say that it is there? */
static bool is_told(const hm_document *doc, uint32_t first, hm_arena *a) {
  const hm_doc_part *p = &doc->parts[first];
  hm_str headings = hm_doc_heading_path(doc, p->heading, a);
  hm_str lead = first && p[-1].kind != HM_DOC_CODE ? p[-1].text : HM_EMPTY;
  return !p->quoted && !note_is_of_other_time(p->text, headings, a) &&
      !note_is_of_other_time(lead, HM_EMPTY, a);
}

/* --- against a file -------------------------------------------------------------------------- */

static hm_str value_of(const hm_json *v, hm_arena *a) {
  enum { MOST = 50 };
  hm_str *texts, text = v->text;
  if (v->type == HM_JSON_ARRAY && v->count <= MOST) {
    text = HM_EMPTY;
    for (size_t i = 0, n = hm_json_texts(v, a, &texts); i < n; i++)
      text = HM_CAT(a, text, i ? HM_STR(", ") : HM_EMPTY, texts[i]);
  }
  return text.n ? text : hm_json_as_text(v, a);
}

/* path: of the object in the file. */
static void compare(comparison *c, const hm_json *said, const hm_json *there, hm_str path,
                    int deep) {
  static const char others[] = "author|description|license|name|private|version";
  for (const hm_json *v = said->child; v && c->n < QUOTED_MAX; v = v->next) {
    const hm_json *own = hm_json_get(there, hm_str_z(c->a, v->key));
    hm_str name = HM_CAT(c->a, path, path.n ? HM_STR(".") : HM_EMPTY, v->key);
    hm_str value = value_of(v, c->a);
    if (own && own->type == HM_JSON_OBJECT && v->type == HM_JSON_OBJECT) {
      if (deep < DEEP)
        compare(c, v, own, name, deep + 1);
    } else if (own && hm_str_eq(value_of(own, c->a), value)) {
      c->same++;
    } else if (!note_word_in(v->key, others) && !hm_has_placeholder(value, HM_OF_TEXT)) {
      c->lacks += !own;
      c->v[c->n++] =
          (note_quote){ .part = v->at,
                        .file = c->file,
                        .key = name,
                        .value = hm_text_cut(value, SHOWN),
                        .there = own ? hm_text_cut(value_of(own, c->a), SHOWN) : HM_EMPTY,
                        .section = path,
                        .at = own ? own->at : there->at };
    }
  }
}

/* Package files in whose folders a document lies. */
typedef struct {
  const hm_script_file *file;
  const hm_json *root;
} package;
typedef struct {
  package *v;
  size_t n;
} packages;

/* A block may be the inside of one of these. */
static void compare_best(comparison *best, const hm_json *said, const package *p) {
  static const char *const sections[] = { "", "scripts", "dependencies", "devDependencies" };
  for (size_t i = 0; i < HM_COUNT(sections); i++) {
    const hm_json *there = i ? hm_json_get(p->root, sections[i]) : p->root;
    comparison c = { .file = p->file, .a = best->a };
    if (!there || there->type != HM_JSON_OBJECT)
      continue;
    compare(&c, said, there, hm_str_c(sections[i]), 0);
    if (c.same + c.n - c.lacks > best->same + best->n - best->lacks)
      *best = c;
  }
}

static bool lies_in(hm_str folder, hm_str other) {
  return other.n && folder.n >= other.n && !memcmp(folder.p, other.p, other.n) &&
      (folder.n == other.n || folder.p[other.n] == '/');
}

static packages packages_around(const hm_scripts *s, hm_str folder, hm_arena *a) {
  packages out = { hm_alloc_array(a, s->n + 1, sizeof *out.v), 0 };
  for (size_t i = 0; i < s->n; i++) {
    const hm_script_file *f = &s->v[i];
    bool near = f->kind == HM_SCRIPT_PACKAGE && f->text.n <= FILE_MAX && lies_in(folder, f->folder);
    const hm_json *root = near ? hm_json_parse_as(a, f->text, HM_JSON_OBJECT) : NULL;
    if (root)
      out.v[out.n++] = (package){ f, root };
  }
  return out;
}

/* Where the number ends that says which versions go together: "^5" of "^5.3.0", "^0.6" of "^0.6.2".
 */
static hm_str major_of(hm_str version) {
  size_t from = hm_skip_digits(version, 0) ? 0 : 1, end = hm_skip_digits(version, from);
  if (end == from + 1 && version.p[from] == '0' && hm_char_at(version, end, '.'))
    end = hm_skip_digits(version, end + 1);
  return hm_str_sub(version, 0, end);
}

/* Is it a package of which the file has another version, with which this one does not go? */
static bool is_other_version(const note_quote *q) {
  hm_str said = major_of(q->value), there = major_of(q->there);
  const char *dot = hm_str_ends(said, ".") && there.n ? memchr(there.p, '.', there.n) : NULL;
  if (dot) /* "0.x" and "0.14.1" */
    there.n = (size_t)(dot - there.p) + 1;
  return hm_str_ends(q->section, "ependencies") && said.n && there.n && !hm_str_eq(said, there);
}

static void read_quote(note_quotes *out, const packages *around, const hm_document *doc,
                       uint32_t first, hm_arena *a) {
  enum { LEAST = 2, LEAST_NAMES = 4, SHARE = 3 };
  size_t from;
  const hm_json *said = read_block(doc, first, &from, a);
  comparison best = { .a = a };
  if (!said || !is_told(doc, first, a))
    return;
  for (size_t i = 0; i < around->n; i++)
    compare_best(&best, said, &around->v[i]);
  size_t named = best.same + best.n - best.lacks;
  bool quotes = best.same >= LEAST && best.same > best.n;
  bool lists = named >= LEAST_NAMES && named > SHARE * best.lacks;
  for (size_t i = 0; i < best.n; i++) {
    note_quote *q = &best.v[i];
    if (!quotes && !(lists && is_other_version(q)))
      continue;
    q->part = part_at(doc, first, q->part > from ? q->part - from : 0);
    out->v = hm_array_grow_in(a, out->v, out->n, &out->cap, sizeof *out->v);
    out->v[out->n++] = *q;
  }
}

void note_quotes_read(note_quotes *out, const hm_scripts *scripts, const hm_document *doc,
                      hm_str path, hm_arena *a) {
  packages around = { NULL, 0 };
  bool looked = false;
  *out = (note_quotes){ .n = 0 };
  /* a rule of an editor tells how any such project may be */
  if (!scripts || !scripts->n || note_is_pattern(path, a) || hm_str_ends(path, ".mdc"))
    return;
  hm_str folder = hm_scripts_folder(scripts, path, a);
  for (uint32_t i = 0; i < doc->n && folder.n; i++) {
    const hm_doc_part *p = &doc->parts[i];
    bool begins = p->kind == HM_DOC_CODE && (!i || p[-1].block != p->block);
    if (!begins || !note_word_in(note_lower(p->language, a), "js|json|json5|jsonc"))
      continue;
    if (!looked)
      around = packages_around(scripts, folder, a);
    looked = true;
    read_quote(out, &around, doc, i, a);
  }
}

/* --- rows --------------------------------------------------------------------------------------
 */

static hm_str slot_of(const note_quote *q, hm_arena *a) {
  return HM_CAT(a, q->file->source, HM_STR(" "), q->key);
}

static int by_part(const void *item, const void *key) {
  uint32_t part = ((const note_quote *)item)->part, wanted = *(const uint32_t *)key;
  return part < wanted ? -1 : part > wanted;
}

void note_quotes_claim(note_claims *out, const note_quotes *quotes, uint32_t part) {
  size_t at = hm_lower_bound(quotes->v, quotes->n, sizeof *quotes->v, &part, by_part);
  for (; at < quotes->n && quotes->v[at].part == part; at++)
    note_claims_add(out, slot_of(&quotes->v[at], out->a), quotes->v[at].value, NOTE_SAID);
}

const hm_json *note_quotes_state(const note_quote *q, hm_arena *a) {
  hm_record_maker m = hm_record_begin(a, "project_state");
  hm_str key = slot_of(q, a), value = q->there;
  size_t line = 1;
  for (size_t i = 0; i + 1 < q->at && i < q->file->text.n; i++)
    line += q->file->text.p[i] == '\n';
  if (!value.n)
    value =
        HM_CAT(a, HM_STR("not there"), q->section.n ? HM_STR(" among the ") : HM_EMPTY, q->section);
  hm_record_add_text(&m, "id", HM_CAT(a, HM_STR("s-"), hm_str_digest_hex(a, key, 16)), 1);
  hm_record_add_text(&m, "key", key, 1);
  hm_record_add_text(&m, "value", value, 1);
  hm_record_add_text(&m, "source", hm_str_fmt(a, "%.*s:%zu", HM_FMT(q->file->source), line), 1);
  return m.record;
}
