/* Documents as rows: what is one, what it claims, what its id depends on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "core/notes/notes.h"

typedef struct {
  hm_buf rows, ids;
  hm_record_place place;
} seen;

/* A rule without what says that a slot is made of words. */
static void add_rule(hm_buf *b, hm_str rule) {
  bool inside = false;
  for (size_t i = 0; i < rule.n; i++) {
    inside |= hm_str_starts(hm_str_sub(rule, i, rule.n), " (");
    if (!inside)
      hm_buf_ch(b, rule.p[i]);
    inside &= rule.p[i] != ')';
  }
}

static int see(void *ctx, const hm_json *record) {
  seen *s = ctx;
  hm_str ref = hm_json_get_items(record, "source_refs")->text;
  hm_str rule = hm_json_get_text(record, "slot_rule");
  hm_buf_fmt(&s->rows, "%.*s %.*s: %.*s", HM_FMT(ref),
             HM_FMT(hm_json_get_text(record, "memory_type")),
             HM_FMT(hm_json_get_text(record, "content")));
  if (rule.n) {
    hm_buf_c(&s->rows, " {");
    add_rule(&s->rows, rule);
    hm_buf_ch(&s->rows, '}');
  }
  hm_buf_ch(&s->rows, '\n');
  hm_buf_str(&s->ids, hm_json_get_text(record, "id"));
  hm_buf_ch(&s->ids, '\n');
  return 0;
}

/* The first folder is the one that was named. */
static hm_notes_told read_notes(seen *s, const char *path, const char *text, bool list) {
  const char *slash = strchr(path, '/');
  hm_notes_told told = { .top = slash ? (size_t)(slash + 1 - path) : 0 };
  hm_err err = { 0 };
  *s = (seen){ .place = { .name = path, .err = &err } };
  assert_int_equal(
      hm_notes_read(&s->place, hm_str_c(path), hm_str_c(text), list, NULL, see, s, &told), 0);
  hm_buf_ch(&s->rows, 0);
  hm_buf_ch(&s->ids, 0);
  return told;
}

static void free_seen(seen *s) {
  hm_buf_free(&s->rows);
  hm_buf_free(&s->ids);
}

static void check(const char *path, const char *text, const char *expected) {
  seen s;
  read_notes(&s, path, text, false);
  assert_string_equal(s.rows.p, expected);
  free_seen(&s);
}

static void parts_are_rows_with_their_place(void **state) {
  (void)state;
  check("a/b.md",
        "# Guide\n\nOne. Two.\n\n## Sieve\n\n- mesh: 4 mm\n\n| Part | Size |\n|-|-|\n| Lid | 9 |\n",
        "a/b.md:3 knowledge: One.\n"
        "a/b.md:3 knowledge: Two.\n"
        "a/b.md:7 knowledge: mesh: 4 mm {Sieve *}\n"
        "a/b.md:11 knowledge: Lid | 9 {=}\n");
  /* of one of many things, and of the project */
  check("docs/tower/bells/north/a/tenor.md", "- Range: 90 m\n",
        "docs/tower/bells/north/a/tenor.md:1 knowledge: Range: 90 m {=}\n");
  check("docs/tower/bells/north/a/README.md", "- Range: 90 m\n",
        "docs/tower/bells/north/a/README.md:1 knowledge: Range: 90 m\n");
  check("docs/tenor.md", "- Range: 90 m\n", "docs/tenor.md:1 knowledge: Range: 90 m {tenor:: *}\n");
  check("AGENTS.md", "- Use tabs.\n", "AGENTS.md:1 adaptation: Use tabs.\n");
  check("a.md", "# T\n\n## Roadmap\n\n- Ruby 3.4\n", "a.md:5 episodic: Ruby 3.4 {Roadmap *}\n");
}

static void what_says_nothing_is_counted(void **state) {
  (void)state;
  seen s;
  hm_notes_told told =
      read_notes(&s, "a.md",
                 "> said\n\n- [ ] todo\n- ~~gone~~\n- [Part](#part)\n- {{name}}\n\n"
                 "[![x](y)](z)\n\n<!-- c -->\n\nKey parts:\n\n```c\nint x;\n```\n",
                 false);
  assert_string_equal(s.rows.p, "");
  for (int i = HM_NOTES_QUOTATION; i < HM_N_NOTES_UNREAD; i++)
    if (told.unread[i] != 1)
      fail_msg("%s: %d", hm_notes_unread_words((hm_notes_unread)i), (int)told.unread[i]);
  free_seen(&s);
}

/* The row has its whole text, and its id is made of that. */
static void what_is_struck_or_pictured_claims_nothing(void **state) {
  (void)state;
  seen x, y;
  check("a.md", "The API timeout is ~~30 s~~ 60 s.\n",
        "a.md:1 knowledge: The API timeout is 30 s 60 s. {api_timeout = 60 s}\n");
  read_notes(&x, "a.md", "The API timeout is ~~30 s~~ 60 s.\n", false);
  read_notes(&y, "a.md", "The API timeout is 30 s 60 s.\n", false);
  assert_string_equal(x.ids.p, y.ids.p);
  free_seen(&x);
  free_seen(&y);
  check("a.md", "- ~~Ruby 3.3~~ is old\n", "a.md:1 knowledge: Ruby 3.3 is old {=}\n");
  check("a.md", "- ![Ruby 3.3](a.png) shows it\n", "a.md:1 knowledge: Ruby 3.3 shows it {=}\n");
  check("a.md", "| A | B |\n|-|-|\n| ~~API~~ | ~~4000~~ |\n", "");
  check("a.md", "| A | B |\n|-|-|\n| ![Ruby 3.3](a.png) | ![x](b.png) |\n", "");
  check("a.md", "```sh\n$ ring \\\n  all # of them\nGO_TTL=5s # now\n# by hand\n$ stop\n```\n",
        "a.md:3 knowledge: all # of them {=}\na.md:5 knowledge: by hand: $ stop {=}\n");
}

