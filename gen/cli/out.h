/* What a run says: results on standard output, everything else on standard error. */
#ifndef HM_OUT_H
#define HM_OUT_H
#include "core/base/json.h"
#include "gen/cli/cli.h"

/* A hint or a warning: "hmirror: ..." on standard error, unless -q. */
void hm_note(hm_cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same only under -v. */
void hm_detail(hm_cli *cli, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* An error as its one line, whatever the options. */
void hm_complain(hm_cli *cli, const hm_err *err);

typedef enum { HM_PLAIN, HM_BOLD, HM_DIM, HM_RED, HM_GREEN, HM_YELLOW, HM_CYAN } hm_style;
/* Escape that begins a style (HM_PLAIN ends all), "" without colours. */
const char *hm_style_of(const hm_cli *cli, hm_style s);

/* Starts the one JSON value of this run in b; hm_json_end prints it with a newline and frees b. */
void hm_json_begin(hm_jw *w, hm_buf *b);
int hm_json_end(hm_cli *cli, hm_jw *w, hm_buf *b);
/* Prints the JSON value that is in b already, with a newline, and frees b. */
int hm_json_print(hm_cli *cli, hm_buf *b);

/* Flushes standard output. -1 with err when anything written there since the last call was lost,
 * which is told but once. */
int hm_out_close(hm_err *err);
#endif
