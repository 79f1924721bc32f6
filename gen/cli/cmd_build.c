/* build: the site in a folder. */
#include <stdio.h>
#include "gen/cli/commands.h"
#include "gen/sink/dir.h"

static const hm_option build_options[] = {
  { "output", 'd', "DIR", "put the site into DIR (config: output)" },
  { "base-url", 'b', "URL", "address the site will have (config: base_url)" },
  { "full", 0, NULL, "make and write every file, also those that did not change" },
  { "markdown-only", 0, NULL, "no HTML, no theme" },
  { "html-only", 0, NULL, "no Markdown" },
  { "no-sweep", 0, NULL, "only read the store; new disputes are shown, not recorded" },
  { 0 }
};

static int print_build_json(hm_cli *cli, const hm_made *m, const char *path,
                            const hm_dir_counts *n) {
  hm_jw *w = hm_json_begin(cli);
  hm_jw_str(w, "path", hm_str_c(path));
  hm_cli_made_json(w, m);
  hm_jw_int(w, "written", n->written);
  hm_jw_int(w, "kept", n->kept);
  hm_jw_int(w, "removed", n->removed);
  return hm_json_end(cli);
}

static int print_build(hm_cli *cli, const hm_made *m, const char *path, const hm_dir_counts *n) {
  const hm_made_counts *c = &m->counts;
  if (cli->quiet) return HM_EXIT_FINE;
  printf("%s: %s in %s: %s written, %s unchanged, %s removed\n", path,
         hm_count_text(cli->a, c->pages, "page"), hm_count_text(cli->a, c->files, "file"),
         hm_thousands(cli->a, n->written), hm_thousands(cli->a, n->kept),
         hm_thousands(cli->a, n->removed));
  printf("%s, %s open, %s\n", hm_count_text(cli->a, c->disputed, "dispute"),
         hm_count_text(cli->a, c->open_conflicts, "conflict"),
         hm_count_text(cli->a, c->findings, "finding"));
  return HM_EXIT_FINE;
}

static int put_file(void *dir, const hm_file *f, hm_err *err) { return hm_dir_put(dir, f, err); }

static int finish_folder(hm_cli *cli, hm_made *m, hm_dir *dir, const hm_cache *cache,
                         hm_dir_counts *n) {
  hm_buf note = { 0 };
  hm_err ignored;
  hm_phase(cli, "writing the site");
  if (hm_dir_finish(dir, m->site, n, &cli->err)) return -1;
  if (hm_dir_note(dir, m->site, &note, &ignored) == 0)
    hm_made_remember(&cli->mirror, m, cache, hm_buf_view(&note));
  hm_buf_free(&note);
  return 0;
}

/* The folder is locked before the store is read: of two builds the later one must not bring older
 * facts. */
static int build_site(hm_cli *cli, hm_made *m, const char *path, hm_dir **dir) {
  hm_dir_counts n = { 0 };
  hm_cache cache;
  bool full = hm_cli_option(cli, "full");
  if (hm_make_ready(&cli->mirror, !hm_cli_option(cli, "no-sweep"), m, &cli->err)) return -1;
  hm_cache_load(&cli->mirror, &m->look,
                (hm_site_target){ .sort = "dir", .path = path, .branch = "" }, m->foreign, full,
                &cache);
  const hm_cache_entry *known = cache.found ? &cache.entry : NULL;
  hm_dir_options opt = { .full = full,
                         .durable = true,
                         .threads = cli->mirror.threads,
                         .note = known ? known->note : HM_EMPTY,
                         .noted_files = known ? (size_t)known->counts.files : 0 };
  if (hm_dir_open(path, &opt, dir, &cli->err)) return -1;
  const hm_make_sink sink = { .take = put_file,
                              .ctx = *dir,
                              .known = known,
                              .present = hm_dir_present(*dir),
                              .inputs = cache.inputs };
  if (hm_make_site(&cli->mirror, m, &sink, &cli->err)) return -1;
  if (m->same) n.kept = (size_t)m->counts.files;
  else if (finish_folder(cli, m, *dir, &cache, &n)) return -1;
  cli->mirror.work.files_written = n.written;
  hm_mirror_say_work(&cli->mirror, "");
  hm_phase_end(cli);
  return cli->json ? print_build_json(cli, m, path, &n) : print_build(cli, m, path, &n);
}

static int run_build(hm_cli *cli) {
  const char *d = hm_cli_option(cli, "output"), *url = hm_cli_option(cli, "base-url");
  hm_made m;
  if (d && !*d)
    return hm_usage(cli, hm_cli_shown(cli, "output"), "an empty path",
                   "name a folder");
  if (url &&
      hm_check_base_url(cli->a, url, hm_cli_shown(cli, "base-url"), &cli->mirror.config.base_url,
                        &cli->err))
    return -1;
  cli->mirror.config.markdown = cli->mirror.config.html =
      true; /* the config's choice is the branch's */
  const char *path = d ? d : cli->mirror.config.output;
  if (hm_cli_page_forms(cli) || hm_check_path_overlap(&cli->mirror, "the site", path, &cli->err))
    return -1;
  hm_dir *dir = NULL;
  int rc = build_site(cli, &m, path, &dir);
  hm_dir_close(dir);
  hm_made_free(&m);
  return rc;
}

const hm_command hm_cmd_build = {
  .name = "build", .words = "", .brief = "make the pages in a folder",
  .about = "Sweeps the store, renders every project as Markdown and HTML, marks what is\n"
           "disputed and puts the site into a folder, all of it or nothing. Files in the\n"
           "folder that are not the mirror's stay. Same store, same bytes.\n",
  .options = build_options,
  .exits = "0  the folder holds the site\n2  trouble, with a message; the folder is as it was\n",
  .examples = "hmirror build\nhmirror build -d /srv/www/mirror -b https://example.org/mirror/\n",
  .run = run_build
};
