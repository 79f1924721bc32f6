/* A template as a program. Not for other folders.
 *
 * A compiled template is a flat array of instructions. The body of an instruction follows it
 * directly, up to `end`; so a false section is one jump, and rendering searches nothing.
 *
 * White space follows the specification: a tag alone on its line removes the line; a partial or
 * parent alone on its line indents every line of its template; a child's content for a block loses
 * the indentation of its first line and gets that of the block. */
#ifndef HM_TEMPLATE_IMPL_H
#define HM_TEMPLATE_IMPL_H
#include "gen/render/template.h"

/* --- values from inside, for rendering -------------------------------------- */

typedef enum {
  HM_NODE_OBJ,
  HM_NODE_LIST,
  HM_NODE_BOOL,
  HM_NODE_INT,
  HM_NODE_TEXT,
  HM_NODE_RAW
} hm_node_kind;

typedef struct {
  hm_key key;
  hm_node *value;
} hm_node_field;

struct hm_node {
  uint8_t kind, place;
  bool yes;        /* BOOL */
  uint32_t n, cap; /* OBJ, LIST */
  hm_arena *a;
  hm_str text; /* TEXT, RAW; OBJ: the row it shows */
  union {
    hm_node_field *fields;
    hm_node **items;
    int64_t number;
  };
};

/* --- programs ----------------------------------------------------------------- */

typedef enum {
  HM_OP_TEXT,  /* text */
  HM_OP_VALUE, /* {{x}} */
  HM_OP_RAW,   /* {{{x}}} {{&x}} */
  HM_OP_SECTION,
  HM_OP_INVERTED,
  HM_OP_PARTIAL,
  HM_OP_PARENT,   /* body: HM_OP_OVERRIDEs only */
  HM_OP_BLOCK,    /* body: the default, when no child overrides it */
  HM_OP_OVERRIDE, /* body: the child's content */
  HM_N_OPS
} hm_op;

enum {
  HM_INS_BOL = 1,     /* first of its line in the source */
  HM_INS_ALONE = 2,   /* its tag stood alone on its line */
  HM_INS_DYNAMIC = 4, /* {{>*x}}: the name is a value */
  HM_INS_WHOLE = 8    /* BLOCK: the closing tag stood alone on its line too */
};

#define HM_NO_TARGET UINT32_MAX

typedef struct {
  uint8_t op, flags;
  uint32_t line;
  uint32_t end;        /* first instruction after the body */
  uint32_t target;     /* PARTIAL, PARENT: program, or HM_NO_TARGET */
  hm_str text;         /* TEXT: bytes; else the name as written */
  hm_str indent;       /* PARTIAL, PARENT, BLOCK */
  const hm_key *parts; /* the name split at its dots; none for {{.}} */
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

/* How deep sections, parents and blocks may nest in one template; how deep templates and blocks may
 * nest while rendering. */
enum { HM_MAX_NESTING = 64, HM_MAX_DEPTH = 64 };

/* Fills p->code from p->bytes; does not resolve targets. Errors as hm_templates_compile. */
int hm_program_compile(hm_arena *a, hm_program *p, hm_err *err);
/* The index of the program that name means in a template of this dialect, or HM_NO_TARGET. */
uint32_t hm_templates_find_partial(const hm_templates *t, hm_dialect dialect, hm_str name);
/* Fails with HM_E_INPUT and "ORIGIN:LINE" as what. */
int hm_program_fail(const hm_program *p, uint32_t line, hm_err *err, const char *fix,
                    const char *fmt, ...) __attribute__((format(printf, 5, 6)));
#endif
