/* hmirror-templates(5) lists the templates and their variables, and no others; hmirror-facts(5)
 * lists the keys of the data files.
 *
 * What there is comes from the tags of the built-in templates and from the models of real pages:
 * those of the example and of three golden sites, with long lists and with short ones. */
#include "tests/unit/gen_page_help.h"
#include "gen/page/changes_file.h"
#include "gen/render/template_impl.h"
#include "gen/site/site_impl.h"
#include "tests/unit/manual_help.h"

enum { NAMES_MAX = 400, TEMPLATES_MAX = 80, DEEP = 20 };

/* Names that a template uses, itself or by its partials, and that its models have. */
typedef struct { char file[80]; char names[NAMES_MAX][40]; size_t n; } template_names;

static struct {
  manual_page manual, facts;
  template_names of[TEMPLATES_MAX];
  size_t n;
  template_names data;   /* keys of data files */
} all;

static template_names *names_of(const char *file) {
  for (size_t i = 0; i < all.n; i++)
    if (strcmp(all.of[i].file, file) == 0) return &all.of[i];
  assert_true(all.n < TEMPLATES_MAX);
  snprintf(all.of[all.n].file, sizeof all.of[all.n].file, "%s", file);
  return &all.of[all.n++];
}

static bool has_name(const template_names *t, const char *name) {
  for (size_t i = 0; i < t->n; i++)
    if (strcmp(t->names[i], name) == 0) return true;
  return false;
}

static void add_name(template_names *t, const char *name) {
  if (has_name(t, name)) return;
  assert_true(t->n < NAMES_MAX && strlen(name) < sizeof t->names[0]);
  strcpy(t->names[t->n++], name);
}

/* --- what there is ------------------------------------------------------- */

static const hm_builtin *template_file(const char *name, const char *suffix) {
  char path[200];
  snprintf(path, sizeof path, "templates/%s.%s.mustache", name, suffix);
  const hm_builtin *b = hm_builtin_find(path);
  snprintf(path, sizeof path, "templates/partials/%s.%s.mustache", name, suffix);
  return b ? b : hm_builtin_find(path);
}

static void add_tags(template_names *t, const hm_builtin *b, const char *suffix, int depth) {
  if (depth > DEEP) fail_msg("%s: partials in a circle", b->path);
  char *text = strndup(b->bytes, b->n);
  for (const char *p = text; (p = strstr(p, "{{"));) {
    p += 2 + strspn(p + 2, "{& ");
    char mark = *p && strchr("#^/!><$=", *p) ? *p : 0, name[100];
    p += mark != 0;
    size_t n = strcspn(p, " }");
    snprintf(name, sizeof name, "%.*s", (int)n, p);
    if (!mark || mark == '#' || mark == '^') add_name(t, name);
    if (mark != '>' && mark != '<') continue;
    const hm_builtin *part = template_file(name, suffix);
    if (!part) fail_msg("%s: no template %s", b->path, name);
    add_tags(t, part, suffix, depth + 1);
  }
  free(text);
}

static void add_model(template_names *t, const hm_node *v, int depth) {
  if (depth > DEEP) fail_msg("%s: a model without an end", t->file);
  for (uint32_t i = 0; v->kind == HM_NODE_OBJ && i < v->n; i++) {
    char name[100];
    snprintf(name, sizeof name, "%.*s", (int)(v->fields[i].key.tag >> 32), v->fields[i].key.p);
    add_name(t, name);
    add_model(t, v->fields[i].value, depth + 1);
  }
  for (uint32_t i = 0; v->kind == HM_NODE_LIST && i < v->n; i++)
    add_model(t, v->items[i], depth + 1);
}

static void add_builtins(void) {
  for (size_t i = 0; i < hm_n_builtins; i++) {
    hm_str path = hm_str_c(hm_builtins[i].path);
    if (!hm_str_starts(path, "templates/") || !hm_str_ends(path, ".mustache")) continue;
    char file[80];
    snprintf(file, sizeof file, "%.*s", (int)(path.n - 19), path.p + 10);
    add_tags(names_of(file), &hm_builtins[i], strrchr(file, '.') + 1, 0);
  }
}

static void add_keys(const hm_json *v) {
  for (const hm_json *m = v->child; m; m = m->next) {
    char name[100];
    snprintf(name, sizeof name, "%.*s", HM_FMT(m->key));
    if (v->type == HM_JSON_OBJECT && !hm_str_ends(m->key, "_whole")) add_name(&all.data, name);
    add_keys(m);
  }
}

