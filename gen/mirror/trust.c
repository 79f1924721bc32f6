/* The list of what a folder may do outside, and what does not hold while it is not trusted. */
#include "gen/mirror/trust.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "core/base/credential.h"
#include "core/base/digest.h"
#include "gen/mirror/files.h"
#include "core/markdown/escape.h"
#include "gen/sink/git.h"

/* --- the list ---------------------------------------------------------------------------- */

/* Keys that are a path, and what their sentence says before the path. */
static const struct {
  const char *key;
  size_t at; /* in hm_config */
  const char *sentence;
} paths[] = {
  { "store", offsetof(hm_config, store), "keeps its facts in " },
  { "review", offsetof(hm_config, review), "keeps verdicts on another program's store in " },
  { "output", offsetof(hm_config, output), "writes the site into " },
  { "theme", offsetof(hm_config, theme), "publishes the theme in " },
  { "templates", offsetof(hm_config, templates), "makes pages by the templates in " },
  { "static", offsetof(hm_config, statics), "publishes the files in " },
  { "extra_head", offsetof(hm_config, house.head), "puts into pages the HTML of " },
  { "logo", offsetof(hm_config, house.logo), "publishes the picture " },
  { "publish.ssh_key", offsetof(hm_config, ssh_key), "logs in to a remote with the key " },
  { "publish.credentials", offsetof(hm_config, credentials), "takes passwords from " },
  { "publish.allowed_signers", offsetof(hm_config, allowed_signers), "believes the signers in " },
};

enum { OTHERS = 8 }; /* items that are not of that table, without style sheets */

typedef struct {
  hm_config *c;
  hm_arena *a;
  hm_trust *out;
} lister;

static hm_trust_item *add_item(lister *l, const char *key, const char **at, hm_str sentence,
                               hm_str value) {
  hm_trust_item *x = &l->out->items[l->out->n++];
  *x = (hm_trust_item){ .key = key,
                        .at = at,
                        .sentence =
                            hm_str_z(l->a, hm_clean_text(l->a, hm_credential_hide(sentence, l->a))),
                        .value = value,
                        .withheld = hm_str_fmt(l->a, "/dev/null/not trusted: %s", key).p };
  return x;
}

/* Where it leads, for people and for the digest. */
static const char *real_path(const lister *l, const char *path) {
  const char *real = hm_path_resolve(l->a, path);
  return real ? real : path;
}

static void add_path(lister *l, const char *key, const char **at, const char *sentence) {
  const hm_house_config *h = &l->c->house;
  if (!*at)
    return;
  /* What pages are made with is named from the folder, other paths from where we are. */
  bool of_house = at == &h->head || at == &h->logo || (at >= h->css && at < h->css + h->n_css);
  const char *path = of_house ? hm_path_join(l->a, h->folder, *at) : *at;
  if (!hm_path_leads_out(l->a, h->folder, path))
    return;
  hm_str real = hm_str_c(real_path(l, path)), framed = hm_str_fmt(l->a, "/%s/", path);
  hm_trust_item *x = add_item(l, key, at, HM_CAT(l->a, hm_str_c(sentence), real), real);
  if (*path != '/' && hm_str_find(framed, "/../") < 0)
    x->link = path;
}

static void add_paths(lister *l) {
  hm_house_config *h = &l->c->house;
  for (size_t i = 0; i < HM_COUNT(paths); i++) {
    void *at = (char *)l->c + paths[i].at;
    add_path(l, paths[i].key, at, paths[i].sentence);
  }
  for (size_t i = 0; i < h->n_css; i++)
    add_path(l, "extra_css", &h->css[i], "publishes the style sheet ");
}

/* A repository in the folder may lead out, too: by a link, a .git file, alternates. */
static void add_repository(lister *l) {
  hm_config *c = l->c;
  hm_buf places = { 0 };
  size_t n;
  const char **v = hm_git_list_places(c->repo, l->a, &n), *shown = real_path(l, c->repo),
             *beside = NULL;
  for (size_t i = 0; i < n; i++) {
    if (!hm_path_leads_out(l->a, c->house.folder, v[i]))
      continue;
    const char *real = real_path(l, v[i]);
    if (strncmp(real, shown, strlen(shown)) != 0)
      beside = real;
    hm_buf_fmt(&places, "\n%s", real);
  }
  if (places.n)
    add_item(l, "publish.repo", &c->repo,
             hm_str_fmt(l->a, "commits to branch %s of the repository %s%s%s", c->branch, shown,
                        beside ? ", which leads to " : "", beside ? beside : ""),
             HM_CAT(l->a, hm_str_c(c->branch), hm_buf_view(&places)));
  hm_buf_free(&places);
}

