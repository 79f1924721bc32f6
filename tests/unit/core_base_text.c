#include "core/base/digest.h"
#include "core/base/slug.h"
#include "core/base/text.h"
#include "tests/unit/core_base_help.h"
#include "tests/unit/core_base_prng.h"
#include "tests/unit/core_base_thorough.h"

#define FFFD "\xEF\xBF\xBD"

typedef struct { hm_str in; const char *out; } sample;

static void check(hm_str (*f)(hm_arena *a, hm_str s), const sample *t, size_t n) {
  for (size_t i = 0; i < n; i++) assert_string_equal(hm_str_z(arena, f(arena, t[i].in)), t[i].out);
}

static void repair_replaces_maximal_subparts(void **unused) {
  (void)unused;
  const sample t[] = {   /* from the Unicode Standard, tables 3-8 to 3-11 */
    { HM_STR("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"), FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A" },
    { HM_STR("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"), FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A" },
    { HM_STR("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"), FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B" },
    { HM_STR("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), FFFD FFFD FFFD FFFD "A" },
    { HM_STR("ok \xE2\x82\xAC"), "ok \xE2\x82\xAC" },
    { HM_STR("cut \xE2\x82"), "cut " FFFD },
    { HM_STR(""), "" },
  };
  check(hm_text_repair, t, COUNT(t));
  hm_str good = HM_STR("a\0\xF0\x9F\x98\x80");
  assert_ptr_equal(hm_text_repair(arena, good).p, good.p);
  assert_int_equal(hm_text_repair(arena, good).n, good.n);
}

static hm_str random_bytes(uint64_t *seed, char *p, size_t max) {
  static const char often[] = "\xC3\xE2\x82\xF0\x9F\x98\x80\xED\xA0\xEF\xBF\xCC\x81 a.Z";
  size_t n = prng(seed) % max;
  for (size_t i = 0; i < n; i++) {
    uint64_t r = prng(seed);
    p[i] = r % 3 ? often[r / 3 % (sizeof often - 1)] : (char)(r / 3);
  }
  return (hm_str){ p, n };
}

static void repair_is_idempotent_and_agrees_with_next(void **unused) {
  (void)unused;
  uint64_t seed = 5;
  char bytes[60];
  for (int k = 0; k < 100000; k++) {
    hm_str s = random_bytes(&seed, bytes, sizeof bytes);
    hm_str r = hm_text_repair(arena, s);
    assert_ptr_equal(hm_text_repair(arena, r).p, r.p);
    hm_buf b = { 0 };
    for (size_t i = 0; i < s.n;) hm_text_append(&b, hm_text_next(s, &i));
    assert_true(hm_str_eq(r, hm_buf_view(&b)));
    hm_buf_free(&b);
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
}

static void every_scalar_value_survives_put_and_next(void **unused) {
  (void)unused;
  for (uint32_t cp = 0; cp <= 0x110000; cp++) {
    hm_buf b = { 0 };
    hm_text_append(&b, cp);
    size_t i = 0;
    uint32_t got = hm_text_next(hm_buf_view(&b), &i);
    bool scalar = cp < 0x110000 && !(cp >= 0xD800 && cp < 0xE000);
    assert_int_equal(got, scalar ? cp : 0xFFFD);
    assert_int_equal(i, b.n);
    hm_buf_free(&b);
  }
  size_t at = 0;
  assert_int_equal(hm_text_next(HM_EMPTY, &at), 0xFFFD);
  assert_int_equal(at, 0);
}

static void names(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("Lateral  support/Material"), "lateral_support_material" },
    { HM_STR("--A--"), "a" }, { HM_STR(""), "" }, { HM_STR(" /_ "), "" }, { HM_STR("a\0b"), "a_b" },
    { HM_STR("Stra\xC3\x9F" "e"), "strasse" }, { HM_STR("\xEF\xBC\xA1\xEF\xBC\x92"), "a2" },
    { HM_STR("e\xCC\x81"), "\xC3\xA9" }, { HM_STR("\xC3\x89"), "\xC3\xA9" },
    { HM_STR("\xE2\x91\xA0"), "1" }, { HM_STR("x\xC2\xB2"), "x2" }, { HM_STR("\xC2\xBD"), "1_2" },
    { HM_STR("\xCE\xA3\xCF\x82"), "\xCF\x83\xCF\x83" }, { HM_STR("a\xFF" "b"), "a_b" },
    { HM_STR("\xE6\x97\xA5\xE6\x9C\xAC"), "\xE6\x97\xA5\xE6\x9C\xAC" },
    { HM_STR("a\xE2\x80\x8B" "b"), "a_b" },   /* a zero-width space is seen, not dropped */
  };
  check(hm_text_fold_name, t, COUNT(t));
}

/* Each line: names that are one, and the next line is another name that looks like it. */
static void signs_belong_to_names(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("C"), "c" }, { HM_STR("C++"), "c++" }, { HM_STR("C#"), "c#" },
    { HM_STR("C\u266F"), "c#" }, { HM_STR("C\uFF0B\uFF0B"), "c++" },
    { HM_STR("C++ latest"), "c++_latest" }, { HM_STR("C++11"), "c++_11" },
    { HM_STR("C++/CLI"), "c++_cli" }, { HM_STR("C11"), "c11" }, { HM_STR("C 11"), "c_11" },
    { HM_STR("3"), "3" }, { HM_STR("3+"), "3+" }, { HM_STR("3.0+"), "3_0+" },
    { HM_STR("Galaxy S20"), "galaxy_s20" }, { HM_STR("Galaxy S20+"), "galaxy_s20+" },
    { HM_STR("galaxy-s20+"), "galaxy_s20+" }, { HM_STR("galaxy-s20+-5g"), "galaxy_s20+_5g" },
    { HM_STR("S20+ (Exynos)"), "s20+_exynos" }, { HM_STR("\u00C9tat+"), "\u00E9tat+" },
    { HM_STR("+5 V"), "+5_v" }, { HM_STR("-5 V"), "-5_v" }, { HM_STR("5 V"), "5_v" },
    { HM_STR("\u22125 V"), "-5_v" }, { HM_STR("\u20135 V"), "-5_v" },
    { HM_STR("rail (-5 V)"), "rail_-5_v" }, { HM_STR("rail \u00AB-5 V\u00BB"), "rail_-5_v" },
    { HM_STR("rail_+5"), "rail_+5" }, { HM_STR("rail/-12V"), "rail_-12v" },
    { HM_STR("rail: \"-12V\""), "rail_-12v" }, { HM_STR("Deck -1"), "deck_-1" },
    { HM_STR("Deck \u0661"), "deck_\u0661" }, { HM_STR("Deck -\u0661"), "deck_-\u0661" },
    /* Joins, marks and operators are no part of a word. */
    { HM_STR("leg-2"), "leg_2" }, { HM_STR("leg 2"), "leg_2" }, { HM_STR("leg - 2"), "leg_2" },
    { HM_STR("leg--2"), "leg_2" }, { HM_STR("\"leg\"-2"), "leg_2" }, { HM_STR("leg(a)-2"), "leg_a_2" },
    { HM_STR("leg +a"), "leg_a" }, { HM_STR("3-4"), "3_4" }, { HM_STR("3+4"), "3_4" },
    { HM_STR("a + b"), "a_b" }, { HM_STR("a+b"), "a_b" }, { HM_STR("Galaxy+S20"), "galaxy_s20" },
    { HM_STR("#12"), "12" }, { HM_STR("issue #12"), "issue_12" }, { HM_STR("issue#12"), "issue_12" },
    { HM_STR("# title"), "title" }, { HM_STR("- item"), "item" }, { HM_STR("-x"), "x" },
    { HM_STR("+/-5"), "-5" }, { HM_STR("+ + #"), "" }, { HM_STR("2026-04-02"), "2026_04_02" },
    { HM_STR("C++-11"), "c++_11" }, { HM_STR("GF-PTFE"), "gf_ptfe" }, { HM_STR("(3)+"), "3" },
  };
  check(hm_text_fold_name, t, COUNT(t));
  assert_true(hm_str_is(hm_text_strip_name_signs(arena, HM_STR("c++_rail_-5_v#")), "c_rail_5_v"));
}

static void capitals_begin_words_of_keys(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("logRetention"), "log_retention" }, { HM_STR("userID"), "user_id" },
    { HM_STR("userIDs"), "user_ids" }, { HM_STR("apiBaseURL"), "api_base_url" },
    { HM_STR("parseURLPath"), "parse_url_path" }, { HM_STR("listenIPv4"), "listen_ipv4" },
    { HM_STR("oauth2Token"), "oauth2_token" }, { HM_STR("s3Bucket"), "s3_bucket" },
    { HM_STR("the maxConnections, minIdle"), "the_max_connections_min_idle" },
    { HM_STR("gitHubToken"), "github_token" }, { HM_STR("useGitHub"), "use_github" },
    { HM_STR("macOSVersion"), "macos_version" },
    { HM_STR("TimeoutStartSec"), "timeout_start_sec" }, { HM_STR("RestartSec"), "restart_sec" },
    /* names, units and codes */
    { HM_STR("AtoCore"), "atocore" }, { HM_STR("Sec"), "sec" }, { HM_STR("USec"), "usec" },
    { HM_STR("macOS"), "macos" }, { HM_STR("iOS"), "ios" }, { HM_STR("eBay"), "ebay" },
    { HM_STR("GitHub"), "github" }, { HM_STR("mmHg"), "mmhg" }, { HM_STR("IPv4"), "ipv4" },
    { HM_STR("MaxIdle"), "maxidle" }, { HM_STR("gRPC"), "grpc" }, { HM_STR("GPUs"), "gpus" },
    { HM_STR("caf\u00E9Bar"), "caf\u00E9bar" },
  };
  check(hm_text_fold_name, t, COUNT(t));
}

