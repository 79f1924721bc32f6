/* What the files of template*.c share: values from inside, and programs. Not for others.
 *
 * A compiled template is a flat array of instructions. An instruction with a body has it right
 * behind itself, up to `end`; so a section that is false is one jump, and nothing is searched while
 * rendering.
 *
 * White space follows the specification: a tag alone on its line takes the line with it; a partial
 * or parent alone on its line indents every line of its template; the content that a child gives
 * for a block loses the indentation of its first line and gets that of the place where the block
 * stands. */
#ifndef HM_TEMPLATE_IMPL_H
#define HM_TEMPLATE_IMPL_H
#include "gen/render/template.h"

/* --- values -------------------------------------------------------------------- */

typedef enum { HM_TV_OBJ, HM_TV_LIST, HM_TV_BOOL, HM_TV_INT, HM_TV_TEXT, HM_TV_RAW } hm_tv_kind;

typedef struct { hm_key key; hm_tv *value; } hm_tv_field;

struct hm_tv {
  uint8_t kind, place;
  bool yes;                /* BOOL */
  uint32_t n, cap;         /* OBJ, LIST */
  hm_arena *a;
  hm_str text;             /* TEXT, RAW; OBJ: the row it shows */
  union { hm_tv_field *fields; hm_tv **items; int64_t number; };
};

/* NULL when v is no object or has no such key. */
const hm_tv *hm_tv_get(const hm_tv *v, const hm_key *key);
/* What a section asks; NULL is false. */
bool hm_tv_is_true(const hm_tv *v);

/* --- programs ------------------------------------------------------------------ */

typedef enum {
  HM_OP_TEXT,       /* text */
  HM_OP_VALUE,      /* {{x}} */
  HM_OP_RAW,        /* {{{x}}} {{&x}} */
  HM_OP_SECTION, HM_OP_INVERTED,
  HM_OP_PARTIAL,
  HM_OP_PARENT,     /* body: HM_OP_OVERRIDEs only */
  HM_OP_BLOCK,      /* body: what stands there when no child gives anything */
  HM_OP_OVERRIDE,   /* body: what a child gives */
  HM_N_OPS
} hm_op;

enum {
  HM_INS_BOL = 1,        /* first of its line in the source */
  HM_INS_ALONE = 2,      /* its tag had a line of its own */
  HM_INS_DYNAMIC = 4,    /* {{>*x}}: the name is a value */
  HM_INS_WHOLE = 8       /* BLOCK: the closing tag had a line of its own too */
};

#define HM_NO_TARGET UINT32_MAX

typedef struct {
  uint8_t op, flags;
  uint32_t line;
  uint32_t end;            /* first instruction after the body */
  uint32_t target;         /* PARTIAL, PARENT: program, or HM_NO_TARGET */
  hm_str text;             /* TEXT: bytes; else the name as written */
  hm_str indent;           /* PARTIAL, PARENT, BLOCK */
  const hm_key *parts;     /* the name split at its dots; none for {{.}} */
  uint32_t n_parts;
} hm_ins;

typedef enum {
  HM_MARKDOWN_TEMPLATE,
  HM_HTML_TEMPLATE,
  HM_PLAIN_TEMPLATE,
  HM_N_DIALECTS
} hm_dialect;

typedef struct {
  hm_str name, origin, bytes;
  hm_dialect dialect;
  hm_ins *code;
  uint32_t n;
} hm_program;

struct hm_templates {
  hm_arena *a;
  hm_program *programs;
  uint32_t n;
  hm_map by_name;
  hm_str digest;
};

/* Sections, parents and blocks inside each other in one template; templates
 * and blocks inside each other while rendering. */
enum { HM_MAX_NESTING = 64, HM_MAX_DEPTH = 64 };

/* Fills p->code from p->bytes; targets are left open. */
int hm_program_compile(hm_arena *a, hm_program *p, hm_err *err);
/* "ORIGIN:LINE" as what. */
int hm_program_fail(const hm_program *p, uint32_t line, hm_err *err, const char *fix,
                    const char *fmt, ...) __attribute__((format(printf, 5, 6)));
#endif