static void fields_to_fill_in_are_no_rows(void **state) {
  (void)state;
  seen s;
  hm_notes_told told = read_notes(
      &s, "a.md", "- Port: <your-port>\n- Host: <host>\n- Bell:\n\nCall <your-name> now.\n", false);
  assert_string_equal(s.rows.p, "");
  assert_int_equal(told.unread[HM_NOTES_PLACEHOLDER], 4);
  free_seen(&s);
  told = read_notes(&s, "a.md",
                    "```yaml\nservices:\n  a:\n    ports:\n      - 4400:80\n"
                    "      - 4402:81\n```\n",
                    false);
  assert_string_equal(s.rows.p, ""); /* which of them is the one? */
  assert_int_equal(told.unread[HM_NOTES_CODE], 5);
  free_seen(&s);
}

static void a_list_of_notes_has_an_item_a_line(void **state) {
  (void)state;
  seen s;
  read_notes(&s, "n.txt", "Likes tea\n\n- Has a cat\n", true);
  assert_string_equal(s.rows.p, "n.txt:1 knowledge: Likes tea\nn.txt:3 knowledge: Has a cat\n");
  free_seen(&s);
}

/* An id stays when its line moves, and changes with its text or the headings above. */
static void ids_do_not_depend_on_lines(void **state) {
  (void)state;
  seen x, y, z;
  read_notes(&x, "a.md", "# A\n\n- One\n- One\n", false);
  read_notes(&y, "a.md", "# A\n\n\n\n* one\n* One\n", false);
  read_notes(&z, "a.md", "# B\n\n- One\n- One\n", false);
  assert_string_equal(x.ids.p, y.ids.p);
  assert_string_not_equal(x.ids.p, z.ids.p);
  assert_memory_not_equal(x.ids.p, x.ids.p + 19, 18);
  free_seen(&x);
  free_seen(&y);
  free_seen(&z);
}

/* Whether the only row of a document that claims something claims this; NULL: none does. */
static void check_claims(const char *path, const char *text, const char *claims) {
  seen s;
  hm_buf want = { 0 };
  hm_buf_fmt(&want, "{%s}\n", claims ? claims : "");
  hm_buf_ch(&want, 0);
  read_notes(&s, path, text, false);
  const char *found = strstr(s.rows.p, " = ");
  if (claims ? !strstr(s.rows.p, want.p) : found != NULL)
    fail_msg("%s: %s", text, s.rows.p);
  hm_buf_free(&want);
  free_seen(&s);
}

/* Which lines of the text are settled: "LINE REASON [VALUE VALUE]". */
static void check_settled(const char *text, const char *expected) {
  seen s;
  hm_err err = { 0 };
  hm_buf b = { 0 };
  hm_arena *a = hm_arena_new();
  hm_notes_told told = { .a = a };
  s = (seen){ .place = { .name = "a.md", .err = &err } };
  assert_int_equal(
      hm_notes_read(&s.place, HM_STR("a.md"), hm_str_c(text), false, NULL, see, &s, &told), 0);
  for (size_t i = 0; i < told.n_settled; i++) {
    const hm_notes_settled *l = &told.settled[i];
    hm_buf_fmt(&b, "%u%s %.*s", l->line, l->id.n ? "" : "!", HM_FMT(l->reason));
    for (size_t k = 0; k < l->n_against; k++)
      hm_buf_fmt(&b, " [%.*s]", HM_FMT(l->against[k]));
    hm_buf_ch(&b, '\n');
  }
  hm_buf_ch(&b, 0);
  assert_string_equal(b.p, expected);
  hm_buf_free(&b);
  free_seen(&s);
  hm_arena_free(a);
}

static void settled_lines_are_told(void **state) {
  (void)state;
  check("a.md", "- Ruby 3.4 <!-- hmirror: ok the old one -->\n",
        "a.md:1 knowledge: Ruby 3.4 {ruby version = 3.4}\n");
  check_settled("- Ruby 3.4 <!-- hmirror: ok the old one -->\n- Go 1.22\n", "1 the old one\n");
  check_settled("- Go 1\n- Ruby 3.4 <!-- hmirror: ok against 3.3, 3.2+: two products -->\n",
                "2 two products [3.3] [3.2+]\n");
  check_settled("| A | B |\n|-|-|\n| Ruby 3.4 | x <!-- hmirror: ok --> |\n| Go 1.22 | y |\n",
                "3 \n");
  check_settled("Ruby 3.4 runs.\nIt works. <!-- hmirror: ok -->\n", "2 \n");
  check_settled("```\nA_TTL=15m\n```\n\n<!-- hmirror: ok -->\n\nGo 1.22\n", "2 \n");
  check_settled("```\nprogram()\n```\n\n<!-- hmirror: ok -->\n", "2! \n");
  check_settled("Go 1.22 <!-- hmirror: okay, see below -->\n", "");
  check_settled("- Go 1.22\n  <!-- hmirror: ok -->\n", "1 \n");
  /* behind a blank line it is about itself */
  check_settled("Go 1.22\n\n<!-- hmirror: ok -->\n\nRuby 3.4\n", "3! \n");
  check_settled("- Go 1.22\n\n  <!-- hmirror: ok -->\n", "3! \n");
  check_settled("| A |\n|-|\n| Ruby 3.4 | <!-- hmirror: ok it is -->\n\n<!-- hmirror: ok b -->\n",
                "3 it is\n5! b\n");
  check_settled("> <!-- hmirror: ok -->\n\nGo 1.22 <!-- hmirror: not ok -->\n", "");
}