/* Nothing but what the rules of signs look at. */
static void folding_signs_twice_changes_nothing(void **unused) {
  (void)unused;
  static const char *const parts[] = { "a", "5",  "+", "-", "#",      "_",      " ",
                                       "(", "\"", ".", "/", "\u2212", "\u0301", "\u0661" };
  uint64_t seed = 11;
  hm_buf b = { 0 };
  for (int k = 0; k < (thorough() ? 200000 : 20000); k++) {
    hm_buf_clear(&b);
    for (size_t n = prng(&seed) % 12; n; n--) hm_buf_c(&b, parts[prng(&seed) % COUNT(parts)]);
    hm_str s = hm_buf_view(&b), name = hm_text_fold_name(arena, s);
    assert_true(hm_str_eq(name, hm_text_fold_name(arena, name)));
    assert_true(!name.n || (name.p[0] != '_' && name.p[name.n - 1] != '_'));
    assert_true(hm_str_find(name, "__") < 0);
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
  hm_buf_free(&b);
}

static void values(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("  GF-PTFE \t\n Rod. "), "gf-ptfe rod" },
    { HM_STR("A..."), "a.." },
    { HM_STR("."), "" },
    { HM_STR("a ."), "a" },
    { HM_STR("a\xC2\xA0\xE2\x80\xA8"
             "b"),
      "a b" },
    { HM_STR("\xC3\x89t\xC3\xA9!"), "\xC3\xA9t\xC3\xA9!" },
    { HM_STR("4.80"), "4.80" },
    { HM_STR("\xE3\x80\x80x\xC2\x85"), "x" },
    { HM_STR("a\xFF."), "a" FFFD },
  };
  check(hm_text_fold_value, t, COUNT(t));
}

