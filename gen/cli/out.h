/* What a run says: results on standard output, everything else on standard error, and there a line
 * on the terminal for what takes over a second. */
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
/* Fills cli->err with HM_E_USAGE; fix may be NULL. Returns -1. */
int hm_usage(hm_cli *cli, const char *what, const char *why, const char *fix);

/* Starts the one JSON value of this run, an object; hm_json_end prints it with a newline. */
hm_jw *hm_json_begin(hm_cli *cli);
int hm_json_end(hm_cli *cli);
/* Prints the JSON value that is in b already, with a newline, and frees b. */
int hm_json_print(hm_cli *cli, hm_buf *b);

/* Flushes standard output. -1 with err if any output since the last call was lost; each loss is
 * reported only once. */
int hm_out_close(hm_err *err);

/* What is going on now; text is static. Shown after a second, with hm_progress_count's numbers. */
void hm_phase(hm_cli *cli, const char *text);
/* It is over: its line is erased. */
void hm_phase_end(hm_cli *cli);

/* NULL when on is false or standard error is no terminal; the others then do nothing. */
hm_progress *hm_progress_new(bool on);
/* Erases the line and ends the thread that paints it. NULL is allowed. */
void hm_progress_free(hm_progress *p);
/* done of all (0: nobody knows how many), from any thread; ctx is the hm_progress. */
void hm_progress_count(void *ctx, size_t done, size_t all);
#endif
