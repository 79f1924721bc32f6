/* The story of a slot: a table of stories and how they end. */
#include "tests/unit/core_detect_arc_help.h"

/* --- stories as text --------------------------------------------------------------------- */

/* "2d claude A! @prod #api ^3 -B also": when (d, h, m, or ?), who ("-": nobody), what; ! has a word
 * of change, !! has it by an agent's own way, ^3 is superseded by the fourth, -B leaves B, =1.2 is that version, %3 is of the row of
 * the fourth; fromX is a status's source. */
static void read_claim(story *s, char *text) {
  hm_arc_claim *c = &s->c[s->n];
  char *rest = NULL, *word = strtok_r(text, " ", &rest);
  *c = (hm_arc_claim){ .agent = HM_EMPTY, .scope = HM_EMPTY, .qualifier = HM_EMPTY,
                       .version = HM_EMPTY, .left = HM_ARC_NONE, .row = (uint32_t)s->n,
                       .by = HM_ARC_NONE };
  char *unit = NULL;
  long n = strtol(word, &unit, 10);
  c->at = n * (*unit == 'd' ? DAY : *unit == 'h' ? 60 * MINUTE : MINUTE);
  if (*word == '?') c->at = HM_TIME_MIN;
  word = strtok_r(NULL, " ", &rest);
  if (strcmp(word, "-")) c->agent = hm_str_dup(A, hm_str_c(word));
  word = strtok_r(NULL, " ", &rest);
  if (*word == '~') c->value = 0x80, word++;
  c->value |= (uint32_t)*word;
  c->settles = word[1] == '!';
  c->via = c->settles && word[2] == '!';
  while ((word = strtok_r(NULL, " ", &rest))) {
    if (*word == '@') c->qualifier = hm_str_dup(A, hm_str_c(word + 1));
    else if (*word == '#') c->scope = hm_str_dup(A, hm_str_c(word + 1));
    else if (*word == '=') c->version = hm_str_dup(A, hm_str_c(word + 1));
    else if (*word == '^') c->by = (uint32_t)atoi(word + 1), c->retired = true;
    else if (*word == '%') c->row = (uint32_t)atoi(word + 1);
    else if (*word == '-') c->left = (uint32_t)word[1];
    else if (!strcmp(word, "also")) c->also = true;
    else if (!strcmp(word, "log")) c->log = true;
    else if (!strcmp(word, "status")) c->status = true;
    else if (!strncmp(word, "from", 4)) c->origin = hm_str_dup(A, hm_str_c(word + 4));
    else if (!strcmp(word, "count")) c->count = true;
    else if (!strcmp(word, "ends")) c->ends = true;
    else fail_msg("what is %s?", word);
  }
  s->n++;
}

static void read_story(story *s, const char *text) {
  char copy[1000], *rest = NULL;
  snprintf(copy, sizeof copy, "%s", text);
  s->n = 0;
  for (char *c = strtok_r(copy, ";", &rest); c; c = strtok_r(NULL, ";", &rest)) read_claim(s, c);
}