static hm_str repeated(const char *unit, size_t n) {
  hm_buf b = { 0 };
  size_t len = strlen(unit);
  while (b.n + len <= n) hm_buf_add(&b, unit, len);
  hm_str s = hm_buf_copy(&b, arena);
  hm_buf_free(&b);
  return s;
}

/* "a" with marks of seven combining classes, n of each, in an order by seed. */
static hm_str shuffled_marks(uint64_t *seed, size_t n) {
  static const uint32_t marks[] = { 0x334, 0x327, 0x31B, 0x323, 0x301, 0x35C, 0x345 };
  uint32_t all[70];
  size_t count = COUNT(marks) * n;
  for (size_t i = 0; i < count; i++) all[i] = marks[i % COUNT(marks)];
  for (size_t i = count; i > 1; i--) {
    size_t k = prng(seed) % i;
    uint32_t swap = all[i - 1];
    all[i - 1] = all[k];
    all[k] = swap;
  }
  hm_buf b = { 0 };
  hm_buf_ch(&b, 'a');
  for (size_t i = 0; i < count; i++) hm_text_append(&b, all[i]);
  hm_str s = hm_buf_copy(&b, arena);
  hm_buf_free(&b);
  return s;
}

static void the_order_of_marks_of_different_classes_is_nothing(void **unused) {
  (void)unused;
  uint64_t seed = 15;
  for (size_t n = 1; n <= 10; n++) {
    hm_str first = hm_text_fold_name(arena, shuffled_marks(&seed, n));
    for (int k = 0; k < 200; k++)
      assert_true(hm_str_eq(first, hm_text_fold_name(arena, shuffled_marks(&seed, n))));
  }
  assert_true(hm_str_eq(hm_text_fold_name(arena, HM_STR("\xE1\xBE\xB3\xCC\x81")),
                        hm_text_fold_name(arena, HM_STR("\xE1\xBE\xB4"))));
  hm_str out_of_order =
      hm_str_fmt(arena, "q%s%s", repeated("\xCC\x81", 40).p, repeated("\xCC\xA3", 40).p);
  hm_str in_order =
      hm_str_fmt(arena, "q%s%s", repeated("\xCC\xA3", 40).p, repeated("\xCC\x81", 40).p);
  assert_true(hm_str_eq(hm_text_fold_name(arena, out_of_order), in_order));
  /* within one class it is something: acute and diaeresis */
  assert_false(hm_str_eq(hm_text_fold_name(arena, HM_STR("q\xCC\x81\xCC\x88")),
                         hm_text_fold_name(arena, HM_STR("q\xCC\x88\xCC\x81"))));
}

