#include "gen/cli/out.h"
#include <errno.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

static void say(hm_cli *cli, const char *fmt, va_list ap) {
  hm_buf b = { 0 };
  hm_buf_vfmt(&b, fmt, ap);
  hm_progress_clear(cli->progress);
  fprintf(stderr, "hmirror: %.*s\n", HM_FMT(hm_buf_view(&b)));
  hm_buf_free(&b);
}

void hm_note(hm_cli *cli, const char *fmt, ...) {
  if (cli->quiet) return;
  va_list ap;
  va_start(ap, fmt);
  say(cli, fmt, ap);
  va_end(ap);
}

void hm_detail(hm_cli *cli, const char *fmt, ...) {
  if (!cli->verbose || cli->quiet) return;
  va_list ap;
  va_start(ap, fmt);
  say(cli, fmt, ap);
  va_end(ap);
}

void hm_complain(hm_cli *cli, const hm_err *err) {
  char line[2048];
  hm_err shown = *err;
  if (err->code == HM_E_INTERNAL && !err->fix[0])
    hm_fail(&shown, err->code, err->what, err->why, "please report this");
  hm_err_line(&shown, line, sizeof line);
  hm_progress_clear(cli->progress);
  fprintf(stderr, "hmirror: %s\n", line);
}

const char *hm_style_of(const hm_cli *cli, hm_style s) {
  static const char *const codes[] = {
    "\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m", "\033[36m"
  };
  return cli->color ? codes[s] : "";
}

void hm_json_begin(hm_jw *w, hm_buf *b) {
  *b = (hm_buf){ 0 };
  hm_jw_init(w, b, 0);
  hm_jw_obj(w, NULL);
}

int hm_json_print(hm_cli *cli, hm_buf *b) {
  hm_buf_ch(b, '\n');
  int rc = b->failed ? hm_fail(&cli->err, HM_E_OUTPUT, "standard output",
                               "the result is over 2 GiB", "ask for a part of it")
                     : 0;
  if (!rc) fwrite(b->p, 1, b->n, stdout);
  hm_buf_free(b);
  return rc;
}

int hm_json_end(hm_cli *cli, hm_jw *w, hm_buf *b) {
  hm_jw_end(w);
  return hm_json_print(cli, b);
}

int hm_out_close(hm_err *err) {
  errno = 0;
  bool lost = ferror(stdout) != 0;
  if (fflush(stdout) == 0 && !lost) return 0;
  __fpurge(stdout);
  clearerr(stdout);
  return hm_fail(err, HM_E_OUTPUT, "standard output", errno ? strerror(errno) : "a write failed",
                 hm_errno_fix(errno));
}
