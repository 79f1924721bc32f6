/* Live secrets, and ten times as many texts that only look like one. No secret here was ever live:
 * each is put together so that no scanner of a git host finds it in this file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/base/arena.h"
#include "core/base/credential.h"
#include "tests/unit/core_base_thorough.h"

typedef struct {
  const char *name, *text, *what;
} secret_case;

#define R20 "q7Xk2Pz9Lm4Tv8Rw3Yb6"
#define R16 "q7Xk2Pz9Lm4Tv8Rw"
#define R36 R20 R16
#define R43 R20 R20 "Kd5"
#define KEY "gh" "p_q7Xk2Pz9Lm4Tv8Rw3Yb6q7Xk2Pz9Lm4Tv8Rw"
#define UPPER20 "Q7XK2PZ9LM4TV8RW3YB6"

static const secret_case secrets[] = {
  { "",
    "li"
    "n_api_" R36,
    "a Linear key" },
  { "",
    "ya"
    "29." R36,
    "a Google token" },
  { "",
    "AGE-SEC"
    "RET-KEY-1" UPPER20 UPPER20 "Q7XK2PZ9LM4TV8RW3Y",
    "an age key" },
  { "",
    "ATA"
    "TT3" R20 R20 R20,
    "an Atlassian token" },
  { "",
    "GOC"
    "SPX-" R20 "Kd5w9Qe1",
    "a Google client secret" },
  { "",
    "dck"
    "r_pat_" R20,
    "a Docker token" },
  { "",
    "dop"
    "_v1_" R20 R20 R20 "Kd5w",
    "a DigitalOcean token" },
  { "",
    "gh"
    "r_" R36,
    "a GitHub token" },
  { "",
    "gh"
    "u_" R36,
    "a GitHub token" },
  { "",
    "gl"
    "sa_" R16 R16,
    "a Grafana token" },
  { "",
    "hv"
    "s." R20 "Kd5w",
    "a Vault token" },
  { "",
    "shp"
    "at_" R16 R16,
    "a Shopify token" },
  { "",
    "whs"
    "ec_" R20 "Kd5w",
    "a webhook secret" },
  { "",
    "xa"
    "pp-1-" R20,
    "a Slack token" },
  { "",
    "AK"
    "IAIOSFODNN7EXAMPLE",
    "an AWS access key" },
  { "",
    "gh"
    "p_1234567890abcdefghijklmnopqrstuvwxyz",
    "a GitHub token" },
  { "",
    "ey"
    "JhbGciOiJIUzI1NiJ9.ey"
    "JzdWIiOiIxIn0.abc123",
    "a JSON Web Token" },
  { "",
    "-----BEGIN "
    "RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA...\n",
    "a private key" },
  { "",
    "-----BEGIN "
    "PGP PRIVATE KEY BLOCK-----\n\nlQOYBGNpb2NBCADKq7Xk2Pz9",
    "a private key" },
  { "",
    "https://hooks.sl"
    "ack.com/services/T024Q7XK2/B09LM4TV8/" R20,
    "a Slack webhook" },
  { "password", "SuperSecret123!", "a password" },
  { "password", "password123", "a password" },
  { "token", "abc123def456ghi789jkl", "a key or token" },
  { "",
    "AK"
    "IAQ7XK2PZ9LM4TV8RW",
    "an AWS access key" },
  { "",
    "The key is AK"
    "IAQ7XK2PZ9LM4TV8RW.",
    "an AWS access key" },
  { "",
    "AS"
    "IAQXKAPZWLMKTVHRWB",
    "an AWS access key" },
  { "",
    "gh"
    "p_" R36,
    "a GitHub token" },
  { "",
    "use gh"
    "o_" R36 "_old, please",
    "a GitHub token" },
  { "",
    "{\"a\":\"gh"
    "s_" R36 "\"}",
    "a GitHub token" },
  { "",
    "github"
    "_pat_" R20 "AB_" R36,
    "a GitHub token" },
  { "",
    "gl"
    "pat-" R20,
    "a GitLab token" },
  { "",
    "xo"
    "xb-2048-4096-" R20,
    "a Slack token" },
  { "",
    "xo"
    "xp-2048-4096-" R20,
    "a Slack token" },
  { "",
    "sk"
    "-" R36,
    "an API key (sk-)" },
  { "",
    "sk"
    "-proj-" R36 "_x",
    "an OpenAI key" },
  { "",
    "sk"
    "-ant-api03-" R36,
    "an Anthropic key" },
  { "",
    "AI"
    "za" R20 "q7Xk2Pz9Lm4Tv8R",
    "a Google API key" },
  { "",
    "np"
    "m_" R36,
    "an npm token" },
  { "",
    "S"
    "G." R20 "ab." R43,
    "a SendGrid key" },
  { "",
    "sk"
    "_live_" R20 "abcd",
    "a Stripe key" },
  { "",
    "rk"
    "_live_" R20 "abcd",
    "a Stripe key" },
  { "",
    "py"
    "pi-AgEIcHlwaS5vcmc" R36,
    "a PyPI token" },
  { "",
    "hf"
    "_" R20 R16,
    "a Hugging Face token" },
  { "",
    "ey"
    "JhbGciOiJIUzI1NiJ9.ey"
    "JzdWIiOiI3NDIifQ." R20,
    "a JSON Web Token" },
  { "",
    "Authorization: Bearer ey"
    "JhbGciOiJIUzI1NiJ9.ey"
    "JzdWIiOiI3NDIifQ." R20,
    "a JSON Web Token" },
  { "",
    "-----BEGIN "
    "RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEAq7Xk2Pz9Lm4Tv8Rw3Yb6q7Xk2Pz9\n",
    "a private key" },
  { "",
    "{\"k\":\"-----BEGIN "
    "PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\\n\"}",
    "a private key" },
  { "",
    "-----BEGIN "
    "OPENSSH PRIVATE KEY-----\r\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAA",
    "a private key" },
  { "", "postgres://app:hunter2@db.local/prod", "a password" },
  { "", "url = https://kim:S0mmer!x@host:8443/", "a password" },
  { "password", "hunter2", "a password" },
  { "db_password", "Tr0ub4dor&3", "a password" },
  { "dbPassword", "p@ss!wort", "a password" },
  { "Admin passwd", " hunter2 ", "a password" },
  { "passphrase", "Xk2-Pz9-Lm4-Tv8", "a password" },
  { "api_key", R20, "a key or token" },
  { "apiKey", R20, "a key or token" },
  { "API key", R20, "a key or token" },
  { "client_secret", "Zq8~" R20, "a key or token" },
  { "access-token", R16, "a key or token" },
  { "content", "The wifi password is hunter2.", "a password" },
  { "content", "DB_PASSWORD=hunter2 DB_HOST=db", "a password" },
  { "content", "password: \"hunter2\"", "a password" },
  { "content", "api key: " R20, "a key or token" },
  { "properties", "{\"mass\":\"4 kg\",\"api_key\":\"" R20 "\"}", "a key or token" },
  { "properties", "{\"db\":{\"password\":\"hunter2\"}}", "a password" },
  { "properties", "{\"env\":\"{\\\"token\\\":\\\"" R20 "\\\"}\"}", "a key or token" },
};

/* Before and behind a secret of a known shape, beside which it is found. */
static const struct {
  const char *before, *after;
} neighbours[] = {
  { "x_", "" },     { "API_KEY_", "" }, { "a%20", "%20b" }, { "a%3D", "" }, { "a\\n", "\\n" },
  { "a\\t", "" },   { "a\\u0020", "" },     { "a\\u003D", "" }, { "\"", "\"" }, { "_", "" },
  { "ü", "ü" }, { "\\\\n", "" },
};

