/* world.yml in an export and an import. A file that is there wins: it is the mirror's own, and two
 * of them cannot be merged without a person. */
#include "gen/cli/world_record.h"

#include <errno.h>
#include <sys/stat.h>

#include "core/base/json.h"
#include "gen/cli/out.h"
#include "gen/mirror/files.h"
#include "gen/mirror/world_file.h"

static const char *world_path(hm_cli *cli) {
  return hm_config_world_file(cli->a, cli->mirror.config.file);
}

/* Empty: there is none. */
static int read_own(hm_cli *cli, hm_str *text, hm_err *err) {
  const char *path = world_path(cli);
  struct stat st;
  *text = HM_EMPTY;
  if (stat(path, &st) && errno == ENOENT) return 0;
  return hm_file_read(cli->a, path, HM_WORLD_FILE_MAX, HM_E_USAGE, text, err);
}

int hm_world_record_write(hm_cli *cli, FILE *out) {
  hm_str text;
  hm_buf line = { 0 };
  hm_jw w;
  if (read_own(cli, &text, &cli->err)) return -1;
  if (!text.n) return 0;
  hm_jw_init(&w, &line, 0);
  hm_jw_obj(&w, NULL);
  hm_jw_str(&w, "kind", HM_STR("world"));
  hm_jw_str(&w, "text", text);
  hm_jw_end(&w);
  hm_buf_ch(&line, '\n');
  bool good = !line.failed && fwrite(line.p, 1, line.n, out) == line.n;
  hm_buf_free(&line);
  return good ? 0 : hm_fail(&cli->err, HM_E_OUTPUT, "the export", strerror(errno),
                            hm_errno_fix(errno));
}

int hm_world_record_take(void *ctx, hm_store *s, hm_str text, bool *is_new, hm_err *err) {
  hm_world_record *w = ctx;
  hm_cli *cli = w->cli;
  hm_str own = w->text;
  hm_world_file file;
  size_t n_eras;
  if (!own.n && read_own(cli, &own, err)) return -1;
  if (hm_str_eq(own, text)) return 0;
  if (own.n) {
    hm_note(cli, "%s stays as it is: the import brings another one", world_path(cli));
    return 0;
  }
  if (text.n > HM_WORLD_FILE_MAX)
    return hm_failf(err, HM_E_INPUT, "world.yml", "take worlds or eras out of it",
                    "longer than %d bytes", HM_WORLD_FILE_MAX);
  text = hm_str_dup(cli->a, text);
  if (hm_world_file_read(cli->a, text, "world.yml", &file, err)) {
    err->code = HM_E_INPUT;
    return -1;
  }
  const hm_str *eras = hm_worlds_eras(file.worlds, &n_eras);
  hm_store_set_eras(s, eras, n_eras);
  cli->mirror.config.rules.worlds = file.worlds;
  cli->mirror.config.rules.relations = file.relations;
  w->text = text;
  *is_new = true;
  return 0;
}

int hm_world_record_save(const hm_world_record *w, hm_err *err) {
  return w->text.n ? hm_file_write(world_path(w->cli), w->text, err) : 0;
}