static void add_data(help_site *s, const hm_raw_file *f) {
  hm_buf b = { 0 };
  if (!hm_str_ends(f->path, ".jsonl")) return;
  f->bytes(s->view, f, s->a, &b);
  hm_str rest = hm_buf_copy(&b, s->a);
  hm_buf_free(&b);
  /* The manual says the first line in words. */
  rest = hm_str_sub(rest, (size_t)hm_str_find(rest, "\n") + 1, rest.n);
  while (rest.n) {
    size_t n = (size_t)hm_str_find(rest, "\n");
    hm_json *row = NULL;
    assert_int_equal(hm_json_parse(s->a, hm_str_sub(rest, 0, n), &row, NULL), 0);
    add_keys(row);
    rest = hm_str_sub(rest, n + 1, rest.n);
  }
}

/* What a branch has beside a folder. */
static void add_changes(help_site *s) {
  static const char recorded[] =
      "{\"kind\":\"mirror-data\",\"format\":1}\n"
      "{\"kind\":\"publication\",\"number\":1,\"disputed\":0,\"first\":true}\n"
      "{\"kind\":\"publication\",\"number\":2,\"at\":\"2026-04-02T09:00:00Z\",\"disputed\":3}\n"
      "{\"kind\":\"change\",\"event\":\"changed\",\"project\":\"p06-polisher\",\"subject\":\"x\","
      "\"text\":\"y\",\"conflict\":\"c1\",\"rows\":[\"entity:e1\"],\"fields\":[\"value\"]}\n"
      "{\"kind\":\"more\",\"project\":\"p06-polisher\",\"changes\":3}\n";
  hm_changes *c = hm_alloc(s->a, sizeof *c);
  hm_err err;
  assert_true(hm_changes_parse(HM_STR(recorded), s->a, c));
  hm_view_set_changes(s->view, c);
  assert_int_equal(hm_list_pages(s->view, s->a, &s->pages, &err), 0);
}

static void add_site(hm_str lines, hm_view_options opt) {
  help_site s = help_site_of(lines, &opt);
  add_changes(&s);
  hm_site_options site = { .markdown = true, .html = true };
  hm_build b = { .v = s.view, .opt = &site, .title = HM_STR("A"), .base_url = HM_STR("https://example.org/") };
  for (size_t i = 0; i < s.pages->n; i++) {
    char file[80];
    const hm_page *p = &s.pages->pages[i];
    hm_node *model = hm_page_model(s.view, p, s.a);
    snprintf(file, sizeof file, "%s.md", p->tmpl);
    add_model(names_of(file), model, 0);
    hm_node *shell = hm_build_shell_model(&b, p, model, s.a);
    hm_shell_set_body(shell, p, HM_STR("-"), s.a);
    add_model(names_of("shell.html"), shell, 0);
  }
  for (size_t i = 0; i < s.pages->n_raws; i++) add_data(&s, &s.pages->raws[i]);
  add_model(names_of("404.html"), hm_build_shell_model_404(&b, s.a), 0);
  help_site_done(&s);
}

static void add_sites(const char *const *files, size_t n) {
  hm_buf b = { 0 };
  for (size_t i = 0; i < n; i++) {
    char bytes[65536];
    FILE *f = fopen(files[i], "r");
    if (!f) fail_msg("%s: cannot be read", files[i]);
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, f));) hm_buf_add(&b, bytes, got);
    fclose(f);
  }
  hm_view_options opt = { .title = HM_STR("M"), .list_limit = 500, .value_limit = 2000,
                          .search = true };
  add_site(hm_buf_view(&b), opt);
  opt.list_limit = 2;
  opt.value_limit = 10;
  add_site(hm_buf_view(&b), opt);
  hm_buf_free(&b);
}

static int collect(void **state) {
  (void)state;
  static const char *const example[] = {
    "site-example/facts/1-projects.jsonl", "site-example/facts/2-interferometer.jsonl",
    "site-example/facts/3-gigalink.jsonl", "site-example/facts/4-polisher.jsonl",
    "site-example/facts/5-people.jsonl" };
  static const char *const settled[] = { "tests/golden/settled/facts.jsonl" };
  static const char *const verdicts[] = { "tests/golden/verdicts/facts.jsonl" };
  static const char *const realm[] = { "tests/golden/realm/2-crown.jsonl" };
  add_builtins();
  add_sites(example, 5);
  add_sites(settled, 1);
  add_sites(verdicts, 1);
  add_sites(realm, 1);
  bool read = manual_read(&all.manual, "gen/cli/hmirror-templates.5") &&
              manual_read(&all.facts, "gen/cli/hmirror-facts.5");
  return read ? 0 : -1;
}

/* --- what the manual says ------------------------------------------------- */

