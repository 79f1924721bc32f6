#include "gen/cli/make.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gen/cli/apart.h"
#include "gen/cli/out.h"

const unsigned char hm_make_inputs[32];

static bool asked_to_record(const hm_cli *cli) {
  return !cli->command->only_reads && !hm_cli_option(cli, "no-sweep");
}

/* SQLite writes the file, and a journal beside it. */
static bool can_be_written(hm_cli *cli, const char *path) {
  char *real = realpath(path, NULL);
  hm_str folder = hm_str_c(real ? real : path);
  while (folder.n && folder.p[folder.n - 1] != '/') folder.n--;
  const char *beside = folder.n ? hm_str_z(cli->a, folder) : ".";
  bool can = faccessat(AT_FDCWD, beside, W_OK, AT_EACCESS) == 0 &&
             (!real || faccessat(AT_FDCWD, real, W_OK, AT_EACCESS) == 0);
  free(real);
  return can;
}

/* Where it cannot be recorded, a site is made all the same. What cannot even be read is left to who
 * opens it. */
static bool will_record(hm_cli *cli) {
  hm_store *store = NULL;
  hm_err ignored;
  if (!asked_to_record(cli) || hm_cli_store(cli, HM_STORE_READ, &store, &ignored))
    return asked_to_record(cli);
  const char *path = hm_store_is_foreign(store) ? cli->config.review : cli->store;
  hm_store_close(store);
  if (can_be_written(cli, path)) return true;
  hm_note(cli, "%s: it, or its folder, cannot be written: new disputes are shown, not recorded",
          path);
  return false;
}

int hm_make_ready(hm_cli *cli, hm_made *m) {
  hm_store *store = NULL;
  *m = (hm_made){ 0 };
  if (hm_cli_apart(cli, "the store", cli->store) || hm_appearance_load(cli, &m->look)) return -1;
  m->recorded = will_record(cli);
  if (hm_cli_store(cli, m->recorded ? HM_STORE_WRITE : HM_STORE_READ, &store, &cli->err)) return -1;
  m->foreign = hm_store_is_foreign(store);
  hm_store_close(store);
  return 0;
}

int hm_make_forms(hm_cli *cli) {
  bool markdown = hm_cli_option(cli, "markdown-only"), html = hm_cli_option(cli, "html-only");
  if (markdown && html)
    return hm_fail(&cli->err, HM_E_USAGE, "--markdown-only", "given together with --html-only",
                   "give one of them, or none for both");
  if (markdown || html) {
    cli->config.markdown = markdown;
    cli->config.html = html;
  }
  return 0;
}

static void count(hm_made *m) {
  const hm_view_counts *c = hm_view_counts_of(m->view);
  m->counts = (hm_made_counts){ .pages = (int64_t)m->site->pages,
                                .files = (int64_t)m->site->n,
                                .disputed = c->disputed,
                                .open_conflicts = c->open_conflicts,
                                .findings = c->findings };
  m->digest = m->site->digest;
}

static void tell(hm_cli *cli, const hm_made *m) {
  hm_detail(cli, "%s, %s; %s made, the others are as they were",
            hm_count(cli, m->counts.files, "file", NULL),
            hm_count(cli, m->counts.pages, "page", NULL), hm_number(cli, (int64_t)m->site->n_made));
}

static int render(hm_cli *cli, hm_made *m, const hm_make_sink *sink) {
  const hm_appearance *look = &m->look;
  hm_site_options opt = { .threads = cli->threads,
                          .markdown = cli->config.markdown,
                          .html = cli->config.html,
                          .assets = look->assets,
                          .n_assets = look->n_assets,
                          .statics = look->statics,
                          .n_statics = look->n_statics,
                          .take = sink->take,
                          .take_ctx = sink->ctx,
                          .known = sink->known ? &sink->known->known : NULL,
                          .holds = sink->holds,
                          .holds_ctx = sink->ctx,
                          .inputs = sink->inputs,
                          .progress = hm_progress_count,
                          .ctx = cli->progress };
  hm_progress_phase(cli->progress, "rendering pages");
  return hm_site_build(m->view, m->look.templates, &opt, &m->site, &cli->err);
}

static int make_site(hm_cli *cli, hm_made *m, const hm_make_sink *sink,
                     const hm_sweep_known *known) {
  if (hm_cli_sweep(cli,
                   &(hm_sweep_options){ .record = m->recorded,
                                        .details = true,
                                        .known = known,
                                        .row_seed = sink->known ? sink->known->known.seed : 0 },
                   &m->sweep))
    return -1;
  m->swept = true;
  m->same = m->sweep.same;
  if (m->same) {
    hm_cli_note_excludes(cli, m->sweep.snap, false);
    m->counts = sink->known->counts;
    m->digest = sink->known->digest;
    return 0;
  }
  if (hm_cli_view(cli, &m->sweep, &m->view) || render(cli, m, sink)) return -1;
  count(m);
  tell(cli, m);
  return 0;
}

/* A sweep that left something to record has to be made again by one that records. */
int hm_make_site(hm_cli *cli, hm_made *m, const hm_make_sink *sink) {
  const hm_cache_entry *k = sink->known;
  bool may_be_same = k && sink->stands && memcmp(k->inputs, sink->inputs, sizeof k->inputs) == 0 &&
      (k->recorded || !m->recorded);
  return make_site(cli, m, sink, may_be_same ? &k->sweep : NULL);
}

int hm_make_preview(hm_cli *cli, hm_made *m) {
  *m = (hm_made){ 0 };
  cli->config.html = true;
  if (hm_cli_apart(cli, "the store", cli->store) || hm_appearance_load(cli, &m->look)) return -1;
  return make_site(cli, m, &(hm_make_sink){ .inputs = hm_make_inputs }, NULL);
}

void hm_made_free(hm_made *m) {
  if (m->site) hm_site_free(m->site);
  if (m->swept) hm_sweep_free(&m->sweep);
  if (m->look.templates) hm_templates_free(m->look.templates);
  *m = (hm_made){ 0 };
}

void hm_made_json(hm_jw *w, const hm_made *m) {
  const hm_made_counts *c = &m->counts;
  hm_jw_int(w, "pages", c->pages);
  hm_jw_int(w, "files", c->files);
  hm_jw_str(w, "digest", m->digest);
  hm_jw_int(w, "open_conflicts_count", c->open_conflicts);
  hm_jw_int(w, "disputed_count", c->disputed);
  hm_jw_int(w, "findings", c->findings);
}
