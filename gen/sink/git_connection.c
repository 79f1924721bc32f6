/* One connection to the remote: its address, its lock if it is on this machine, its messages. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gen/sink/git_impl.h"

/* --- a repository on this machine ---------------------------------------------------------- */

/* Removes the left-overs of a killed holder of this lock: nobody else uses the incoming ref. */
static int clear_remote(hm_git_connection *l, git_repository *there, hm_err *err) {
  const hm_git_folder p = { l->a, l->shown,
                            hm_str_dup(l->a, hm_str_c(git_repository_commondir(there))).p, l->dir,
                            l->lock.died };
  hm_git_remove_unfinished(&p);
  if (hm_git_clear_ref_lock(&p, HM_GIT_INCOMING, err) != 0 ||
      hm_git_clear_ref_lock(&p, l->g->ref, err) != 0)
    return -1;
  git_oid id;
  if (git_reference_name_to_id(&id, there, HM_GIT_INCOMING) == 0)
    git_reference_remove(there, HM_GIT_INCOMING);
  return 0;
}

/* Finds a hook for pushes: libgit2 would not run it, so the push must be refused. */
static const char *find_hook(hm_git_connection *l, git_repository *there) {
  static const char *const hooks[] = { "pre-receive",           "update",       "proc-receive",
                                       "reference-transaction", "post-receive", "post-update" };
  git_config *c = NULL;
  git_buf own = { 0 };
  const char *dir = hm_str_fmt(l->a, "%shooks", git_repository_commondir(there)).p;
  if (git_repository_config_snapshot(&c, there) == 0 &&
      git_config_get_path(&own, c, "core.hooksPath") == 0)
    dir = *own.ptr == '/' ? hm_str_dup(l->a, hm_str_c(own.ptr)).p
                          : hm_str_fmt(l->a, "%s%s", git_repository_path(there), own.ptr).p;
  git_buf_dispose(&own);
  git_config_free(c);
  for (size_t i = 0; i < HM_COUNT(hooks); i++)
    if (access(hm_str_fmt(l->a, "%s/%s", dir, hooks[i]).p, X_OK) == 0)
      return hooks[i];
  return NULL;
}

static int check_remote(hm_git_connection *l, git_repository *there, hm_err *err) {
  if (strcmp(git_repository_commondir(there), l->g->common) == 0)
    return hm_fail(err, HM_E_USAGE, l->shown, "it is the repository itself", "push to another one");
  if (!git_repository_is_bare(there))
    return hm_fail(err, HM_E_OUTPUT, l->shown,
                   "it has a work tree, and only bare repositories are pushed to by their path",
                   "publish into it: --repo instead of --push");
  const char *hook = find_hook(l, there);
  if (hook)
    return hm_failf(err, HM_E_OUTPUT, l->shown,
                    "push to it over ssh, git:// or https, where git runs it",
                    "it has the hook %s, which hmirror cannot run", hook);
  return 0;
}