/* Code points that normal forms and foldings treat in special ways. */
static uint32_t odd_code_point(uint64_t *seed) {
  static const uint32_t odd[] = { 0x345,  0x3B1,  0x390,  0x300,  0x323,  0x1FB3, 0xDF,   0x1E9E,
                                  0x130,  0x131,  0x49,   0x2044, 0xA8,   0x3099, 0x1100, 0x1161,
                                  0x11A8, 0x200D, 0x2126, 0xFDFA, 0x13A0, 0xAB70, 0x27 };
  uint64_t r = prng(seed);
  switch (r % 4) {
    case 0: return odd[r / 4 % COUNT(odd)];
    case 1: return 0x300 + r / 4 % 0x70;
    case 2: return r / 4 % 0x2000;
    default: return r / 4 % 0x110000;
  }
}

static void assert_stable(hm_str s) {
  hm_str n = hm_text_fold_name(arena, s), v = hm_text_fold_value(arena, s);
  assert_true(hm_str_eq(n, hm_text_fold_name(arena, n)));
  assert_true(hm_str_ends(v, ".") || hm_str_eq(v, hm_text_fold_value(arena, v)));
}

static void folding_every_code_point_twice_changes_nothing(void **unused) {
  (void)unused;
  hm_buf b = { 0 };
  for (uint32_t cp = 0; cp < 0x110000; cp++) {
    hm_buf_clear(&b);
    hm_text_append(&b, cp);
    assert_stable(hm_buf_view(&b));
    if (cp % 1000 == 0) hm_arena_reset(arena);
  }
  hm_buf_free(&b);
}