static const secret_case look_alikes[] = {
  { "",
    "-----BEGIN "
    "PRIVATE KEY-----\n(cut)\n-----END "
    "PRIVATE KEY-----",
    NULL },
  { "secret", "0xBE4BA423396CFEB8u", NULL },
  { "password", "secret", NULL },
  { "token", "my-secret-token", NULL },
  /* placeholders */
  { "token", "<token>", NULL },
  { "token", "<your-api-token-4f9a8b7c>", NULL },
  { "password", "changeme", NULL },
  { "password", "changeme123", NULL },
  { "password", "***", NULL },
  { "password", "********", NULL },
  { "password", "\u2022\u2022\u2022\u2022\u2022\u2022", NULL },
  { "token", "${TOKEN}", NULL },
  { "token", "$TOKEN", NULL },
  { "token", "{{ token_2 }}", NULL },
  { "token", "%TOKEN%", NULL },
  { "password", "xxxxxxxx", NULL },
  { "password", "example1", NULL },
  { "password", "your_password_1", NULL },
  { "api_key", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", NULL },
  { "password", "[redacted 2026-11-22: leaked]", NULL },
  { "password", "(none)", NULL },
  { "password", "TODO", NULL },
  { "password", "tbd", NULL },
  { "password", "?", NULL },
  { "password", "", NULL },
  { "password", "n/a", NULL },
  { "password", "unknown", NULL },
  { "",
    "AK"
    "IAXXXXXXXXXXXXXXXX",
    NULL },
  { "",
    "gh"
    "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    NULL },
  { "",
    "gh"
    "p_...",
    NULL },
  { "",
    "gh"
    "p_",
    NULL },
  { "",
    "sk"
    "-...",
    NULL },
  { "",
    "sk"
    "-YOUR-KEY",
    NULL },
  { "",
    "ey"
    "J...",
    NULL },
  { "",
    "-----BEGIN "
    "PRIVATE KEY-----\n...\n",
    NULL },
  { "", "postgres://user:password@host/db", NULL },
  { "", "postgres://app:${DB_PASSWORD}@host/db", NULL },
  { "", "postgres://app:<secret>@host/db", NULL },
  { "", "https://kim:***@host/", NULL },
  /* words that say what sort it is, or where it is */
  { "token", "JWT", NULL },
  { "token", "token: JWT", NULL },
  { "token", "OAuth2", NULL },
  { "token", "HMAC-SHA256", NULL },
  { "token", "RS256", NULL },
  { "token", "Bearer", NULL },
  { "password", "argon2id", NULL },
  { "password", "bcrypt-12", NULL },
  { "password", "sha256", NULL },
  { "password", "PBKDF2", NULL },
  { "password", "required", NULL },
  { "password", "2fa-only", NULL },
  { "password", "v2.1-policy", NULL },
  { "password", "12 characters at least", NULL },
  { "password", "rotated every 90 days", NULL },
  { "password", "1password", NULL },
  { "password", "/run/secrets/db_2", NULL },
  { "secret", "vault:kv/data/db2", NULL },
  { "secret", "prod-db-credentials-v2-eu-west-1", NULL },
  { "secret", "kubernetes2024cluster", NULL },
  { "secret", "arn:aws:secretsmanager:eu-west-1:742:db-9fX2", NULL },
  { "secret", "op://Team/DB2/field", NULL },
  { "token", "https://host/token/4f9a8B7c6D5e", NULL },
  { "token", "GITHUB_TOKEN", NULL },
  { "password", "DB_PASSWORD_2", NULL },
  { "password", "true", NULL },
  { "password", "4711", NULL },
  { "password", "kim@example.org", NULL },
  { "password", "kim2@mail.org", NULL },
  { "api_key", "header X-Api-Key", NULL },
  { "token", "MyCompanyApiToken", NULL },
  /* bare hex: digests, commits, ids */
  { "token", "d41d8cd98f00b204e9800998ecf8427e", NULL },
  { "secret", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", NULL },
  { "token", "550e8400-e29b-41d4-a716-446655440000", NULL },
  { "password", "aaaa1111bbbb", NULL },
  { "", "commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12", NULL },
  { "", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", NULL },
  /* names that only hold such a word */
  { "secret_name", R20, NULL },
  { "token_count", R20, NULL },
  { "password_policy", "hunter2", NULL },
  { "token_type", R20, NULL },
  { "public_key", R20, NULL },
  { "key", R20, NULL },
  { "max_tokens", "4096", NULL },
  { "tokens", R20, NULL },
  { "secretary", "hunter2", NULL },
  { "password_hash", "hunter2", NULL },
  { "passport", "C01X00T47", NULL },
  /* prose */
  { "", "token count 500", NULL },
  { "", "The password policy: 12 characters.", NULL },
  { "", "The password is rotated.", NULL },
  { "", "The password is base64-encoded.", NULL },
  { "", "The token is 4f9a8B7c6D5e4F3a2B1c", NULL }, /* a digest in mixed case is hex, too */
  { "", "We chose JWT tokens: RS256, 15 minutes.", NULL },
  { "",
    "Files that begin with -----BEGIN "
    "RSA PRIVATE KEY----- are never committed.",
    NULL },
  { "",
    "The prefix gh"
    "p_ marks a personal access token, AKIA an AWS key.",
    NULL },
  { "", "sk-learn-compatible-estimators-v2 are used in the pipeline1", NULL },
  { "", "task-q7Xk2Pz9Lm4Tv8Rw3Yb6q7Xk2Pz9Lm4T", NULL },
  { "", "risk-" R36, NULL },
  { "", "npm_config_registry and npm_lifecycle_event", NULL },
  { "", "hf_hub_download loads the model", NULL },
  { "", "SG.1 and SG.2 are gauges", NULL },
  { "", "glpat-is-the-prefix", NULL },
  { "", "xoxb-is-for-bots-and-more-of-them", NULL },
  { "", "AKIA stands in Norway; ASIACUP2026 is a cup", NULL },
  { "", "the ratio is 3:4 at 10:30, see http://host:8080/a?b=c2", NULL },
  { "", "git@github.com:team/repo2.git", NULL },
  { "", "ssh://git@host:2222/repo", NULL },
  { "", "http://a:b2/c@d", NULL },
  { "", "secret: see the vault", NULL },
  { "", "password:", NULL },
  { "", "password=", NULL },
  { "", ":", NULL },
  { "", " is ", NULL },
  { "", "Author: token", NULL },
  { "", "base64 eyJhIjoxfQ is a JSON object", NULL },
  { "",
    "ey"
    "JhbGciOiJIUzI1NiJ9.notpayload1." R20,
    NULL },
  { "",
    "xgh"
    "p_" R36,
    NULL },
  { "",
    "%2xgh"
    "p_" R36,
    NULL },
  { "",
    "\\ngh"
    "p_ and \\tnpm_config_registry_of_the_team",
    NULL },
  { "",
    "xgh"
    "p_" R36 "x_",
    NULL },
  { "value", "PEEK-GF30", NULL },
  { "mass", "4.80 kg", NULL },
};

static void secrets_are_found(void **state) {
  (void)state;
  for (size_t i = 0; i < HM_COUNT(secrets); i++) {
    hm_credential c;
    const secret_case *s = &secrets[i];
    if (!hm_credential_find(hm_str_c(s->name), hm_str_c(s->text), &c))
      fail_msg("missed: %s: %s", s->name, s->text);
    if (strcmp(c.what, s->what)) fail_msg("%s is called %s", s->text, c.what);
  }
}

static void secrets_are_found_beside_word_characters_and_escapes(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  for (size_t i = 0; i < HM_COUNT(secrets); i++) {
    hm_credential c;
    hm_str text = hm_str_c(secrets[i].text);
    if (!hm_credential_find(HM_EMPTY, text, &c) || !strncmp(c.what, "a password", 10) ||
        !strncmp(c.what, "a key or", 8))
      continue;
    for (size_t k = 0; k < HM_COUNT(neighbours); k++) {
      hm_str beside =
          HM_CAT(a, hm_str_c(neighbours[k].before), c.text, hm_str_c(neighbours[k].after));
      hm_credential found;
      if (!hm_credential_find(HM_EMPTY, beside, &found) || strcmp(found.what, c.what))
        fail_msg("missed: %.*s", HM_FMT(beside));
    }
  }
  hm_arena_free(a);
}

static void look_alikes_are_silent(void **state) {
  (void)state;
  int bad = 0;
  for (size_t i = 0; i < HM_COUNT(look_alikes); i++) {
    hm_credential c;
    const secret_case *s = &look_alikes[i];
    if (!hm_credential_find(hm_str_c(s->name), hm_str_c(s->text), &c)) continue;
    bad++;
    print_message("false alarm: %s: %s: %s, %.*s\n", s->name, s->text, c.what, HM_FMT(c.text));
  }
  assert_int_equal(bad, 0);
}

static void it_is_never_shown_whole(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new();
  hm_credential token = { "a GitHub token",
                          HM_STR("gh"
                                 "p_" R36) },
                short_one = { "a password", HM_STR("hunter2") };
  assert_true(
      hm_str_is(hm_credential_mask(&token, a), "a GitHub token, ghp_\u2026 of 40 characters"));
  assert_true(hm_str_is(hm_credential_mask(&short_one, a), "a password, h\u2026 of 7 characters"));
  assert_true(hm_str_is(hm_credential_redact_command(HM_STR("entity:e 1"), HM_STR("api_key"), a),
                        "hmirror redact 'entity:e 1' --field api_key --reason TEXT"));
  assert_true(hm_str_is(hm_credential_redact_command(HM_STR("memory:m1"), HM_EMPTY, a),
                        "hmirror redact memory:m1 --reason TEXT"));
  hm_arena_free(a);
}

static void messages_hide_them(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  static const struct {
    const char *text, *shown;
  } cases[] = {
    { "nothing here: 4 kg", "nothing here: 4 kg" },
    { "a " KEY ", b " KEY ".", "a ghp_\u2026, b ghp_\u2026." },
    { "store postgres://app:pw@h:5432/x: gone", "store postgres://h:5432/x: gone" },
    { "row 'x_gh" "p_q7Xk2Pz9'", "row 'x_ghp\u2026'" }, /* a cut one */
    { "sk" "-ant-q7Xk2Pz9", "sk-\u2026" },
    { "ey" "JhbGciOiJI1", "eyJ\u2026" },
    { "sk-learn and hf_hub_download, ghp_abc1", "sk-learn and hf_hub_download, ghp_abc1" },
    { "postgres://app:p/w#@h/x", "postgres://h/x" },
    { "libsql://h/x?a=1&authToken=abc&b=2: gone", "libsql://h/x?a=1&authToken=\u2026&b=2: gone" },
    { "https://h/?token=abc: gone", "https://h/?token=\u2026: gone" },
    { "host=db password=pw dbname=x", "host=db password=\u2026 dbname=x" },
    { "see https://example.org/a?b=c", "see https://example.org/a?b=c" },
    { "the token=500 of it", "the token=500 of it" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str shown = hm_credential_hide(hm_str_c(cases[i].text), a);
    assert_string_equal(hm_str_z(a, shown), cases[i].shown);
  }
  hm_arena_free(a);
}

static void addresses_show_no_key(void **state) {
  hm_arena *a = hm_arena_new();
  (void)state;
  static const struct {
    const char *url, *shown;
  } cases[] = {
    { "https://h:8443/v1", "https://h:8443/v1" },
    { "https://h/openai/deployments/text-embedding-3-small/", "https://h/openai/deployments/text-embedding-3-small/" },
    { "https://h/v1?key=abc#d", "https://h/v1" },
    { "https://h/" KEY "/v1", "https://h/\u2026/v1" },
    { "https://h/x_" KEY, "https://h/\u2026" },
    { "https://h/" R20 "/v1", "https://h/\u2026/v1" },
    { "https://h/2fd4e1c67a2d28fced849ee1bb76e739", "https://h/\u2026" },
    { "https://kim:pw@h/v1", "https://h/v1" },
    { "https://h", "https://h" },
    { "https://h//v1", "https://h//v1" },
    { "", "" },
    { "?://", "" },
  };
  for (size_t i = 0; i < HM_COUNT(cases); i++)
    assert_string_equal(hm_str_z(a, hm_address_shown(hm_str_c(cases[i].url), a)), cases[i].shown);
  hm_arena_free(a);
}

/* Whatever the bytes are, the search ends inside them. */
static void any_bytes(void **state) {
  (void)state;
  static const char pieces[] = "-----BEGIN eyJ.sk-=:/@ is \"\\password token'<a1B2";
  uint64_t seed = 11;
  for (int round = 0; round < 20000; round++) {
    char text[80];
    size_t n = 0;
    hm_credential c;
    while (n < sizeof text && (seed = seed * 6364136223846793005u + 1442695040888963407u) >> 60) {
      size_t at = (seed >> 33) % (sizeof pieces - 1), more = (seed >> 20) % 12;
      for (size_t k = at; k < at + more && k < sizeof pieces - 1 && n < sizeof text; k++)
        text[n++] = pieces[k];
    }
    hm_str exact = { memcpy(hm_xmalloc(n + 1), text, n), n };
    if (hm_credential_find(hm_str_sub(exact, 0, 4), exact, &c))
      assert_true(c.text.p >= exact.p && c.text.p + c.text.n <= exact.p + exact.n);
    free((void *)(uintptr_t)exact.p);
  }
}

/* Text after text that begins as a secret does: a pass, not one for each. */
static void hostile_texts_take_linear_time(void **state) {
  static const char *const pieces[] = { "password=", "eyJ-", "_eyJ", "\\neyJ","sk-ant-", "SG.", "SG.-", "glpat-",
                                        "xoxb-",     "ya29.-", "a://b:", "eyJ.", "password is ",
                                        "-----BEGIN " };
  enum { BYTES = 1000000 };
  char *text = malloc(BYTES);
  (void)state;
  for (size_t k = 0; k < HM_COUNT(pieces); k++) {
    hm_credential c;
    double begun = computed();
    for (size_t i = 0; i < BYTES; i++) text[i] = pieces[k][i % strlen(pieces[k])];
    hm_credential_find(HM_EMPTY, (hm_str){ text, BYTES }, &c);
    expect_within(4, begun, pieces[k]);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(secrets_are_found),
    cmocka_unit_test(secrets_are_found_beside_word_characters_and_escapes),
    cmocka_unit_test(look_alikes_are_silent),
    cmocka_unit_test(it_is_never_shown_whole),
    cmocka_unit_test(messages_hide_them),
    cmocka_unit_test(addresses_show_no_key),
    cmocka_unit_test(any_bytes),
    cmocka_unit_test(hostile_texts_take_linear_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