static void add_push(lister *l) {
  hm_config *c = l->c;
  if (!c->push)
    return;
  const char *to = hm_git_remote_address(c->repo, c->push, l->a);
  l->out->push_address = to;
  if (!strchr(to, ':') && !(hm_remote_is_name(c->push) && !strcmp(to, c->push)))
    to = real_path(l, to);
  hm_str shown = hm_remote_hide_password(l->a, to);
  bool is_name = hm_remote_is_name(c->push);
  hm_str sentence = hm_str_fmt(l->a, "pushes branch %s to %.*s%s%s%s", c->branch, HM_FMT(shown),
                               is_name ? " (" : "", is_name ? c->push : "", is_name ? ")" : "");
  add_item(l, "publish.push", &c->push, sentence,
           hm_str_fmt(l->a, "%s\n%s\n%s", c->branch, is_name ? c->push : "", to))
      ->without = "--no-push";
}

/* A key is one, too, for who says --sign. */
static void add_sign(lister *l) {
  hm_config *c = l->c;
  bool gpg = strcmp(c->sign, "openpgp") == 0;
  if (strcmp(c->sign, "off") == 0 && !c->sign_key)
    return;
  const char *key = !c->sign_key ? "" : gpg ? c->sign_key : real_path(l, c->sign_key);
  hm_str sentence = hm_str_fmt(l->a, "signs commits of %s <%s> with the %s key %s", c->author_name,
                               c->author_email, gpg ? "OpenPGP" : "ssh", key);
  add_item(l, "publish.sign", &c->sign_key, sentence,
           hm_str_fmt(l->a, "%s\n%s\n%s\n%s", c->sign, key, c->author_name, c->author_email))
      ->without = "--sign off";
}

static void add_endpoint(lister *l, hm_endpoint *e, const char *key, const char *texts) {
  if (!e->url)
    return;
  hm_str shown = hm_address_shown(hm_str_c(e->url), l->a);
  hm_trust_item *x =
      add_item(l, key, &e->withheld,
               hm_str_fmt(l->a, "sends %s and %s to %.*s", e->key_env, texts, HM_FMT(shown)),
               hm_str_fmt(l->a, "%s\n%s", e->key_env, e->url));
  x->withheld =
      hm_str_fmt(l->a, "%s does not hold in a folder that you did not trust: see 'hmirror trust'",
                 key)
          .p;
}

int hm_trust_list(hm_config *c, hm_arena *a, hm_trust *out, hm_err *err) {
  const char *folder = *c->house.folder ? c->house.folder : ".";
  lister l = { c, a, out };
  hm_sha256 h;
  *out = (hm_trust){ .file = hm_config_file_name(c), .folder = hm_path_resolve(a, folder) };
  if (!out->folder)
    return hm_fail(err, HM_E_USAGE, folder, "the mirror's folder cannot be found", NULL);
  out->items = hm_alloc_array(a, HM_COUNT(paths) + c->house.n_css + OTHERS, sizeof *out->items);
  add_paths(&l);
  add_repository(&l);
  add_push(&l);
  add_sign(&l);
  add_endpoint(&l, &c->judge, "judge.url", "facts");
  add_endpoint(&l, &c->recall, "recall.url", "texts of facts");
  hm_sha256_init(&h);
  for (size_t i = 0; i < out->n; i++) {
    hm_sha256_field(&h, hm_str_c(out->items[i].key));
    hm_sha256_field(&h, out->items[i].value);
  }
  memcpy(out->digest, hm_sha256_hex(&h, a, 64).p, 64);
  return 0;
}

/* --- does it hold? ----------------------------------------------------------------------- */

static hm_trust_state recorded_state(hm_trust *t, hm_arena *a) {
  hm_trusted_folder *v;
  size_t n;
  bool there;
  hm_err err = { 0 };
  char line[1100];
  if (hm_trust_file_read(a, &v, &n, &there, &err)) {
    hm_err_format_line(&err, line, sizeof line);
    t->unread = hm_str_dup(a, hm_str_c(line)).p;
    return HM_TRUST_UNREAD;
  }
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(v[i].folder, t->folder))
      return hm_str_is(v[i].digest, t->digest) ? HM_TRUST_HELD : HM_TRUST_CHANGED;
  return there ? HM_TRUST_NOT_YET : HM_TRUST_FIRST;
}