static void folding_random_text_twice_changes_nothing(void **unused) {
  (void)unused;
  uint64_t seed = 7;
  hm_buf b = { 0 };
  for (int k = 0; k < (thorough() ? 200000 : 20000); k++) {
    hm_buf_clear(&b);
    for (size_t n = prng(&seed) % 40; n; n--) hm_text_append(&b, odd_code_point(&seed));
    assert_stable(hm_buf_view(&b));
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
  hm_buf_free(&b);
}

static void the_ascii_path_is_the_general_path(void **unused) {
  (void)unused;
  uint64_t seed = 9;
  char bytes[80];
  for (int k = 0; k < 50000; k++) {
    size_t n = prng(&seed) % (sizeof bytes - 4);
    for (size_t i = 0; i < n; i++) bytes[i] = (char)(prng(&seed) % 128);
    hm_str ascii = { bytes, n };
    hm_str name = hm_text_fold_name(arena, ascii),
           value = hm_text_fold_value(arena, (hm_str){ bytes, n });
    memcpy(bytes + n, " \xC3\xA9", 3);   /* one more word sends it the long way */
    hm_str long_name = hm_text_fold_name(arena, (hm_str){ bytes, n + 3 });
    assert_true(hm_str_eq(name, hm_str_sub(long_name, 0, long_name.n - (name.n ? 3 : 2))));
    hm_str trimmed = hm_str_trim(ascii);
    hm_str long_value = hm_text_fold_value(arena, (hm_str){ bytes, n + 3 });
    if (!hm_str_ends(trimmed, "."))
      assert_true(hm_str_eq(value, hm_str_sub(long_value, 0, long_value.n - (value.n ? 3 : 2))));
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
}

static void a_megabyte_of_anything_is_quick(void **unused) {
  (void)unused;
  const char *units[] = { "\xCC\x81\xCC\xA3", "a",        "\xEF\xB7\xBA",    "\xFF", " .",
                          "\xED\x95\x9C",     "\xCD\x85", "\xF0\x90\x90\x80" };
  const size_t size = thorough() ? 1 << 20 : 1 << 16;
  hm_str s[COUNT(units) + 1];
  for (size_t i = 0; i < COUNT(units); i++) s[i] = repeated(units[i], size);
  hm_buf b = { 0 };   /* half of it marks after others that belong behind them */
  hm_buf_str(&b, repeated("\xCC\x81", size / 2));
  hm_buf_str(&b, repeated("\xCC\xA3", size / 2));
  s[COUNT(units)] = hm_buf_copy(&b, arena);
  hm_buf_free(&b);
  for (size_t i = 0; i <= COUNT(units); i++) {
    double begun = computed();
    hm_text_fold_name(arena, s[i]);
    hm_text_fold_value(arena, s[i]);
    hm_text_slug(arena, s[i], HM_SLUG_ASCII);
    hm_text_stem(arena, s[i]);
    expect_within(3, begun, i < COUNT(units) ? units[i] : "marks"); /* 0.2 s */
  }
}

static hm_str ascii_slug(hm_arena *a, hm_str s) { return hm_text_slug(a, s, HM_SLUG_ASCII); }
static hm_str latin_slug(hm_arena *a, hm_str s) { return hm_text_slug(a, s, HM_SLUG_LATIN); }
static hm_str own_slug(hm_arena *a, hm_str s) { return hm_text_slug(a, s, HM_SLUG_OWN); }

static void slugs_in_other_scripts(void **unused) {
  (void)unused;
  const sample own[] = {
    { HM_STR("Lateral  support_Material-x"), "lateral-support-material-x" },
    { HM_STR("倉庫 2"), "倉庫-2" },
    { HM_STR("Straße"), "straße" },
    { HM_STR("E\xCC\x81tage E\xCC\x81"), "\xC3\xA9tage-\xC3\xA9" },
    { HM_STR("Ώρα"), "ώρα" },
    { HM_STR("हिन्दी नाम"), "हिन्दी-नाम" },
    { HM_STR("\xCC\x81"), "x-e98c7967" },
    { HM_STR("con"), "con-1143da2b" },
    { HM_STR("倉庫/港"), "倉庫-港-a5af6dff" },
  };
  const sample latin[] = {
    { HM_STR("Straße"), "strasse-58a3778c" },
    { HM_STR("Łódź øst"), "lodz-ost-16449514" },
    { HM_STR("倉庫"), "x-2113227f" },
  };
  check(own_slug, own, COUNT(own));
  check(latin_slug, latin, COUNT(latin));
}

/* At most 64 characters and 180 bytes, whole ones, also with digits behind; what is cut differs. */
static void slugs_of_any_script_are_file_names(void **unused) {
  (void)unused;
  static const char *const letters[] = { "a", "é", "倉", "𐐷", "न", "\xE0\xA5\x8D", "-", ".", "ß", "Z" };
  uint64_t seed = 5;
  for (int k = 0; k < 20000; k++) {
    hm_buf b = { 0 };
    size_t n = prng(&seed) % 120;
    for (size_t i = 0; i < n; i++) hm_buf_c(&b, letters[prng(&seed) % COUNT(letters)]);
    hm_str name = hm_buf_take(&b, arena), slug = own_slug(arena, name);
    size_t chars = 0;
    for (size_t at = 0; at < slug.n; chars++) assert_int_not_equal(hm_text_next(slug, &at), HM_REPLACEMENT);
    assert_true(slug.n && slug.n <= HM_SLUG_BYTES && chars <= HM_SLUG_CHARS);
    assert_true(slug.p[0] != '-' && slug.p[slug.n - 1] != '-');
    assert_true(hm_str_eq(own_slug(arena, slug), slug));
    hm_str stem = hm_slug_with_room(slug, 8);
    assert_true(stem.n + 9 <= HM_SLUG_BYTES && hm_text_valid_prefix(stem) == stem.n);
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
  hm_str x = repeated("倉", 300), y = repeated("倉", 303);
  assert_false(hm_str_eq(own_slug(arena, x), own_slug(arena, y)));
  assert_true(hm_str_eq(hm_slug_fold(arena, HM_STR("straße")), hm_slug_fold(arena, HM_STR("strasse"))));
  assert_string_equal(hm_str_z(arena, hm_path_as_url(arena, HM_STR("a/倉.md"))), "a/%E5%80%89.md");
  assert_string_equal(hm_str_z(arena, hm_path_as_url(arena, HM_STR("a/b.md"))), "a/b.md");
}

static void slugs(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("Lateral  support_Material-x"), "lateral-support-material-x" },
    { HM_STR(" -a- "), "a" },
    { HM_STR("abc"), "abc" },
    { HM_STR(""), "x-e3b0c442" },   /* SHA-256 of nothing: e3b0c44298fc... */
    { HM_STR("abc."), "abc-5ac9481b" },
    { HM_STR("con"), "con-1143da2b" },
    { HM_STR("LPT1"), "lpt1-6d50a69c" },
    { HM_STR("console"), "console" },
    { HM_STR("\xC3\x9Cn\xC3\xAF"), "uni-216999f2" },
  };
  check(ascii_slug, t, COUNT(t));
}

static bool is_stem(hm_str s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.p[i];
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')) return false;
  }
  return s.n >= 1 && s.n <= 64;
}