static void amounts_in_cells_are_about_row_and_column(void **state) {
  (void)state;
  static const char *const amounts[][2] = {
    { "20 minutes", "duration = 20 minutes" },
    { "3 h", "duration = 3 hours" },
    { "12 weeks", "duration = 12 weeks" },
    { "$10,000", "money = 10000 USD" },
    { "96 kbit/s", "bitrate = 96 kbit/s" },
    { "5 MiB", "size = 5 MiB" },
    { "20 x 30 pixels", "pixels = 20x30" },
    { "30 \u00B0C", "temperature = 30 \u00B0C" },
    { "-18 \u00B0C", "temperature = -18 \u00B0C" },
    { "\u00A340", "money = 40 GBP" },
    { "3,80 \u20AC", "money = 3.80 EUR" },
    { "9 m", "length = 9 m" },
    { "7:30 to 21:00", "hours = 7:30-21:00" },
    { "06:30", "time = 06:30" },
    { "every quarter", "interval = 3 months" },
    { "20", NULL }, /* of what? */
    { "12 ropes", NULL },
    { "85 %", NULL },
    { "1.5\u20132 hours", NULL },
    { "about 20 minutes", NULL },
    { "0555 0142", NULL },
    { "20 minutes or 3 hours", NULL },
  };
  for (size_t i = 0; i < HM_COUNT(amounts); i++) {
    hm_buf text = { 0 }, want = { 0 };
    hm_buf_fmt(&text, "| Kiln | Rest |\n|-|-|\n| north | %s |\n", amounts[i][0]);
    hm_buf_fmt(&want, "north rest %s", amounts[i][1] ? amounts[i][1] : "");
    hm_buf_ch(&text, 0);
    hm_buf_ch(&want, 0);
    check_claims("a.md", text.p, amounts[i][1] ? want.p : NULL);
    hm_buf_free(&text);
    hm_buf_free(&want);
  }
  check_claims("a.md", "| Kiln | Cooling (min) |\n|-|-|\n| north | 20 |\n",
               "cool north duration = 20 minutes");
  check_claims("a.md", "| Setting | Default |\n|-|-|\n| `TICKET_DAYS` | 9 |\n",
               "ticket_days duration = 9 days");
  check_claims("a.md", "| | |\n|-|-|\n| Width of the stage | 9 m |\n", "stage width length = 9 m");
  check_claims("a.md", "| Kiln | No |\n|-|-|\n| north | 20 |\n", NULL);
  check_claims("a.md", "| Error | Status | When |\n|-|-|-|\n| ORGAN_ERROR | 402 | never |\n", NULL);
  check_claims("a.md", "| Key | Default |\n|-|-|\n| `GRIP_MIN` | 0.75 |\n",
               "grip_min count = 0.75");
  check_claims("a.md", "| Key | Default |\n|-|-|\n| `DRY_TIMEOUT_MIN` | 5 |\n",
               "dry_timeout_min duration = 5 minutes\ndri timeout duration = 5 minutes");
  check_claims("a.md", "| Kiln | Kept for |\n|-|-|\n| north | 20 days |\n",
               "kiln north retention duration = 20 days");
  check_claims("a.md", "| Key | Limit |\n|-|-|\n| Jar size | 20 MB |\n",
               "jar maximum size = 20 MB\n*");
  check_claims("a.md", "| Part | Share |\n|-|-|\n| Bell ropes | 0,456 |", NULL);
  check_claims("services/hall/README.md", "| Guest | Stay |\n|-|-|\n| member | 2 hours |",
               "hall member stay duration = 2 hours");
  check_claims("services/hall/north.md", "| Guest | Stay |\n|-|-|\n| member | 2 hours |", NULL);
  check_claims("a.md", "## Hall service\n\n| Guest | Stay |\n|-|-|\n| member | 2 hours |",
               "hall member stay duration = 2 hours");
  check_claims("a.md", "An idle kiln cools for 20 minutes.", NULL); /* read as prose */
}

static void labels_of_a_stack_are_read(void **state) {
  (void)state;
  check_claims("a.md", "- Hosting: Railway\n", "hosting = railway");
  check_claims("a.md", "- Baza danych: MySQL\n", "database = mysql");
  check_claims("a.md", "| Part | Tool |\n|-|-|\n| Linter | Biome |\n", "javascript linter = biome");
  check_claims("a.md", "| Part | Tool |\n|-|-|\n| Linter | Biome or ESLint |\n", NULL);
  check_claims("a.md", "| Part | Tool |\n|-|-|\n| trip log | Redis |\n", NULL);
  check_claims("a.md", "- Status: Done\n", NULL);
  check_claims("a.md", "Trips are stored in Postgres.", NULL); /* read as prose */
}