/* Other hmirror processes push to it and publish into it: one at a time. */
static int lock_remote(hm_git_connection *l, hm_err *err) {
  git_repository *there = NULL;
  int rc = hm_git_repository_open(&there, l->path);
  if (rc < 0 && hm_git_is_foreign(l->path, rc))
    return hm_git_fail_foreign(l->path, err);
  if (rc < 0)
    return hm_git_connection_fail(l, "open it", err);
  rc = check_remote(l, there, err);
  const char *common = git_repository_commondir(there);
  if (rc == 0 && (l->dir = open(common, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
    rc = hm_fs_fail(err, l->path, "open the folder");
  if (rc == 0)
    rc = hm_git_check_links(l->dir, common, l->g->ref, err);
  if (rc == 0)
    rc = hm_lock_take(&l->lock, l->dir, "hmirror.lock",
                      hm_str_fmt(l->a, "%shmirror.lock", common).p, l->opt->timeout_ms, err);
  if (rc == 0)
    rc = clear_remote(l, there, err);
  git_repository_free(there);
  return rc;
}

/* --- any remote ---------------------------------------------------------------------------- */

/* The server's output comes in pieces; lines end with "\n", or with "\r" when they are progress. */
static int server_says(const char *text, int n, void *payload) {
  hm_git_connection *l = payload;
  hm_git_timeout_reset(l->watch);
  for (int i = 0; i < n; i++) {
    bool ends = text[i] == '\n' || text[i] == '\r';
    if (!ends && l->said.n < 4096)
      hm_buf_ch(&l->said, text[i]);
    if (!ends)
      continue;
    hm_str line = hm_str_trim(hm_buf_view(&l->said));
    if (text[i] == '\n' && line.n && l->opt->says)
      l->opt->says(l->opt->ctx, line);
    hm_buf_clear(&l->said);
  }
  return 0;
}

static int fetched_more(const git_indexer_progress *stats, void *payload) {
  (void)stats;
  hm_git_timeout_reset(((hm_git_connection *)payload)->watch);
  return 0;
}

static int sent_more(unsigned current, unsigned total, size_t bytes, void *payload) {
  (void)current, (void)total, (void)bytes;
  hm_git_timeout_reset(((hm_git_connection *)payload)->watch);
  return 0;
}

static int packed_more(int stage, uint32_t current, uint32_t total, void *payload) {
  (void)stage, (void)current, (void)total;
  hm_git_timeout_reset(((hm_git_connection *)payload)->watch);
  return 0;
}

/* git_remote_push returns 0 even when the server refuses; this callback gets the refusal. */
static int ref_answer(const char *ref, const char *status, void *payload) {
  hm_git_connection *l = payload;
  (void)ref;
  hm_git_timeout_reset(l->watch);
  if (status)
    l->refused = hm_str_dup(l->a, hm_str_c(status));
  return 0;
}

/* The folder that an address names, or NULL. */
static const char *path_of(const char *url) {
  if (strncmp(url, "file://", 7) == 0)
    return url + 7;
  if (strstr(url, "://"))
    return NULL;
  const char *colon = strchr(url, ':'), *slash = strchr(url, '/');
  return colon && (!slash || colon < slash) ? NULL : url;
}

bool hm_remote_is_name(const char *remote) { return *remote != '.' && !strpbrk(remote, "/:"); }

/* May another file say what a name means? Then none does: it may lie anywhere. */
static bool config_includes(git_repository *repo, hm_arena *a) {
  enum { CONFIG_MAX = 1 << 20 };
  hm_str text = HM_EMPTY;
  const char *path = hm_str_fmt(a, "%sconfig", git_repository_commondir(repo)).p;
  return hm_fs_read_at(AT_FDCWD, path, CONFIG_MAX, a, &text) != 0 || hm_git_config_includes(text);
}

/* The address of that name in the config, which includes no other; NULL: there is none. A path in
 * the config is relative, as in git, to the top of the work tree or to the bare repository. */
static const char *address_of_name(git_repository *repo, const char *name, hm_arena *a) {
  git_config *c = NULL;
  git_buf url = { 0 };
  const char *out = NULL, *top = git_repository_workdir(repo);
  if (!config_includes(repo, a) &&
      git_config_open_ondisk(&c, hm_str_fmt(a, "%sconfig", git_repository_commondir(repo)).p) ==
          0 &&
      git_config_get_string_buf(&url, c, hm_str_fmt(a, "remote.%s.url", name).p) == 0) {
    bool relative = path_of(url.ptr) == url.ptr && *url.ptr != '/';
    out = hm_str_fmt(a, "%s%s", !relative ? "" : top ? top : git_repository_path(repo), url.ptr).p;
  }
  git_buf_dispose(&url);
  git_config_free(c);
  return out;
}

const char *hm_git_remote_address(const char *repo, const char *remote, hm_arena *a) {
  git_repository *r = NULL;
  const char *url = NULL;
  git_libgit2_init();
  if (hm_remote_is_name(remote) && hm_git_repository_open(&r, repo) == 0)
    url = address_of_name(r, remote, a);
  git_repository_free(r);
  return url ? url : remote;
}

/* What the repository's config would put in the place of that address (insteadOf); NULL: nothing.
 */
static const char *address_instead(git_repository *repo, const char *url, hm_arena *a) {
  static const char from[] = "url.", to[] = ".insteadof";
  git_config *c = NULL;
  git_config_iterator *i = NULL;
  git_config_entry *e = NULL;
  const char *out = NULL;
  if (git_config_open_ondisk(&c, hm_str_fmt(a, "%sconfig", git_repository_commondir(repo)).p) ==
          0 &&
      git_config_iterator_new(&i, c) == 0)
    while (!out && git_config_next(&e, i) == 0) {
      hm_str name = hm_str_c(e->name), old = hm_str_c(e->value);
      if (old.n && hm_str_starts(name, from) && hm_str_ends(name, to) &&
          hm_str_starts(hm_str_c(url), e->value))
        out = HM_CAT(a, hm_str_sub(name, sizeof from - 1, name.n - (sizeof to - 1)),
                     hm_str_c(url + old.n))
                  .p;
    }
  git_config_iterator_free(i);
  git_config_free(c);
  return out;
}

/* Where pages go is the user's word, and not that of a config that came with them. */
static int check_not_moved(const hm_git_connection *l, hm_err *err) {
  const char *instead = address_instead(l->g->repo, l->url, l->a);
  if (!instead)
    return 0;
  return hm_failf(err, HM_E_USAGE, l->shown,
                  "push to that address itself, or take insteadOf out of the repository's config",
                  "the repository's config puts %s in its place, which is not followed",
                  hm_remote_hide_password(l->a, instead).p);
}

/* libgit2 itself would send a password that stands in the address, to any host and without TLS. */
static int make_remote(hm_git_connection *l, hm_err *err) {
  git_remote_create_options o;
  git_remote_create_options_init(&o, GIT_REMOTE_CREATE_OPTIONS_VERSION);
  o.repository = l->shallow ? l->shallow : l->g->repo;
  o.flags = GIT_REMOTE_CREATE_SKIP_INSTEADOF | GIT_REMOTE_CREATE_SKIP_DEFAULT_FETCHSPEC;
  if (git_remote_create_with_opts(
          &l->remote,
          (strncasecmp(l->url, "http://", 7) == 0 || strncasecmp(l->url, "https://", 8) == 0)
              ? l->shown
              : l->url,
          &o) == 0)
    return 0;
  return hm_git_connection_fail(l, "use it as a remote", err);
}

int hm_git_connection_open(hm_git_connection *l, hm_git *g, git_direction direction, hm_err *err) {
  const hm_remote_options *opt = g->opt->remote;
  *l = (hm_git_connection){
    .g = g, .opt = opt, .a = g->a, .refused = HM_EMPTY, .dir = -1, .lock.fd = -1
  };
  l->url = hm_remote_is_name(opt->url) ? address_of_name(g->repo, opt->url, g->a) : NULL;
  if (!l->url && hm_remote_is_name(opt->url) && config_includes(g->repo, g->a))
    return hm_fail(
        err, HM_E_USAGE, opt->url,
        "the repository's config includes other files, which are not followed for what a "
        "name means",
        "push to the address itself");
  if (!l->url)
    l->url = opt->url;
  l->shown = hm_remote_hide_password(g->a, l->url).p;
  if (check_not_moved(l, err) != 0)
    return -1;
  l->host = hm_remote_host(g->a, l->url);
  l->path = path_of(l->url);
  if (git_repository_is_shallow(g->repo) && hm_git_shallow_open(g, &l->shallow, err) != 0)
    return -1;
  if (make_remote(l, err) != 0)
    return -1;
  if (l->path && lock_remote(l, err) != 0)
    return -1;
  git_remote_init_callbacks(&l->calls, GIT_REMOTE_CALLBACKS_VERSION);
  l->calls.payload = l;
  l->calls.credentials = hm_git_credentials;
  /* What a server says of a fetch is how far it is. */
  if (direction == GIT_DIRECTION_PUSH)
    l->calls.sideband_progress = server_says;
  l->calls.transfer_progress = fetched_more;
  l->calls.push_transfer_progress = sent_more;
  l->calls.pack_progress = packed_more;
  l->calls.push_update_reference = ref_answer;
  l->watch = hm_git_timeout_begin(opt->timeout_ms);
  const char *file = getenv("SSL_CERT_FILE"), *dir = getenv("SSL_CERT_DIR");
  if ((file && *file) || (dir && *dir))
    git_libgit2_opts(GIT_OPT_SET_SSL_CERT_LOCATIONS, file, dir);
  return 0;
}

void hm_git_connection_close(hm_git_connection *l) {
  git_remote_free(l->remote);
  hm_git_shallow_close(l->g, l->shallow);
  hm_lock_release(&l->lock);
  if (l->dir >= 0)
    close(l->dir);
  l->dir = -1;
  l->remote = NULL;
  l->shallow = NULL;
  hm_buf_free(&l->said);
  hm_git_timeout_end(l->watch);
  l->watch = NULL;
}

/* When libgit2 cannot parse an answer, it sets no error: its last one is then that a key is not in
 * the config. */
static const char *error_text(hm_arena *a) {
  const git_error *e = git_error_last();
  if (!e || !e->message || !*e->message ||
      (e->klass == GIT_ERROR_CONFIG && strstr(e->message, "was not found")))
    return "its answer makes no sense to git";
  return hm_remote_hide_password(a, e->message).p;
}

int hm_git_connection_fail(hm_git_connection *l, const char *verb, hm_err *err) {
  const char *why = error_text(l->a), *fix = "check the address, and that the other side is up";
  if (hm_git_timeout_passed(l->watch))
    return hm_failf(err, HM_E_OUTPUT, l->shown, "try again, or wait longer: --push-timeout",
                    "cannot %s: no sign of life for %d s", verb, (l->opt->timeout_ms + 999) / 1000);
  if (l->tried)
    fix = l->opt->token && !hm_remote_takes_token(l->opt, l->host)
        ? "HMIRROR_GIT_TOKEN is not for that host: set HMIRROR_GIT_TOKEN_HOST, or give --push an "
          "address"
        : "for https set HMIRROR_GIT_TOKEN or publish.credentials; for ssh start an agent or set "
          "publish.ssh_key";
  return hm_failf(err, HM_E_OUTPUT, l->shown, fix, "cannot %s: %s", verb, why);
}