static bool loses_nothing(hm_str s) {
  for (size_t i = 0; i < s.n; i++)
    if (!memchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-", s.p[i], 65))
      return false;
  return true;
}

static void slugs_of_any_bytes_are_file_names(void **unused) {
  (void)unused;
  uint64_t seed = 11;
  char bytes[200];
  for (int k = 0; k < 50000; k++) {
    hm_str s = random_bytes(&seed, bytes, sizeof bytes);
    hm_str slug = hm_text_slug(arena, s, HM_SLUG_ASCII);
    assert_true(is_stem(slug));
    assert_true(hm_str_ends(slug, hm_str_z(arena, hm_str_digest_hex(arena, s, 8))) || loses_nothing(s));
    if (k % 1000 == 0) hm_arena_reset(arena);
  }
}

static void long_slugs_are_cut_and_told_apart(void **unused) {
  (void)unused;
  hm_str s = repeated("ab ", 300);
  assert_int_equal(hm_text_slug(arena, hm_str_sub(s, 0, 62), HM_SLUG_ASCII).n, 62);
  assert_int_equal(hm_text_slug(arena, hm_str_sub(s, 0, 64), HM_SLUG_ASCII).n, 64);
  hm_str a = hm_text_slug(arena, hm_str_sub(s, 0, 65), HM_SLUG_ASCII),
         b = hm_text_slug(arena, hm_str_sub(s, 0, 299), HM_SLUG_ASCII);
  assert_true(a.n <= 64 && b.n <= 64);
  assert_false(hm_str_eq(a, b));
  assert_memory_equal(a.p, b.p, 50);
}

static void stems(void **unused) {
  (void)unused;
  const sample t[] = {
    { HM_STR("prefers"), "prefer" },
    { HM_STR("linting"), "lint" },
    { HM_STR("workflows"), "workflow" },
    { HM_STR("rebase"), "rebas" },
    { HM_STR(""), "" },
    { HM_STR("caf\xC3\xA9s"), "caf\xC3\xA9" },
    { HM_STR("\xFF"), FFFD },
  };
  check(hm_text_stem, t, COUNT(t));
  hm_str s = repeated("s", 5000);
  assert_true(hm_str_eq(hm_text_stem(arena, s), s));
}

static void cutting_keeps_code_points_whole(void **unused) {
  (void)unused;
  hm_str s = HM_STR("a\xE2\x82\xAC\xF0\x9F\x98\x80z");
  const size_t expect[] = { 0, 1, 1, 1, 4, 4, 4, 4, 8, 9, 9 };
  for (size_t max = 0; max < COUNT(expect); max++)
    assert_int_equal(hm_text_cut(s, max).n, expect[max]);
  assert_int_equal(hm_text_cut(HM_STR("\x80\x80\x80\x80\x80\x80"), 4).n, 4);
  assert_int_equal(hm_text_cut(HM_STR("\xE2\x82" "a"), 1).n, 1);
  uint64_t seed = 13;
  hm_buf b = { 0 };
  for (int i = 0; i < 1000; i++) hm_text_append(&b, odd_code_point(&seed));
  for (size_t max = 0; max <= b.n + 3; max++) {
    hm_str cut = hm_text_cut(hm_buf_view(&b), max);
    assert_true(cut.n <= max && (cut.n + 3 >= max || cut.n == b.n));
    assert_ptr_equal(hm_text_repair(arena, cut).p, cut.p);
  }
  hm_buf_free(&b);
}

static void hidden_characters(void **unused) {
  (void)unused;
  const uint32_t yes[] = { 0,      9,      10,     13,      0x1F,     0x7F,    0x80,
                           0x9F,   0xAD,   0x34F,  0x61C,   0x115F,   0x1160,  0x17B4,
                           0x180B, 0x180F, 0x200B, 0x200F,  0x2028,   0x202E,  0x2060,
                           0x206F, 0x3164, 0xFDD0, 0xFDEF,  0xFEFF,   0xFFA0,  0xFFF9,
                           0xFFFB, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF, 0xE0000, 0xE0FFF };
  const uint32_t no[] = { ' ',    '~',     'a',         0xA0,    0xAC,    0xAE,   0x34E,
                          0x350,  0x115E,  0x1161,      0x200A,  0x2010,  0x2027, 0x202F,
                          0x205F, 0x2070,  0x180A,      0x1810,  0xFDCF,  0xFDF0, 0xFFFC,
                          0xFFFD, 0x10000, 0xDFFFF - 2, 0xE1000, 0x10FFFD };
  for (size_t i = 0; i < COUNT(yes); i++) assert_true(hm_cp_is_hidden(yes[i]));
  for (size_t i = 0; i < COUNT(no); i++) assert_false(hm_cp_is_hidden(no[i]));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    T(repair_replaces_maximal_subparts),
    T(repair_is_idempotent_and_agrees_with_next),
    T(every_scalar_value_survives_put_and_next),
    T(names),
    T(signs_belong_to_names),
    T(capitals_begin_words_of_keys),
    T(folding_signs_twice_changes_nothing),
    T(values),
    T(the_order_of_marks_of_different_classes_is_nothing),
    T(folding_every_code_point_twice_changes_nothing),
    T(folding_random_text_twice_changes_nothing),
    T(the_ascii_path_is_the_general_path),
    T(a_megabyte_of_anything_is_quick),
    T(slugs),
    T(slugs_in_other_scripts),
    T(slugs_of_any_script_are_file_names),
    T(slugs_of_any_bytes_are_file_names),
    T(long_slugs_are_cut_and_told_apart),
    T(stems),
    T(cutting_keeps_code_points_whole),
    T(hidden_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