static void lines_of_code_are_rows(void **state) {
  (void)state;
  check(
      "a.md",
      "# T\n\n```\nkiln/\n\u251C\u2500\u2500 bells/   # 12 of them\n\u2514\u2500\u2500 a.txt\n```\n",
      "a.md:5 knowledge: bells/ # 12 of them {=}\n");
  check(
      "a.md",
      "# T\n\n```sh\n# Ring all (9 s)\n./ring.sh\n./ring.sh  --low   # the low ones\n./stop.sh\n```\n",
      "a.md:4 knowledge: Ring all (9 s): ./ring.sh {=}\n"
      "a.md:6 knowledge: ./ring.sh --low # the low ones {=}\n");
  check("a.md", "# T\n\nTo ring the bells by hand:\n\n```sh\n./one.sh\n./two.sh\n```\n",
        "a.md:6 knowledge: To ring the bells by hand: ./one.sh {=}\n"
        "a.md:7 knowledge: To ring the bells by hand: ./two.sh {=}\n");
  check("a.md", "# T\n\n## Bells of the north\n\n```sh\n./one.sh\n```\n",
        "a.md:6 knowledge: Bells of the north: ./one.sh {=}\n");
  check(
      "a.md",
      "# T\n\n## Setup\n\n```sh\n./one.sh\n```\n\n```c\nring(); // all\n```\n\n```sh\nring YOUR_NAME # you\n```\n\n```py\nBELL_SIZE=2 # m\n```\n",
      "");
}

static void versions_are_read(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "Ruby 3.4", "ruby version = 3.4" },
    { "**Node.js**: Version 20 or higher", "node version = 20+" },
    { "The docs site needs Node 18.", NULL },
    { "The calendar pages are a bundle of their own and use React 19.", NULL },
    { "Requires Node.js 22.x (`engines`).", "node version = 22.x" },
    { "- Runtime: Node.js 22.x", "node version = 22\nruntime = node" },
    { "Python (core) needs Python >= 3.10 and < 3.14.", "python version = >=3.10 and <3.14" },
    { "Python 3.10 to 3.14", "python version = 3.10 - 3.14" },
    { "Node ^20.19.0 or >=22.12.0", "node version = ^20.19.0 || >=22.12.0" },
    { "- Vue Router 4 with history", "vue router version = 4" },
    { "Java 21, Spring Boot 3.3, Pinia 3",
      "java version = 21\nspring boot version = 3.3\npinia version = 3" },
    { "- The Kiln 3.1 works", NULL },
    { "Versions prior to that ran with Java 8.", NULL },
    { "| Tech | Version |\n|-|-|\n| Node.js | ^20.x |", "node version = 20" },
    { "- Java 21 (Step 4)", "java version = 21" },
    { "- React Native 0.72", "react native version = 0.72" },
    { "- Node.js ^20.19.0 or >=22.12.0", "node version = ^20.19.0 || >=22.12.0" },
    { "- Tailwind CSS 3 (utility first, no CSS)", "tailwind version = 3" },
    { "- Tailwind CSS 3 (not yet)", NULL },
    { "- F\u00FCr die Entwicklung wird Java 17 ben\u00F6tigt.", "java version = 17" },
    { "| Tech | Version |\n|-|-|\n| Vue Router | 5.x |", "vue router version = 5.x" },
    { "Node.js (> 18)", NULL },
    { "- Python: 3.11?", NULL },
    { "IRB stops being a default gem in Ruby 4.0.", NULL },
    { "IRB is a default gem in Ruby 4.0.", "ruby version = 4.0" },
    { "- Front: Ant Design Vue 4", NULL },
    { "Some Vue 4 components are there.", NULL },
    { "The call `expire` (Redis 7.4+) does it.", NULL },
    { "The `a()` + `b()` pattern (Python 3.9+) is the recommended approach.", NULL },
    { "The server (Python 3.9+) is the recommended approach.", "python version = 3.9+" },
    { "- Kubernetes cluster (v1.19+)", "kubernetes version = 1.19+" },
    { "- Redis cluster (3 nodes)", NULL },
    { "- Redis server 10.0.0.5", NULL },
    { "You need a runtime (Node 20+) and a browser.", "node version = 20+" },
    { "- Call of the day (Redis 7.4+):", "redis version = 7.4+" },
    { "Starting from React Native 0.8 it is there.", NULL },
    { "- Needs Redis 7.4+ (a store)", "redis version = 7.4+" },
    { "| Suite | Tests |\n|-|-|\n| Frontend (Vue) | 170 |", NULL },
    { "Node 20.19+ or 22.12+", NULL },
    { "Node.js 20 or 22 LTS (see `.nvmrc`)", NULL },
    { "**Node.js**: 20.19+ \u6216 22.12+\uFF08LTS\uFF09", NULL },
    { "Node v22 or later (as set in `.nvmrc`)", "node version = 22" },
    { "Node v22 or later (and a `.nvmrc`)", "node version = 22+" },
    { "`core` >= 0.49.0 is fast", NULL },
    { "- Coverage: all lines (Vitest v8)", NULL },
    { "| Tool | Minimum | Recommended |\n|-|-|-|\n| Python | 3.9 | 3.12.x |", NULL },
    { "- ESLint v8", "eslint version = 8" },
    { "| Store | Version | Replicas |\n|-|-|-|\n| Redis | 7.2 | 3.5 |", "redis version = 7.2" },
    { "**Node 1**", NULL },
    { "**Node 14**", "node version = 14" },
    { "Rust 1.89+ and Go 1.22", "rust version = 1.89+\ngo version = 1.22" },
    { "Built with Django 5 and Tailwind CSS v4.", "django version = 5\ntailwind version = 4" },
    { "Do not use Ruby 2.7", NULL },
    { "- Layer 2 (mill): Django 5", "django version = 5" },
    { "- Lager 2 \u2014 Django 5", "django version = 5" },
    { "Ruby 3.4 (consigliato 3.5)", "ruby version = 3.4" },
    { "| Tech | Version |\n|-|-|\n| Kiln Java SDK | 4.13 |", NULL },
    { "- 3.8 <= Python <= 3.13", NULL },
    { "- Shelf ID 10 below node 12", NULL },
    { "Recommended: Ruby 3.4", NULL },
    { "Ruby 3.4 (3.5 recommended)", "ruby version = 3.4" },
    { "The press declares peer Vite ^5", NULL },
    { "Jika server memakai Ruby 3.3:", NULL },
    { "The Rails 7 folder structure", NULL },
    { "Redis 6379", NULL },
    { "Go 3 times", NULL },
    { "Ruby 3.4 was used until May", NULL },
    { "Tested on Node 20, 22", NULL },
    { "Node 18 / 20", NULL },
    { "Django 4 and Django 5", NULL },
    { "Python v1 (v1/)", NULL },
    { "Webpack 5 requires Node 20+.", NULL },
    { "Storybook 8 requires Node 20+.", NULL },
    { "| Role | What |\n|-|-|\n| Runtime | Node 20+ |", "node version = 20+\nruntime = node" },
    { "| Job | What |\n|-|-|\n| Nightly | Node 20+ |", NULL },
    { "| Role | What |\n|-|-|\n| Files in Java | 938 |", NULL },
    { "- **Icons**: Lucide Angular 0.56.0", NULL },
    { "- **Front**: Modern Angular 20", "angular version = 20" },
    { "Comes with it for Python < 3.11", NULL },
    { "Requires Python < 3.11", "python version = <3.11" },
    { "> Ruby 3.4 is great", NULL },
    { "> Requires Ruby 3.4", "ruby version = 3.4" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_claims("a.md", cases[i][0], cases[i][1]);
}