static const struct { const char *story, *ends; } CASES[] = {
  /* two agents, days apart: nobody settles */
  { "0d claude A; 4d codex B", "holds holds" },
  { "0d claude A; 4d codex A", "holds holds" },
  { "0m claude A; 10m codex B", "holds holds" },
  { "0d - A; 4d - B", "holds holds" },
  /* words */
  { "0d claude A; 4d codex B!", "words>1 holds" },
  { "0d claude A!; 4d codex B", "holds holds" },
  { "4d codex B!; 0d claude A", "holds words>0" },
  { "0d claude A; 0d codex B!", "holds holds" },
  { "0d claude A!; 1d codex B!; 2d gemini C!", "words>1 words>2 holds" },
  { "0d claude A; 4d codex ~A!", "words>1 holds" },
  { "0d claude A; 4d codex ~B!", "holds holds" },
  /* words of an agent's own way settle what the same agent said, in any scope, and nothing else */
  { "0d claude A; 4d codex B!!", "holds holds" },
  { "0d - A; 4d codex B!!", "holds holds" },
  { "0d - A; 4d - B!!", "holds holds" },
  { "0d codex A #api; 4d codex B!! #web", "words>1 holds" },
  { "0d codex A #api; 4d codex B #web", "holds holds" },
  { "0d claude A; 1d codex A #api; 4d codex B!! #web", "holds words>2 holds" },
  { "0d claude A; 1d codex B!!; 2d gemini C!", "words>2 words>2 holds" },
  /* nor make they a return a decision, or end one */
  { "0d claude A; 1d gemini B; 2d codex A!!", "holds return>2 holds | 0 1 2" },
  { "0d claude A; 1d gemini B; 2d claude A; 3d codex A!!", "holds return>2 holds holds | 0 1 2 3" },
  { "0d claude A; 1d gemini B; 2d claude A; 3d codex A!", "holds return>2 holds holds" },
  { "0d codex A #x; 1d codex B #y; 2d codex A #z; 3d codex A!! #u", "holds return>2 holds holds" },
  { "0d codex A #x; 1d codex B #y; 2d codex A!! #z; 3d codex A #u", "holds words>2 holds holds" },
  { "0d codex A #x; 1d gemini B #y; 2d codex A!! #z; 3d codex A #u",
    "holds return>2 holds holds | 0 1 2 3" },
  /* a row without a time settles nothing, and nobody settles it */
  { "? claude A; 4d codex B!", "holds holds" },
  { "0d claude A; ? codex B!", "holds holds" },
  /* its row is superseded */
  { "0d claude A ^1; 4d codex B", "superseded>1 holds" },
  { "? claude A ^1; 4d codex B", "superseded>1 holds" },
  { "0d claude A ^9; 4d codex B", "superseded holds" },
  /* one named agent in one scope */
  { "0d claude A #api; 1h claude B #api", "agent>1 holds" },
  { "0d claude A #api; 1h claude B #web", "holds holds" },
  { "0m claude A; 15m claude B", "session>1 holds" },
  { "0m claude A; 16m claude B", "agent>1 holds" },
  { "0m claude A; 0m claude B", "holds holds" },
  /* versions */
  { "0d claude A =1.0.0; 6d codex B =2.0.0", "holds holds" },
  { "0d claude A =1.0.0; 31d codex B =2.0.0", "version>1 holds" },
  { "0d claude A =1.0.0; 30d codex B =2.0.0", "holds holds" },
  { "0d claude B =2.0.0; 31d codex A =1.0.0", "holds holds" },
  { "0d claude A =14; 40d codex B =14.2", "holds holds" },
  { "0d claude A =9; 40d codex B =14.2; 41d gemini C =15", "version>1 holds holds" },
  { "0d - A =1; 40d - B =2 @prod; 80d - C =3 @test", "version>1 holds holds" },
  /* qualifiers */
  { "0d claude A @prod; 4d codex B! @test", "holds holds" },
  { "0d claude A @prod; 4d codex B!", "words>1 holds" },
  { "0d claude A; 4d codex B! @prod", "words>1 holds" },
  /* also, windows that end, one row */
  { "0d claude A; 4d codex B! also", "holds holds" },
  { "0d claude A ends; 4d codex B!", "holds holds" },
  { "0d claude A; 4d codex B! %0", "holds holds" },
  /* returns */
  { "0d claude A; 9d codex B!; 20d gemini A", "words>1 return>2 holds | 0 1 2" },
  { "0d claude A; 9d codex B!; 20d codex A", "words>1 agent>2 holds | 0 1 2" },
  { "0d claude A; 9d codex B!; 20d gemini A!", "words>1 words>2 holds" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d codex B!", "words>1 return>2 words>3 holds" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d codex A!", "words>1 return>2 holds holds" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d codex C!", "words>1 return>2 words>3 holds" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d gemini C",
    "words>1 return>2 agent>3 holds | 0 1 2" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d codex C", "words>1 return>2 holds holds | 0 1 2" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d claude A",
    "words>1 return>2 holds holds | 0 1 2 3" },
  { "0d claude A; 9d codex B!; 20d gemini A; 30d codex B",
    "words>1 return>2 return>3 holds | 0 1 2 3" },
  { "0d claude A; 9d codex B!; 20d gemini A!; 30d codex A", "words>1 words>2 holds holds" },
  { "0d claude A; 9d codex B!; 12d gemini C!; 20d gemini A",
    "words>1 words>2 agent>3 holds | 0 1 2 3" },
  { "0d claude A; 9d codex B; 20d gemini A", "holds return>2 holds | 0 1 2" },
  { "0d claude A; 9d codex B; 20d gemini C; 30d claude A",
    "holds return>3 return>3 holds | 0 1 2 3" },
  { "0d claude A; 1d claude B; 2d claude A", "agent>1 agent>2 holds | 0 1 2" },
  { "0d claude A; 1d codex A; 2d gemini A", "holds holds holds" },
  { "0d claude A ^1; 1d codex B ^2; 2d gemini A", "superseded>1 superseded>2 holds | 0 1 2" },
  { "0d claude A; 1d codex B!; 2d gemini A ^3; 3d claude C", "words>1 holds superseded>3 holds" },
  { "0d claude B! -A; 3d codex A", "return>1 holds | 0 1" },
  { "0d claude A; 1d codex ~A!; 3d gemini A", "words>1 return>2 holds | 0 1 2" },
  { "? claude A; 9d codex B!; 20d gemini A", "holds holds holds" },
  /* a session neither leaves nor returns */
  { "0m claude A; 5m claude B; 10m claude A", "session>1 session>2 holds" },
  { "0m claude A; 5m claude B!; 10m claude A", "words>1 session>2 holds" },
  { "0d claude A; 9d codex B!; 20d gemini A; 20d gemini B %9",
    "words>1 return>2 holds holds | 0 1 2" },
  { "0m claude A; 5m codex B!; 10m claude A", "words>1 return>2 holds | 0 1 2" },
  { "0d claude A; 600h codex B!; 36005m gemini A; 36010m gemini B",
    "words>1 holds session>3 holds" },
  /* statuses of one author, an hour apart */
  { "0h - A status fromx; 1h - B status fromx", "progress>1 holds" },
  { "0m - A status fromx; 59m - B status fromx", "holds holds" },
  { "0h - A status fromx; 9h - B status fromy", "holds holds" },
  { "0h - A status; 9h - B status", "holds holds" },
  { "0h claude A #api status; 2h claude B #web status", "progress>1 holds" },
  { "0h claude A status; 2h codex B status", "holds holds" },
  { "0h - A fromx; 2h - B fromx", "holds holds" },
  { "? - A status fromx; 9h - B status fromx", "holds holds" },
  { "0h - A status fromx; 9h - B status fromx; 18h - A status fromx",
    "progress>1 progress>2 holds | 0 1 2" },
  /* logs and counts */
  { "0d - A log; 3d - B log; 9d - C log", "update>1 update>2 holds" },
  { "0d - A log; 3d - B log; 9d - A log", "update>1 update>2 holds | 0 1 2" },
  { "0d - A log; 3d - B log; 9d - A log; 12d - C log",
    "update>1 update>2 update>3 holds | 0 1 2" },
  { "0d - A log; 3d - B log; 9d - A log; 12d - C log; 13d - D log; 15d - C log",
    "update>1 update>2 update>3 update>4 update>5 holds | 0 1 2 3 4 5" },
  { "0d - A log; ? - B log", "undated undated" },
  { "0d - A log; 3d - B log; ? - A log", "update>1 undated undated" },
  { "0d - A count; 3d - B count; 9d - A count", "update>1 update>2 holds" },
  /* reversals of qualifiers that differ are two; one without a qualifier joins them */
  { "0d - A @prod log; 1d - A @test log; 2d - B @prod log; 3d - B @test log; 4d - A @prod log; "
    "5d - A @test log",
    "update>2 update>3 update>4 update>5 holds holds | 0 2 4 | 1 3 5" },
  { "0d - A log; 1d - B log; 2d - A @prod log; 3d - A @test log",
    "update>1 update>2 holds holds | 0 1 2 3" },
};

