/* Every key of the settings has a class, and each that may do something outside of the folder is on
 * the folder's list and does not hold until that list is trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "gen/mirror/files.h"
#include "gen/mirror/trust.h"
#include "gen/sink/git.h"

typedef struct {
  hm_arena *a;
  char top[64];
  const char *folder;
} box;

static const char *at(box *b, const char *name) { return hm_path_join(b->a, b->top, name); }

/* TOP/in is the mirror, and has a link out, to TOP/elsewhere; TOP/home is the user's. */
static int setup(void **state) {
  box *b = calloc(1, sizeof *b);
  b->a = hm_arena_new();
  strcpy(b->top, "/tmp/hm-trust-XXXXXX");
  *state = b;
  if (!mkdtemp(b->top))
    return -1;
  b->folder = at(b, "in");
  setenv("XDG_CONFIG_HOME", at(b, "home"), 1);
  return mkdir(b->folder, 0777) || mkdir(at(b, "elsewhere"), 0777) || mkdir(at(b, "home"), 0777) ||
      symlink("../elsewhere", at(b, "in/out"));
}

static int teardown(void **state) {
  box *b = *state;
  char remove[100];
  snprintf(remove, sizeof remove, "rm -rf %s", b->top);
  int rc = system(remove);
  hm_arena_free(b->a);
  free(b);
  return rc;
}

static void parse(box *b, const char *yaml, hm_config *c) {
  hm_err err;
  if (hm_config_parse(b->a, hm_str_c(yaml), "mirror.yml", b->folder, c, &err))
    fail_msg("%s: %s: %s", yaml, err.what, err.why);
}

static void list(box *b, const char *yaml, hm_config *c, hm_trust *t) {
  hm_err err;
  parse(b, yaml, c);
  assert_int_equal(hm_trust_list(c, b->a, t, &err), 0);
  hm_trust_look_up(t, false, NULL, b->a);
}

/* "publish.repo" with a value, as YAML. */
static const char *setting(box *b, const char *key, const char *value) {
  const char *dot = strchr(key, '.');
  return dot ? hm_str_fmt(b->a, "%.*s:\n  %s: %s\n", (int)(dot - key), key, dot + 1, value).p
             : hm_str_fmt(b->a, "%s: %s\n", key, value).p;
}

static const char *value_of(const char *key, hm_key_class class) {
  static const struct {
    const char *key, *value;
  } odd[] = { { "extra_css", "[out/x.css]" },
              { "extra_head", "out/x.html" },
              { "logo", "out/x.svg" },
              { "publish.sign", "ssh" },
              { "publish.sign_key", "k" } };
  for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
    if (strcmp(odd[i].key, key) == 0)
      return odd[i].value;
  return class == HM_KEY_PATH ? "out/x" : class == HM_KEY_SENDS ? "https://evil.example/v1" : "VAR";
}

static bool is_unopenable(const char *path) {
  return access(path, F_OK) != 0 && mkdir(path, 0777) != 0;
}

static void every_key_has_a_class(void **state) {
  box *b = *state;
  const char *key;
  size_t outside = 0;
  for (size_t i = 0; (key = hm_config_key(b->a, i)); i++) {
    hm_key_class class = hm_config_key_class(i);
    hm_config c;
    hm_trust t;
    hm_err err;
    if (class == HM_KEY_UNCLASSED)
      fail_msg("%s has no class", key);
    if (class == HM_KEY_PLAIN)
      continue;
    outside++;
    const char *yaml = setting(b, key, value_of(key, class));
    if (class == HM_KEY_VARIABLE)
      yaml = hm_str_fmt(b->a, "%s  url: https://evil.example/v1\n", yaml).p;
    list(b, yaml, &c, &t);
    if (t.n != 1)
      fail_msg("%s: %zu on the list", key, t.n);
    assert_true(hm_trust_is_withheld(&t));
    assert_true(class != HM_KEY_VARIABLE || strstr(t.items[0].sentence, "VAR"));
    hm_trust_withhold(&t);
    const char *now = *t.items[0].at;
    assert_ptr_equal(now, t.items[0].withheld);
    assert_true(c.judge.withheld || c.recall.withheld || is_unopenable(now));
    assert_int_equal(hm_trust_check(&t, now, &err), -1);
    assert_non_null(strstr(err.fix, "hmirror trust"));
  }
  assert_int_equal(hm_config_key_class(10000), HM_KEY_UNCLASSED);
  assert_true(outside >= 20);
}

/* The page names it, whole or, as "store", where it says which paths or endpoints there are. */
static void the_manual_names_them(void **state) {
  box *b = *state;
  const char *key;
  hm_str page;
  hm_err err;
  if (hm_file_read(b->a, "gen/cli/hmirror-trust.7", 1 << 20, HM_E_INPUT, &page, &err))
    fail_msg("%s: %s", err.what, err.why);
  for (size_t i = 0; (key = hm_config_key(b->a, i)); i++) {
    if (hm_config_key_class(i) == HM_KEY_PLAIN)
      continue;
    const char *name = hm_config_key_class(i) == HM_KEY_VARIABLE ? strrchr(key, '.') + 1 : key;
    if (hm_str_find(page, name) < 0)
      fail_msg("hmirror-trust(7) does not name %s", key);
  }
}