static void versions_of_tests_are_not_of_the_project(void **state) {
  (void)state;
  seen s;
  read_notes(&s, "a.md", "The test image of the database is PostgreSQL 17.\n", false);
  assert_null(strstr(s.rows.p, "version"));
  free_seen(&s);
}

static void what_is_planned_or_for_any_project_claims_nothing(void **state) {
  (void)state;
  check_claims("a.md", "# A\n\n## Stack\n\n- Django 5\n", "django version = 5");
  check_claims("a.md", "# A\n\n## \u4E88\u5B9A\u3055\u308C\u3066\u3044\u308B\n\n- Django 5\n",
               NULL);
  check_claims("a.md", "# A\n\n## \u5F00\u53D1\u8BA1\u5212\n\n- Django 5\n", NULL);
  check_claims("THIRD_PARTY_NOTICES.md", "# A\n\n- Django 5\n", NULL);
  check_claims("docs/tasks/a.md", "# A\n\n- Django 5\n", "django version = 5");
  check_claims(".taskmaster/tasks/a.md", "# A\n\n- Django 5\n", NULL);
  check_claims("skills/weaving/a.md", "# A\n\n- Django 5\n", NULL);
  check_claims("prompts/a.md", "# A\n\n- Django 5\n", NULL);
}

static void rules_are_read(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "A bad glaze is never reused; we mix a new one.", "bad glaze reus rule = never\n*" },
    { "A bad glaze is always reused first; mixing comes later.",
      "bad glaze reus rule = always\n*" },
    { "Potters who always reuse a bad glaze", NULL },
    { "A bad glaze must not be reused.", "bad glaze reus rule = never\n*" },
    { "A bad glaze is never reused unless it is dry.", NULL },
    { "It is never reused.", NULL },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_claims("a.md", cases[i][0], cases[i][1]);
}

