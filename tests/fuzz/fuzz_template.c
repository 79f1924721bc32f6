/* Any bytes as a template: an error that names a line, or a bounded rendering; no fact is ever
 * printed raw (a template that has a "<" of its own may put the same bytes together). */
#include <stdlib.h>
#include <string.h>
#include "gen/render/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static hm_node *model(hm_arena *a) {
  hm_node *root = hm_node_new_obj(a), *list = hm_node_new_list(a), *item = hm_node_new_obj(a);
  hm_node_set_text(root, "a", HM_STR("<fact>*"));
  hm_node_set_bool(root, "t", true);
  hm_node_set(root, "raw", hm_node_new_raw(a, HM_STR("made here")));
  hm_node_set_text(item, "x", HM_STR("<fact>*"));
  hm_node_set_row(item, HM_STR("memory:m1"));
  hm_node_push(list, item);
  hm_node_push(list, item);
  hm_node_set(root, "l", list);
  return root;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hm_arena *a = hm_arena_new();
  hm_templates *t = NULL;
  hm_err err = {0};
  hm_buf out = {0};
  hm_template_file files[] = {
    {HM_STR("main.html"), {(const char *)data, size}, HM_STR("main")},
    {HM_STR("partials/p.html"), HM_STR("[{{x}}{{$b}}d{{/b}}]"), HM_STR("p")},
  };
  if (!hm_templates_compile(files, 2, &t, &err)) {
    if (!hm_template_render(t, HM_STR("main.html"), model(a), a, &out, &err) && out.n &&
        memmem(out.p, out.n, "<fact>", 6) && !memchr(data, '<', size))
      abort();
  } else if (!strchr(err.what, ':')) {
    abort();
  }
  hm_templates_free(t);
  hm_buf_free(&out);
  hm_arena_free(a);
  return 0;
}