/* Does the line speak of a template's variables? Of all templates' in the first two sections. */
static bool is_about(const char *file) {
  const manual_page *m = &all.manual;
  if (strcmp(m->section, "SHAPES") == 0 || strcmp(m->section, "EVERY PAGE") == 0) return true;
  return strcmp(m->section, "TEMPLATES") == 0 && manual_in(m->part, file);
}

static bool is_documented(const char *file, const char *name) {
  char line[500], word[MANUAL_WORD];
  manual_rewind(&all.manual);
  while (manual_line(&all.manual, line)) {
    const char *at = line;
    while (is_about(file) && manual_word("Va", line, &at, word))
      if (strcmp(word, name) == 0) return true;
  }
  return false;
}

static void every_variable_is_in_the_manual(void **state) {
  (void)state;
  for (size_t i = 0; i < all.n; i++) {
    const template_names *t = &all.of[i];
    if (strncmp(t->file, "partials/", 9) == 0) continue;   /* part of those that use it */
    for (size_t k = 0; k < t->n; k++)
      if (!is_documented(t->file, t->names[k]))
        fail_msg("hmirror-templates(5): %s: %s is missing", t->file, t->names[k]);
  }
}

static bool is_used(const char *part, const char *name) {
  for (size_t i = 0; i < all.n; i++)
    if ((!*part || manual_in(part, all.of[i].file)) && has_name(&all.of[i], name)) return true;
  return false;
}

static void the_manual_has_no_other_variable(void **state) {
  (void)state;
  char line[500], word[MANUAL_WORD];
  manual_rewind(&all.manual);
  while (manual_line(&all.manual, line)) {
    bool of_some = strcmp(all.manual.section, "TEMPLATES") == 0;
    const char *at = line, *part = of_some ? all.manual.part : "";
    while (manual_word("Va", line, &at, word))
      if (!is_used(part, word)) fail_msg("hmirror-templates(5): %s: there is no %s", part, word);
  }
}

static void every_template_is_in_the_manual(void **state) {
  (void)state;
  for (size_t i = 0; i < all.n; i++) {
    bool found = false;
    char line[500], word[MANUAL_WORD];
    manual_rewind(&all.manual);
    while (!found && manual_line(&all.manual, line)) {
      const char *at = line;
      if (strcmp(all.manual.section, "TEMPLATES") == 0)
        found = manual_in(all.manual.part, all.of[i].file);
      if (strcmp(all.manual.section, "PARTIALS") != 0 || strncmp(line, ".It ", 4) != 0) continue;
      while (manual_word("Pa", line, &at, word)) found = found || strcmp(word, all.of[i].file) == 0;
    }
    if (!found) fail_msg("%s is not in hmirror-templates(5)", all.of[i].file);
  }
}

static void check_template(const char *name) {
  for (size_t i = 0; i < all.n; i++)
    if (strcmp(all.of[i].file, name) == 0) return;
  fail_msg("hmirror-templates(5): there is no template %s", name);
}

static void the_manual_has_no_other_template(void **state) {
  (void)state;
  char line[500], word[MANUAL_WORD];
  manual_rewind(&all.manual);
  while (manual_line(&all.manual, line)) {
    const char *at = line;
    bool part = strcmp(all.manual.section, "TEMPLATES") == 0 && strncmp(line, ".Ss ", 4) == 0;
    for (char *p = part ? strtok(line + 4, " ,") : NULL; p; p = strtok(NULL, " ,"))
      check_template(p);
    if (strcmp(all.manual.section, "PARTIALS") != 0 || strncmp(line, ".It ", 4) != 0) continue;
    while (manual_word("Pa", line, &at, word)) check_template(word);
  }
}

static void every_key_of_data_files_is_in_the_manual(void **state) {
  (void)state;
  assert_true(all.data.n > 30);
  for (size_t i = 0; i < all.data.n; i++) {
    bool found = false;
    char line[500], word[MANUAL_WORD];
    manual_rewind(&all.facts);
    while (!found && manual_line(&all.facts, line)) {
      const char *at = line;
      if (strcmp(all.facts.section, "DATA FILES OF THE MIRROR") != 0) continue;
      while (manual_word("Cm", line, &at, word))
        found = found || strcmp(word, all.data.names[i]) == 0;
    }
    if (!found) fail_msg("hmirror-facts(5): data files: %s is missing", all.data.names[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_variable_is_in_the_manual),
    cmocka_unit_test(the_manual_has_no_other_variable),
    cmocka_unit_test(every_template_is_in_the_manual),
    cmocka_unit_test(the_manual_has_no_other_template),
    cmocka_unit_test(every_key_of_data_files_is_in_the_manual),
  };
  return cmocka_run_group_tests(tests, collect, NULL);
}