static void stories_end_as_the_table_says(void **state) {
  (void)state;
  for (size_t i = 0; i < HM_COUNT(CASES); i++) {
    story s;
    hm_arc arc;
    read_story(&s, CASES[i].story);
    read_arc(&arc, &s);
    if (strcmp(show(&arc), CASES[i].ends))
      fail_msg("%s\n  is   %s\n  want %s", CASES[i].story, show(&arc), CASES[i].ends);
  }
}

static void versions_are_compared_by_number(void **state) {
  (void)state;
  static const struct { const char *x, *y; bool above, refines; } cases[] = {
    { "2.0.0", "1.0.0", true, false }, { "1.10", "1.9", true, false },
    { "14.2", "14", false, true },
    { "v17", "14", true, false },      { "14", "14", false, false },    { "007", "6", true, false },
    { "main", "14", false, false },    { "1..2", "1", false, false },
    { "2026.1", "2025.9", true, false },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str x = hm_str_c(cases[i].x), y = hm_str_c(cases[i].y);
    assert_int_equal(hm_version_above(x, y), cases[i].above);
    assert_int_equal(hm_version_refines(x, y), cases[i].refines);
    assert_int_equal(hm_version_refines(y, x), cases[i].refines);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(stories_end_as_the_table_says),
    cmocka_unit_test(versions_are_compared_by_number),
  };
  A = hm_arena_new();
  int rc = cmocka_run_group_tests(tests, NULL, NULL);
  hm_arena_free(A);
  return rc;
}