static void nothing_is_asked_of_a_mirror(void **state) {
  box *b = *state;
  hm_config c;
  hm_trust t;
  list(b, "", &c, &t);
  assert_int_equal(t.n, 0);
  list(b,
       "store: data/../x.db\noutput: sub/new/site\nstatic: .\nlogo: a.svg\n"
       "publish: {repo: ., allowed_signers: s, sign: off}\nrecall: {key_env: X, model: m}\n",
       &c, &t);
  assert_int_equal(t.n, 0);
  assert_int_equal(t.state, HM_TRUST_NOTHING);
  assert_int_equal(hm_trust_check(&t, c.store, NULL), 0);
}

static void trusted_until_it_changes(void **state) {
  box *b = *state;
  hm_config c;
  hm_trust t;
  hm_err err;
  bool had;
  struct stat st;
  list(b, "recall: {url: https://a.example/v1}\n", &c, &t);
  assert_int_equal(t.state, HM_TRUST_FIRST);
  assert_int_equal(hm_trust_file_change(b->a, t.folder, t.digest, &had, &err), 0);
  assert_false(had);
  assert_int_equal(stat(hm_trust_file(b->a), &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);
  list(b, "title: other\nrecall: {url: https://a.example/v1, timeout: 3}\n", &c, &t);
  assert_int_equal(t.state, HM_TRUST_HELD);
  hm_trust_withhold(&t);
  assert_null(c.recall.withheld);
  static const char *const others[] = { "recall: {url: https://b.example/v1}\n",
                                        "recall: {url: https://a.example/v1, key_env: HOME}\n",
                                        "recall: {url: https://a.example/v1}\noutput: out/site\n" };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    list(b, others[i], &c, &t);
    assert_int_equal(t.state, HM_TRUST_CHANGED);
  }
  assert_int_equal(chmod(hm_trust_file(b->a), 0620), 0);
  list(b, "recall: {url: https://a.example/v1}\n", &c, &t);
  assert_int_equal(t.state, HM_TRUST_UNREAD);
  assert_int_equal(hm_trust_file_change(b->a, t.folder, t.digest, &had, &err), -1);
  assert_int_equal(chmod(hm_trust_file(b->a), 0600), 0);
  assert_int_equal(hm_trust_file_change(b->a, at(b, "in2"), t.digest, &had, &err), 0);
  assert_int_equal(hm_trust_file_change(b->a, t.folder, NULL, &had, &err), 0);
  assert_true(had);
  list(b, "recall: {url: https://a.example/v1}\n", &c, &t);
  assert_int_equal(t.state, HM_TRUST_NOT_YET);
  assert_int_equal(hm_trust_file_change(b->a, "/a\nb", t.digest, &had, &err), -1);
}

static void for_one_run(void **state) {
  box *b = *state;
  hm_config c;
  hm_trust t, later;
  list(b, "output: out/site\n", &c, &t);
  hm_trust_look_up(&t, true, &(hm_trust){ 0 }, b->a);
  assert_int_equal(t.state, HM_TRUST_HELD);
  list(b, "output: out/site\ntitle: x\n", &c, &later);
  hm_trust_look_up(&later, true, &t, b->a);
  assert_int_equal(later.state, HM_TRUST_HELD);
  list(b, "output: out/site2\n", &c, &later);
  hm_trust_look_up(&later, true, &t, b->a);
  assert_int_equal(later.state, HM_TRUST_CHANGED);
}

static void where_a_path_leads(void **state) {
  box *b = *state;
  static const struct {
    const char *path;
    bool out;
  } cases[] = {
    { "in", false },        { "in/", false },         { "in/.", false },
    { "in/a/b", false },    { "in/a/../b", false },   { "in/a/../..", true },
    { "in/out", true },     { "in/out/new/x", true }, { "in/out/../in/x", false },
    { "in/nothing", true }, { "in/loop", true },      { "in2", true },
    { "in/..", true },      { "in/deep/x", true },    { "in/back", false },
  };
  assert_int_equal(symlink("../gone/far", at(b, "in/nothing")), 0);
  assert_int_equal(symlink("loop", at(b, "in/loop")), 0);
  assert_int_equal(symlink("out/..", at(b, "in/deep")), 0);
  assert_int_equal(symlink("out/../in/a", at(b, "in/back")), 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (hm_path_leads_out(b->a, b->folder, at(b, cases[i].path)) != cases[i].out)
      fail_msg("%s", cases[i].path);
  assert_string_equal(hm_path_resolve(b->a, "/"), "/");
  assert_string_equal(hm_path_resolve(b->a, "/../.."), "/");
  assert_false(hm_path_leads_out(b->a, "/", "/etc"));
}

static void hosts_of_addresses(void **state) {
  box *b = *state;
  static const char *const cases[][2] = {
    { "https://Host.example/x", "host.example:443" },
    { "http://h:80/x", "h:80" },
    { "http://h", "h:80" },
    { "https://u:p@h:8443/x", "h:8443" },
    { "https://[::1]/x", "[::1]:443" },
    { "https://good@evil/x", "evil:443" },
    { "https://h?good", "h:443" },
    { "ssh://u@h/x", "h" },
    { "u@h:x", "" },
    { "../x.git", "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hm_str got = hm_remote_host(b->a, cases[i][0]);
    if (!hm_str_is(got, cases[i][1]))
      fail_msg("%s: %.*s", cases[i][0], HM_FMT(got));
  }
  assert_true(hm_remote_is_name("origin") && hm_remote_is_name("my.remote"));
  assert_false(hm_remote_is_name("../x") || hm_remote_is_name("there:x") ||
               hm_remote_is_name("a/b"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
    TEST(every_key_has_a_class), TEST(the_manual_names_them), TEST(nothing_is_asked_of_a_mirror), TEST(trusted_until_it_changes),
    TEST(for_one_run),           TEST(where_a_path_leads),           TEST(hosts_of_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