void hm_trust_look_up(hm_trust *t, bool for_this_run, const hm_trust *before, hm_arena *a) {
  bool same = !before || !before->digest[0] || strcmp(before->digest, t->digest) == 0;
  t->for_this_run = for_this_run;
  if (!t->n)
    t->state = HM_TRUST_NOTHING;
  else if (for_this_run)
    t->state = same ? HM_TRUST_HELD : HM_TRUST_CHANGED;
  else
    t->state = recorded_state(t, a);
}

bool hm_trust_is_withheld(const hm_trust *t) { return t->state > HM_TRUST_HELD; }

void hm_trust_withhold(const hm_trust *t) {
  for (size_t i = 0; hm_trust_is_withheld(t) && i < t->n; i++)
    *t->items[i].at = t->items[i].withheld;
}

int hm_trust_check(const hm_trust *t, const char *value, hm_err *err) {
  static const char *const whys[] = {
    [HM_TRUST_FIRST] = "this folder is not trusted, and since this version must be",
    [HM_TRUST_NOT_YET] = "this folder is not trusted",
    [HM_TRUST_CHANGED] = "that is not what you trusted",
    [HM_TRUST_UNREAD] = "the list of trusted folders is not believed",
  };
  const hm_trust_item *x = NULL;
  struct stat st;
  char what[400], why[80] = "", fix[800];
  for (size_t i = 0; value && i < t->n; i++)
    if (value == t->items[i].withheld)
      x = &t->items[i];
  if (!x)
    return 0;
  snprintf(what, sizeof what, "%s: %s%s%s", t->file, x->key, x->link ? ": " : "",
           x->link ? x->link : "");
  if (x->link)
    snprintf(why, sizeof why, "a link to a %s outside of its folder, and ",
             stat(x->link, &st) == 0 && S_ISDIR(st.st_mode) ? "folder" : "file");
  snprintf(fix, sizeof fix, "%s%ssee 'hmirror trust'%s%s", t->unread ? t->unread : "",
           t->unread ? "; then " : "", x->without ? "; without it: " : "",
           x->without ? x->without : "");
  return hm_failf(err, HM_E_USAGE, what, fix, "%sit %s, but %s", why, x->sentence, whys[t->state]);
}

int hm_trust_check_repository(const hm_trust *t, const hm_config *c, const char *repo,
                              hm_err *err) {
  hm_arena *a = hm_arena_new();
  size_t n, i = 0;
  int rc = 0;
  const char *real = hm_path_resolve(a, repo), *own = hm_path_resolve(a, c->repo);
  bool listed = t->state == HM_TRUST_HELD && real && own && !strcmp(real, own);
  if (t->for_this_run || listed || !t->folder || hm_path_leads_out(a, t->folder, repo))
    goto out;
  const char **places = hm_git_list_places(repo, a, &n);
  while (i < n && !hm_path_leads_out(a, t->folder, places[i]))
    i++;
  if (i < n) {
    const char *to = hm_path_resolve(a, places[i]);
    rc = hm_failf(err, HM_E_USAGE, repo,
                  "name a repository that lies whole in the folder, or one elsewhere; --trust lets "
                  "it for this run, and see 'hmirror trust'",
                  "it leads out of the folder of %s, to %s", t->file, to ? to : places[i]);
  }
out:
  hm_arena_free(a);
  return rc;
}

bool hm_trust_still_holds(const hm_trust *t) {
  hm_arena *a = hm_arena_new();
  hm_config now;
  hm_trust again;
  hm_err err;
  bool holds = !hm_config_load(a, t->file, &now, &err) && !hm_trust_list(&now, a, &again, &err);
  if (holds)
    hm_trust_look_up(&again, t->for_this_run, t, a);
  holds = holds && again.state == HM_TRUST_HELD && strcmp(again.digest, t->digest) == 0;
  hm_arena_free(a);
  return holds;
}

const char *hm_trust_endpoints_line(const hm_trust *t, hm_arena *a) {
  const char *first = NULL, *second = NULL;
  for (size_t i = 0; hm_trust_is_withheld(t) && i < t->n; i++)
    if (hm_str_ends(hm_str_c(t->items[i].key), ".url"))
      first ? (second = t->items[i].key) : (first = t->items[i].key);
  if (!first)
    return NULL;
  return hm_str_fmt(a, "%s: %s%s%s: this folder is not trusted%s, so there %s: see 'hmirror trust'",
                    t->file, first, second ? ", " : "", second ? second : "",
                    t->state == HM_TRUST_FIRST ? " (since this version it must be)" : "",
                    second                           ? "is no judge, and are no vectors of a model"
                        : strcmp(first, "judge.url") ? "are no vectors of a model"
                                                     : "is no judge")
      .p;
}