static void lines_that_name_one_thing_are_read(void **state) {
  (void)state;
  static const char *const cases[][2] = {
    { "| Setting | Default | Meaning |\n|-|-|-|\n| `KILN_POLL` | 30 | seconds between two looks |",
      "kiln_poll count = 30" },
    { "| | Pump alone | Pump + fan (`= 1`) |\n|-|-|-|\n| Count of wires | 1 m | 2 m |",
      "alon count pump wire length = 1 m\n1 count fan pump wire length = 2 m" },
    { "Code coverage must not fall below 85 %.",
      "85 below code coverag fall rule = never\ncoverage at least = 85%" },
    { "- Fails when branch coverage is under 70%", "branch coverage at least = 70%" },
    { "- Coverage is 91% now, at least on paper", NULL },
    { "- Coverage at least 80%, 90% for kilns", NULL },
    { "| Setting | Default |\n|-|-|\n| `KILN_AUTO` | true |", "kiln_auto value = on" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_claims("a.md", cases[i][0], cases[i][1]);
  check("a.md", "## Main settings\n\n```yaml\nkiln:\n  clay: raku\n```\n", "");
}

static void links_to_no_heading_are_read(void **state) {
  (void)state;
  const char *links = "# Kilns\n\n- [Set up](#set-up)\n- [Fire](#fire--cool)\n- [Clean](#clean-1)\n"
                      "- [Sell](#sell)\n";
  const char *headings = "\n## Set up\n\n## Fire & cool\n\n## Clean\n";
  hm_arena *a = hm_arena_new();
  hm_str plain = HM_CAT(a, hm_str_c(links), hm_str_c(headings));
  const char *whole = hm_str_z(a, plain);
  check("a.md", whole,
        "a.md:1 knowledge: Kilns {a.md place sell = no heading has this name}\n"
        "a.md:6 knowledge: Sell {a.md place sell = linked}\n");
  check("a.md", hm_str_z(a, HM_CAT(a, plain, HM_STR("\n<a name=sell></a>\n"))), "");
  check("a.md", links, ""); /* a rule of its own makes its places */
  check("a.md", "# K\n\n- [Set up](#set-up)\n\n## Set up ![ok](https://a.b/c.svg?d=e)\n", "");
  check("a.md", "# K\n\n- [\u00BFC\u00F3mo?](#c\u00F3mo)\n\n## \u00BFC\u00F3mo?\n", "");
  hm_arena_free(a);
}

static void versions_in_code_are_read(void **state) {
  (void)state;
  check_claims("a.md", "```yaml\n  image: docker.io/library/postgres:15-alpine\n```\n",
               "postgres version = 15");
  check_claims("a.md", "```\nFROM node:20\n```\n", NULL); /* whoever uses it has it so */
  check_claims("a.md", "```sh\nnvm use 20 # LTS\n```\n", "node version = 20");
  check_claims("a.md", "```\nimage: mine/thing:15\n```\n", NULL);
  check_claims("a.md", "```\nimage: postgres:latest\n```\n", NULL);
  check_claims("a.md", "```\nimage: node:20\n```\n\n```\nimage: node:22\n```\n", NULL);
}

static void settings_and_ports_are_read(void **state) {
  (void)state;
  check_claims("a.md", "```\nSESSION_TTL=15m # short\n```\n", "session_ttl duration = 15 minutes");
  check_claims("services/mail/R.md", "```\nSESSION_TTL=15m\n```\n",
               "email session_ttl duration = 15 minutes");
  check_claims("a.md", "```\nMAIL_SERVICE_PORT=4100\n```\n", "mail port = 4100");
  check_claims("a.md", "```\nVITE_MAIL_API_URL=http://localhost:4100/v1\n```\n",
               "mail port = 4100");
  check_claims("a.md", "# T\n\n## Backend (`.env`)\n\n```\nPORT=4100\n```\n",
               "backend port = 4100");
  check_claims("a.md",
               "```\n\xE2\x94\x9C\xE2\x94\x80\xE2\x94\x80 Mail Service (4100) # sends\n```\n",
               "mail port = 4100");
  check_claims("a.md", "| Service | Address |\n|-|-|\n| Mail service | `http://localhost:4100` |\n",
               "mail port = 4100");
  check_claims("a.md", "- **Mail Service**: `http://localhost:4100/health`\n", "mail port = 4100");
  check_claims("a.md", "```\n# Terminal 1: backend (Mix on :4100)\n```\n", "backend port = 4100");
  check_claims("a.md", "```\n# - PHP development server (localhost:4100)\n```\n",
               "dev php_development port = 4100");
  check_claims("a.md", "```\nopen http://localhost:4100 # Dairy API (for milk)\n```\n",
               "dairy port = 4100");
  check_claims("a.md", "```\nopen http://localhost:4100 # and wait\n```\n", NULL);
  check_claims("a.md", "- **Dairy API** (Port 4100) - of milk\n", "dairy port = 4100");
  check_claims("a.md", "## Journey of a jar\n\n- Access the API at `http://localhost:4100`\n",
               "api port = 4100");
  check_claims("a.md", "- **Jars**: View the dashboard at http://localhost:4100 (all jars)\n",
               "dashboard port = 4100");
  check_claims("a.md", "- View it at http://localhost:4100\n", NULL);
  check_claims("a.md", "- **Dairy API**: http://localhost:54321\n", NULL); /* of Supabase */
  check_claims("a.md", "The gateway serves at http://localhost:4100.\n", "gateway port = 4100");
  check_claims("a.md", "The gateway serves a usage dashboard at http://localhost:4100.\n",
               "usage_dashboard port = 4100");
  check_claims("a.md", "The gateway sends what it gets to http://localhost:4100.\n", NULL);
  check_claims("a.md", "If you use a mock, the gateway runs at http://localhost:4100.\n", NULL);
  check_claims("a.md", "- http://localhost:4100\n", NULL);
  check_claims("a.md", "gateway 0.0.0.0:4100->8080/tcp\n", NULL);
  /* a name in an example, a setting without an owner, alternatives, two ports */
  check_claims("a.md", "```\nAPI_TOKEN=abc\n```\n", NULL);
  check_claims("a.md", "```\nKILN_CACHE=true\n```\n", NULL); /* how to turn it on */
  check_claims("a.md", "```\nPORT=4100\n```\n", NULL);
  check_claims("a.md", "```\nSESSION_TTL=15m\n```\n\n```\nSESSION_TTL=1h\n```\n", NULL);
  check_claims("a.md", "- **Mail Service**: http://localhost:4100 or http://localhost:4200\n",
               NULL);
  check_claims("a.md", "Founded (2019)\n", NULL);
  check_claims("a.md", "- **Frontend**: Vite dev server on port 4100\n",
               "dev frontend port = 4100");
  check_claims("web/README.md", "It runs at http://localhost:4100.\n", "web port = 4100");
  check_claims("web/README.md", "It runs the app and sends the rest to localhost:4100.\n", NULL);
  check_claims("web/README.md", "1. starts the tool server on 127.0.0.1:4100\n",
               "tool port = 4100");
  check_claims("web/README.md", "Starts on http://localhost:4100.\n", "web port = 4100");
}

static void settings_of_trials_are_not_read(void **state) {
  (void)state;
  static const char text[] = "```\nMAX_SLOTS=1\n```\n";
  check_claims("docs/USE.md", text, "max_slots count = 1");
  check_claims("docs/deploy_cluster.md", text, "deploy max_slots count = 1");
  check_claims("docs/USE.md", "## MAX_SLOTS\n\n```\nMAX_SLOTS=1\n```\n", NULL); /* how to set it */
  check_claims("docs/USE.md", "```\nSLOTS=1\n```\n", NULL);                     /* anybody's */
  check_claims("docs/LIVE_TESTING.md", text, NULL);
}

static void labels_numbers_and_commands_are_read(void **state) {
  (void)state;
  check_claims("a.md", "# T\n\n## Frontend stack\n\n- **State management**: Pinia + context\n",
               "frontend state management = pinia");
  check_claims("README.md", "**License**: MIT\n", "license = MIT");
  check_claims("a.md", "There are no more than 9,999 ADRs in it.\n", NULL);
  check_claims("example/a.md", "- Ruby 3.4\n", "example ruby version = 3.4");
  check_claims("vendors.md", "**License**: MIT\n", NULL);
  check_claims("README.md", "## Thanks\n\n- [Ink](https://a.b) - MIT License\n", NULL);
  check_claims("README.md", "## License\n\n- **Kilns**: MIT License\n", "license = MIT");
  check_claims("README.md", "- [MIT License](LICENSE)\n", "license = MIT");
  check_claims("README.md", "## License\n\n- [Ink words](https://a.b) under MIT License\n", NULL);
  check_claims("README.md", "- **Open source** - MIT License\n", "license = MIT");
  check_claims("README.md", "# Kiln\n\n- **Kiln** is under the MIT License\n", "license = MIT");
  check_claims("a.md", "**Linter**: a or b\n", NULL);
  check_claims("a.md", "**Tests**: 4\n", NULL);
  check_claims("a.md", "**Linter**: Pending\n", NULL);
  check_claims("a.md", "**Authentication**: Signed-in user with all rights\n", NULL);
  check_claims("a.md", "**Linter**: Tidy Clay\n", "linter = Tidy Clay");
  check_claims("a.md", "**Linter**: see the page on how to lint\n", NULL);
  check_claims("a.md", "12 ADRs in `docs/adr`.\n", "decision records = 12");
  check_claims("a.md", "It bumps all 8 packages, and tags.\n", "packages = 8");
  check_claims("a.md", "It bumps 8 packages, and tags.\n", NULL);
  check_claims("RELEASE.md", "# Release\n\n## How\n\n- Ruby 3.4\n", "ruby version = 3.4");
  check_claims("RELEASE.md", "# Release\n\n## v1.2\n\n- Ruby 3.4\n", NULL);
  check_claims("RELEASES.md", "# Releases\n\n- Ruby 3.4\n", NULL);
  check_claims("a.md", "# Changelog\n\n- Ruby 3.4\n", NULL);
  check_claims("a.md", "# Progress\n\n## 2026-03-01: kilns\n\n- Ruby 3.4\n", NULL);
  check_claims("a.md", "# Kilns\n\n## 2026-03-01\n\n- Ruby 3.4\n", NULL);
  check_claims("a.md", "# Kilns\n\n## Tools (2026-03-01)\n\n- Ruby 3.4\n", "ruby version = 3.4");
  check_claims("a.md", "# History service\n\n- Ruby 3.4\n", "ruby version = 3.4");
  /* a table of contents, and what may be chosen */
  check_claims("a.md", "- [Ruby 3.4](#ruby)\n\n# Ruby\n", NULL);
  check_claims("a.md", "## Supported\n\n- Ruby 3.3\n- Ruby 3.4\n", NULL);
  check_claims("a.md", "- Ruby 3.3: `kiln?v=3.3`\n- Ruby 3.4: `kiln?v=3.4`\n", NULL);
  check_claims("a.md",
               "| Job | Needed |\n|-|-|\n| Test (Ruby 3.3) | yes |\n| Test (Ruby 3.4) | yes |\n",
               NULL);
  check_claims("a.md", "| Job | Needed |\n|-|-|\n| Test (Ruby 3.3) | yes |\n| Lint | yes |\n",
               "ruby version = 3.3");
  check_claims("a.md", "## Historischer Hinweis\n\n- Ruby 2.7\n", NULL);
  check_claims("a.md", "CI: Actions (Node 20 + 22)\n", NULL);
  check_claims("a.md", "The code runs on Ruby 2.7 and Ruby 3.\n", NULL);
  check_claims("a.md", "Install Ruby (2.7 or something newer).\n", NULL);
  check_claims("a.md", "`kiln-x` requires Ruby 3.4 and is left out.\n", NULL);
  check_claims("a.md", "# Kiln\n\n`kiln` requires Ruby 3.4.\n", "ruby version = 3.4");
  check_claims("a.md", "In order to run it with PHP 8.4, set this.\n", NULL);
  check_claims("a.md", "Ruby 3.4 is acceptable here.\n", NULL);
  check_claims("vendor/kiln/a.md", "- Ruby 3.4\n", NULL);
  check_claims("docs/_drafts/a.md", "- Ruby 3.4\n", NULL);
  check_claims("src/kiln-3.4.1/a.md", "- Ruby 3.4\n", NULL);
  check_claims("kiln.v2/a.md", "- Ruby 3.4\n", "v2  ruby version = 3.4");
  check_claims("docs/USE.md", "```\nMAX_SLOTS=9 # instead of 5\n```\n", NULL);
  check_claims("a.md", "On Ruby 3.4 or later, it uses less.\n", NULL);
  check_claims("a.md", "As of Ruby 3.4, this is the only one.\n", NULL);
  check_claims("a.md", "It is only available in Ruby 3.4+.\n", NULL);
  check_claims("a.md", "Ruby 3.4, a sample of 1 MB:\n\n```\nx\n```\n", NULL);
  check_claims("a.md", "- Ruby 3.2: a\n- Ruby 3.3: b\n- Ruby 3.4: c\n", NULL);
  check_claims("a.md", "We use Ruby 3.4.\n\nRuby 3.4+ is needed.\n", "ruby version = 3.4");
  check_claims("a.md", "```\nnvm use 18\nnvm use 20\nnvm use 22\n```\n\nNode.js 24 is needed.\n",
               "node version = 24");
  check_claims("docs/WebSocketServer.md", "| Name | Default |\n|-|-|\n| `maxSize` | 1 MiB |\n",
               NULL);
  check_claims("a.md", "| Cache | Redis 7 |\n|-|-|\n| Cache | Redis 7 |\n",
               "redis version = 7\ncache_store = redis");
  check_claims("a.md", "| Cache | C |\n|-|-|\n| Redis | `redis` v0.13 |\n", NULL);
  check_claims("a.md", "| Tool | Version | Use |\n|-|-|-|\n| redis | 7.1+ | Redis client |\n",
               NULL);
  check_claims("a.md", "| Crate | Version |\n|-|-|\n| redis | ^0.31 |\n", NULL);
  check_claims("a.md", "Grouped: general (6), redis (10), watch (2).\n", NULL);
  check_claims("a.md", "| Name | Default |\n|-|-|\n| `rate_hz` | 60 |\n", NULL);
  check_claims("docs/spec-kilns.md", "- Ruby 3.4\n", NULL);
  check_claims("a.md", "All 16 crates are published.\n", "crates = 16");
  check_claims("a.md", "The first 3 crates are done.\n", NULL);
  check_claims("a.md", "| Crate | What |\n|-|-|\n| `sieve` | Sorting (4 modules) |\n",
               "sieve modules = 4");
  check_claims("a.md", "```sh\ncd web && yarn install\n```\n", "web package manager = yarn");
  check_claims("a.md", "```sh\nnpm install left-pad\n```\n", NULL);
  check_claims("a.md", "The `npm install` command is called without a question.\n", NULL);
  check_claims("a.md", "A user who runs `npm install` at the same time waits.\n", NULL);
  check_claims("a.md", "```\npoetry install # or: uv sync\n```\n", NULL);
  check_claims("a.md", "```\npip install -r requirements.txt\n```\n", NULL); /* beside any */
  check_claims("a.md", "```\npoetry install # of all\n```\n", "python package manager = poetry");
  check_claims("a.md", "- Install: `npm install`\n", "package manager = npm");
  check_claims("a.md", "First run `npm install`.\n", "package manager = npm");
  check_claims("a.md", "- Install dependencies (`npm install`)\n", "package manager = npm");
  check_claims("a.md", "Get them by running `npm install`.\n", "package manager = npm");
  check_claims("a.md", "```sh\nnpm install\n```\n\nor\n\n```sh\nyarn\n```\n", NULL);
  check_claims("a.md", "Branch: `git checkout -b feat/your-feature`\n",
               "feature branch prefix = feat/");
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_are_rows_with_their_place),
    cmocka_unit_test(what_says_nothing_is_counted),
    cmocka_unit_test(what_is_struck_or_pictured_claims_nothing),
    cmocka_unit_test(fields_to_fill_in_are_no_rows),
    cmocka_unit_test(a_list_of_notes_has_an_item_a_line),
    cmocka_unit_test(ids_do_not_depend_on_lines),
    cmocka_unit_test(settled_lines_are_told),
    cmocka_unit_test(amounts_in_cells_are_about_row_and_column),
    cmocka_unit_test(lines_of_code_are_rows),
    cmocka_unit_test(versions_are_read),
    cmocka_unit_test(labels_of_a_stack_are_read),
    cmocka_unit_test(links_to_no_heading_are_read),
    cmocka_unit_test(lines_that_name_one_thing_are_read),
    cmocka_unit_test(rules_are_read),
    cmocka_unit_test(versions_of_tests_are_not_of_the_project),
    cmocka_unit_test(what_is_planned_or_for_any_project_claims_nothing),
    cmocka_unit_test(versions_in_code_are_read),
    cmocka_unit_test(settings_and_ports_are_read),
    cmocka_unit_test(settings_of_trials_are_not_read),
    cmocka_unit_test(labels_numbers_and_commands_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
