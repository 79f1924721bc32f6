/* Which texts are live secrets: see credential.h.
 *
 * A secret has a known shape, beginning with a prefix that its issuer chose for detection; or it is
 * the value of a field called password, secret, token or api_key, is no placeholder and looks
 * generated. Cost: one pass; shapes are tried at the beginning of words, behind '_' and escapes.
 * Source: the prefixes that issuers document, as in the secret scanners of git hosts. */
#include "core/base/credential.h"

#include <string.h>
#include <strings.h>

#include "core/base/arena.h"
#include "core/base/ascii.h"
#include "core/base/shell.h"
#include "core/base/text.h"

/* --- bytes --------------------------------------------------------------------------- */

enum { DIGIT = 1, UPPER = 2, LOWER = 4, UNDER = 8, DASH = 16, DOT = 32, BASE64 = 64 };
enum { ALNUM = DIGIT | UPPER | LOWER, WORD = ALNUM | UNDER, URL_SAFE = WORD | DASH };

static const unsigned char classes[256] = {
  ['0' ... '9'] = DIGIT, ['A' ... 'Z'] = UPPER, ['a' ... 'z'] = LOWER, ['_'] = UNDER,  ['-'] = DASH,
  ['.'] = DOT,           ['+'] = BASE64,        ['/'] = BASE64,        ['='] = BASE64,
};

static int class_at(hm_str s, size_t i) { return i < s.n ? classes[(unsigned char)s.p[i]] : 0; }

/* The number of bytes from i on in these classes, at most `most`. */
static size_t run_up_to(hm_str s, size_t i, int set, size_t most) {
  size_t n = 0;
  while (n < most && class_at(s, i + n) & set)
    n++;
  return n;
}

static size_t run_of(hm_str s, size_t i, int set) { return run_up_to(s, i, set, s.n); }

static size_t distinct_bytes(hm_str s) {
  bool seen[256] = { false };
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++) {
    n += !seen[(unsigned char)s.p[i]];
    seen[(unsigned char)s.p[i]] = true;
  }
  return n;
}

/* Does the word stand at i, in letters of any size? */
static bool stands_at(hm_str s, size_t i, const char *word) {
  size_t n = strlen(word);
  bool begins = (s.p[i] | 0x20) == (word[0] | 0x20);
  return begins && n <= s.n - i && !strncasecmp(s.p + i, word, n);
}

static bool has_text(hm_str s, const char *word) {
  for (size_t i = 0; i < s.n; i++)
    if (stands_at(s, i, word))
      return true;
  return false;
}

static bool has_any(hm_str s, const char *const *words, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (has_text(s, words[i]))
      return true;
  return false;
}

/* --- placeholders -------------------------------------------------------------------- */

enum { F = HM_OF_FIELD, S = F | HM_OF_SHAPE, V = HM_OF_VALUE, T = HM_OF_TEXT };
static const struct {
  const char *sign;
  int of;
} placeholders[] = {
  { "...", S | V },       { "\u2026", S },
  { "***", S },           { "\u2022", S },
  { "xxxx", S | T },      { "changeme", S | V | T },
  { "change-me", S | V }, { "change_me", S | V },
  { "redacted", S | V },  { "insert", S },
  { "your", S },          { "placeholder", S },
  { "example", F },       { "sample", F },
  { "dummy", F },         { "todo", F },
  { "your-", V | T },     { "your_", V | T },
  { "/your/", V },        { "path/to/", V },
  { "yyyy-mm-dd", T },    { "{{", T },
  { "<your", V | T },     { "[your", T },
  { "[insert", T },       { "<insert", T },
  { "[name", T },         { "<name", T },
  { "xxx", V },           { "1234567", V | T },
};

bool hm_has_placeholder(hm_str s, hm_placeholder_of where) {
  bool begins[256] = { false }; /* with a sign; in small letters */
  for (size_t k = 0; k < HM_COUNT(placeholders); k++)
    begins[(unsigned char)placeholders[k].sign[0]] |= (placeholders[k].of & (int)where) != 0;
  for (size_t i = 0; i < s.n; i++)
    for (size_t k = 0; begins[(unsigned char)hm_ascii_lower(s.p[i])] && k < HM_COUNT(placeholders);
         k++)
      if ((placeholders[k].of & (int)where) && stands_at(s, i, placeholders[k].sign))
        return true;
  return false;
}

static bool is_placeholder(hm_str s, bool of_shape) {
  enum { DISTINCT = 5 };
  return !s.n || strchr("<$%{[(*", s.p[0]) || distinct_bytes(s) < DISTINCT ||
      hm_has_placeholder(s, of_shape ? HM_OF_SHAPE : HM_OF_FIELD);
}

/* --- known shapes -------------------------------------------------------------------- */

/* The length of the secret at i, which begins with the prefix; 0: not a secret. */
typedef size_t shape_fn(hm_str s, size_t i, size_t prefix);

/* Its first part is short, so that attempts behind each '-' and '_' of a run read few bytes. */
static size_t json_web_token(hm_str s, size_t i, size_t prefix) {
  enum { HEAD_MAX = 600 };
  static const size_t least[] = { 10, 8, 6 };
  size_t n = 0;
  (void)prefix;
  for (int part = 0; part < 3; part++) {
    size_t bytes = run_up_to(s, i + n, URL_SAFE, part ? s.n : HEAD_MAX);
    if (bytes < least[part] || (part == 1 && memcmp(s.p + i + n, "eyJ", 3)))
      return 0;
    n += bytes;
    if (part < 2 && class_at(s, i + n) != DOT)
      return 0;
    n += part < 2;
  }
  return n;
}

static size_t sendgrid_key(hm_str s, size_t i, size_t prefix) {
  enum { ID = 16, KEY = 32, MOST = 200 };
  size_t id = run_up_to(s, i + prefix, URL_SAFE, MOST), dot = i + prefix + id;
  size_t key = class_at(s, dot) == DOT ? run_up_to(s, dot + 1, URL_SAFE, MOST) : 0;
  return id < ID || key < KEY ? 0 : prefix + id + 1 + key;
}

/* "-----BEGIN RSA PRIVATE KEY-----" and the beginning of its base64 on the next line, also where a
 * line break is written as "\n". */
static size_t private_key(hm_str s, size_t i, size_t prefix) {
  enum { KIND = 30, LEAST = 16 };
  static const char end[] = "PRIVATE KEY";
  size_t at = i + prefix;
  ptrdiff_t found = hm_str_find(hm_str_sub(s, at, at + KIND), end);
  if (found < 0)
    return 0;
  at += (size_t)found + sizeof end - 1;
  if (hm_str_starts(hm_str_sub(s, at, s.n), " BLOCK"))
    at += 6;
  at += run_of(s, at, DASH);
  for (; at < s.n && strchr(" \r\n\\", s.p[at]); at++)
    if (s.p[at] == '\\')
      at++;
  size_t body = run_of(s, at, ALNUM | BASE64);
  return body >= LEAST ? at + body - i : 0;
}

/* body: the classes of the bytes after the prefix, from least to most of them; the next byte has
 * another class. other: a function to use instead. */
static const struct {
  const char *prefix, *what;
  int set;
  size_t least, most;
  shape_fn *other;
} shapes[] = {
  { "-----BEGIN ", "a private key", 0, 0, 0, private_key },
  { "AGE-SECRET-KEY-1", "an age key", UPPER | DIGIT, 58, 58, NULL },
  { "AIza", "a Google API key", URL_SAFE, 30, 40, NULL },
  { "AKIA", "an AWS access key", UPPER | DIGIT, 16, 16, NULL },
  { "ASIA", "an AWS access key", UPPER | DIGIT, 16, 16, NULL },
  { "ATATT3", "an Atlassian token", URL_SAFE | BASE64, 60, 300, NULL },
  { "GOCSPX-", "a Google client secret", URL_SAFE, 28, 28, NULL },
  { "SG.", "a SendGrid key", 0, 0, 0, sendgrid_key },
  { "dckr_pat_", "a Docker token", URL_SAFE, 20, 60, NULL },
  { "dop_v1_", "a DigitalOcean token", ALNUM, 64, 64, NULL },
  { "eyJ", "a JSON Web Token", 0, 0, 0, json_web_token },
  { "ghp_", "a GitHub token", ALNUM, 30, 255, NULL },
  { "gho_", "a GitHub token", ALNUM, 30, 255, NULL },
  { "ghr_", "a GitHub token", ALNUM, 30, 255, NULL },
  { "ghs_", "a GitHub token", ALNUM, 30, 255, NULL },
  { "ghu_", "a GitHub token", ALNUM, 30, 255, NULL },
  { "github_pat_", "a GitHub token", WORD, 36, 255, NULL },
  { "glpat-", "a GitLab token", URL_SAFE, 20, 60, NULL },
  { "glsa_", "a Grafana token", WORD, 32, 60, NULL },
  { "hooks.slack.com/services/", "a Slack webhook", ALNUM | BASE64, 30, 120, NULL },
  { "hf_", "a Hugging Face token", ALNUM, 34, 40, NULL },
  { "hvs.", "a Vault token", URL_SAFE, 24, 200, NULL },
  { "lin_api_", "a Linear key", ALNUM, 32, 60, NULL },
  { "npm_", "an npm token", ALNUM, 36, 36, NULL },
  { "pypi-AgE", "a PyPI token", URL_SAFE, 40, 300, NULL },
  { "rk_live_", "a Stripe key", ALNUM, 24, 120, NULL },
  { "shpat_", "a Shopify token", ALNUM, 32, 32, NULL },
  { "sk-", "an API key (sk-)", ALNUM, 20, 64, NULL },
  { "sk-ant-", "an Anthropic key", URL_SAFE, 24, 200, NULL },
  { "sk-proj-", "an OpenAI key", URL_SAFE, 24, 200, NULL },
  { "sk_live_", "a Stripe key", ALNUM, 24, 120, NULL },
  { "whsec_", "a webhook secret", ALNUM | BASE64, 24, 80, NULL },
  { "xapp-", "a Slack token", ALNUM | DASH, 20, 160, NULL },
  { "xoxa-", "a Slack token", ALNUM | DASH, 20, 160, NULL },
  { "xoxb-", "a Slack token", ALNUM | DASH, 20, 160, NULL },
  { "xoxp-", "a Slack token", ALNUM | DASH, 20, 160, NULL },
  { "xoxr-", "a Slack token", ALNUM | DASH, 20, 160, NULL },
  { "xoxs-", "a Slack token", ALNUM | DASH, 20, 160, NULL },
  { "ya29.", "a Google token", URL_SAFE, 30, 300, NULL },
};

/* By the first byte of a prefix, its possible second bytes. Add new shapes here, or they are never
 * tried; the test has a secret of each shape. */
static const char *const begins_shape[256] = {
  ['-'] = "-",   ['A'] = "GIKST", ['G'] = "O",  ['S'] = "G", ['d'] = "co", ['e'] = "y",
  ['g'] = "hil", ['h'] = "ofv",   ['l'] = "i",  ['n'] = "p", ['p'] = "y",  ['r'] = "k",
  ['s'] = "hk",  ['w'] = "h",     ['x'] = "ao", ['y'] = "a",
};

static bool may_begin_shape(hm_str s, size_t i) {
  const char *second = begins_shape[(unsigned char)s.p[i]];
  while (second && *second && i + 1 < s.n && *second != s.p[i + 1])
    second++;
  return second && *second && i + 1 < s.n;
}

/* Random bytes have letters and digits, and many of them; names of things repeat few. */
static bool looks_made(hm_str body, int set) {
  enum { VARIED = 10 };
  int has = 0;
  for (size_t i = 0; i < body.n; i++)
    has |= class_at(body, i);
  bool digits = has & DIGIT || !(set & LOWER); /* of 16 capitals and digits all may be capitals */
  return digits && has & (UPPER | LOWER) && distinct_bytes(body) >= VARIED - (body.n < 20) * 3 &&
      !is_placeholder(body, true);
}

static bool find_shape(hm_str s, size_t i, hm_credential *out) {
  for (size_t k = 0; k < HM_COUNT(shapes); k++) {
    const char *p = shapes[k].prefix;
    if (p[0] != s.p[i] || p[1] != s.p[i + 1])
      continue;
    size_t prefix = strlen(p), n;
    if (i + prefix > s.n || memcmp(s.p + i, p, prefix))
      continue;
    if (shapes[k].other) {
      n = shapes[k].other(s, i, prefix);
      if (!n || is_placeholder(hm_str_sub(s, i + prefix, i + n), true))
        continue;
    } else {
      n = run_up_to(s, i + prefix, shapes[k].set, shapes[k].most + 1);
      hm_str body = hm_str_sub(s, i + prefix, i + prefix + n);
      if (n < shapes[k].least || n > shapes[k].most || class_at(s, i + prefix + n) & ALNUM ||
          !looks_made(body, shapes[k].set))
        continue;
      n += prefix;
    }
    *out = (hm_credential){ shapes[k].what, hm_str_sub(s, i, i + n) };
    return true;
  }
  return false;
}

/* --- fields called as secrets are -------------------------------------------------------- */

typedef enum { NO_SECRET, IS_TOKEN, IS_PASSWORD } secret_name;

/* Ends of such names, letters and digits only. */
static const struct {
  const char *end;
  secret_name is;
} names[] = {
  { "password", IS_PASSWORD }, { "passwd", IS_PASSWORD },   { "passphrase", IS_PASSWORD },
  { "pwd", IS_PASSWORD },      { "passcode", IS_PASSWORD }, { "secret", IS_TOKEN },
  { "token", IS_TOKEN },       { "apikey", IS_TOKEN },      { "accesskey", IS_TOKEN },
  { "secretkey", IS_TOKEN },   { "privatekey", IS_TOKEN },  { "authkey", IS_TOKEN },
  { "accountkey", IS_TOKEN },  { "signingkey", IS_TOKEN },  { "encryptionkey", IS_TOKEN },
};
enum { NAME_MAX = 16 };

/* By the last letters and digits of s before end, skipping separators. */
static secret_name name_ending_at(hm_str s, size_t end) {
  static const char last[] = "detnyDETNY"; /* the last letters of all names */
  char name[NAME_MAX];
  size_t n = 0;
  if (!end || !s.p[end - 1] || !strchr(last, s.p[end - 1]))
    return NO_SECRET;
  for (size_t i = end; i-- > 0 && n < NAME_MAX;) {
    int c = class_at(s, i);
    if (c & ALNUM)
      name[NAME_MAX - ++n] = (char)(s.p[i] | (c & UPPER ? 32 : 0));
    else if (!(c & (UNDER | DASH)) && s.p[i] != ' ')
      break;
    else if (i + 1 == end)
      break;
  }
  for (size_t k = 0; k < HM_COUNT(names); k++) {
    size_t length = strlen(names[k].end);
    if (length <= n && !memcmp(name + NAME_MAX - length, names[k].end, length))
      return names[k].is;
  }
  return NO_SECRET;
}

/* Values that only say which sort of secret, or where it is; in any case. */
static const char *const kinds_of_secret[] = {
  "aes",    "argon", "base64",  "bcrypt",   "bearer",   "ed25519", "fido",  "hmac",
  "hashed", "jwt",   "keepass", "keychain", "lastpass", "md5",     "oauth", "pbkdf",
  "rotat",  "rsa-",  "saml",    "scrypt",   "sha1",     "sha2",    "sha3",  "sha5",
  "sha-",   "totp",  "vault",   "webauthn", "x509",     "1pass",
};

static bool is_one_word(hm_str v) {
  for (size_t i = 0; i < v.n; i++)
    if ((unsigned char)v.p[i] <= ' ' || v.p[i] == '"' || v.p[i] == '<')
      return false;
  return true;
}

/* A digest, a commit id, a UUID, a number of a program. */
static bool is_hex(hm_str v) {
  if (hm_str_starts(v, "0x"))
    return true;
  for (size_t i = 0; i < v.n; i++)
    if (!strchr("0123456789abcdefABCDEF-:", v.p[i]))
      return false;
  return true;
}

/* DB_PASSWORD: the name of a variable. */
static bool is_variable(hm_str v) {
  return memchr(v.p, '_', v.n) && run_of(v, 0, UPPER | DIGIT | UNDER) == v.n;
}

enum { VALUE_MAX = 400 };

static bool may_be_value(hm_str v) {
  return v.n <= VALUE_MAX && is_one_word(v) && !is_placeholder(v, false) && !is_hex(v) &&
      !is_variable(v) && v.p[0] != '/' && v.p[0] != '~' && v.p[0] != '@' &&
      hm_str_find(v, "://") < 0 && !has_any(v, kinds_of_secret, HM_COUNT(kinds_of_secret));
}

/* Letters and digits mixed as no name mixes them, in a run of 16 at least: two runs of digits, and
 * every fourth byte of another class than the one before it. */
static bool is_token(hm_str v) {
  enum { LEAST = 16 };
  for (size_t i = 0; i < v.n; i++) {
    size_t n = run_of(v, i, ALNUM), changes = 0, digits = 0;
    for (size_t k = i; k < i + n; k++) {
      bool first = k == i || class_at(v, k) != class_at(v, k - 1);
      changes += first && k > i;
      digits += first && class_at(v, k) == DIGIT;
    }
    if (n >= LEAST && digits > 1 && changes * 4 >= n)
      return true;
    i += n;
  }
  return false;
}

/* A letter, and a digit or a sign that no name has; "2fa-only" and "v2.1" are names. */
static bool is_password(hm_str v) {
  enum { LEAST = 6, LONG = 12 };
  static const char signs[] = "!#$%^&*?+=~@";
  int has = 0;
  bool sign = false;
  ptrdiff_t at = hm_str_find(v, "@");
  for (size_t i = 0; i < v.n; i++) {
    has |= class_at(v, i);
    sign |= strchr(signs, v.p[i]) != NULL;
  }
  bool email = at > 0 && hm_str_find(hm_str_sub(v, (size_t)at, v.n), ".") > 0;
  bool mixed = has & DIGIT && has & UPPER && has & LOWER;
  if (v.n < LEAST || email || !(has & (UPPER | LOWER)) || !(has & DIGIT || sign))
    return false;
  return sign || run_of(v, 0, ALNUM) == v.n || (v.n >= LONG && mixed);
}

static bool find_value(secret_name name, hm_str value, hm_credential *out) {
  value = hm_str_trim(value);
  if (name == NO_SECRET || !may_be_value(value))
    return false;
  if (!(name == IS_PASSWORD && is_password(value)) && !is_token(value))
    return false;
  *out = (hm_credential){ name == IS_PASSWORD ? "a password" : "a key or token", value };
  return true;
}

/* --- inside texts ------------------------------------------------------------------------- */

/* The text from i to the end of the word or of the quotes, cut if too long for a secret. */
static hm_str value_at(hm_str s, size_t i) {
  enum { READ_MAX = 2 * VALUE_MAX };
  static const char ends[] = " \t\r\n\"'`<>,;)]}\\";
  size_t from, to;
  if (i < s.n && s.p[i] == ' ')
    i++;
  if (i < s.n && s.p[i] == '\\')
    i++;
  if (i < s.n && strchr("\"'`", s.p[i]))
    i++;
  for (from = to = i; to < s.n && to - from < READ_MAX && s.p[to] && !strchr(ends, s.p[to]);)
    to++;
  while (to > from && strchr(".:?", s.p[to - 1]))
    to--;
  return hm_str_sub(s, from, to);
}

/* "password: x", "DB_TOKEN=x", "\"api_key\":\"x\"", "the password is x". i: of ':', '=' or " is ".
 */
static bool find_named(hm_str s, size_t i, hm_credential *out) {
  size_t end = i;
  bool is = s.p[i] == ' ';
  while (!is && end && strchr("\"'`\\ ", s.p[end - 1]))
    end--;
  secret_name name = name_ending_at(s, end);
  if (name == NO_SECRET || (is && name != IS_PASSWORD))
    return false;
  return find_value(name, value_at(s, i + (is ? 3 : 1)), out);
}

/* "postgres://app:x@host": i is of "://". */
static bool find_in_address(hm_str s, size_t i, hm_credential *out) {
  size_t from = i + 3, colon = 0, k = from;
  for (; k < s.n && (unsigned char)s.p[k] > ' ' && !strchr("/\"'<>\\", s.p[k]); k++) {
    if (s.p[k] == ':' && !colon)
      colon = k;
    if (s.p[k] != '@')
      continue;
    return colon && find_value(IS_PASSWORD, hm_str_sub(s, colon + 1, k), out);
  }
  return false;
}

/* What a cut left of a secret: the prefix, and signs of which one is a digit. */
static bool find_beginning(hm_str s, size_t i, hm_credential *out) {
  enum { LEAST = 8 };
  for (size_t k = 0; k < HM_COUNT(shapes); k++) {
    hm_str rest = hm_str_sub(s, i, s.n);
    if (!hm_str_starts(rest, shapes[k].prefix))
      continue;
    size_t prefix = strlen(shapes[k].prefix);
    size_t n = run_of(rest, prefix, shapes[k].set ? shapes[k].set : URL_SAFE | DOT);
    bool digit = false;
    for (size_t d = 0; d < n; d++)
      digit |= class_at(rest, prefix + d) == DIGIT;
    if (n < LEAST || !digit || is_placeholder(hm_str_sub(rest, prefix, prefix + n), true))
      continue;
    *out = (hm_credential){ shapes[k].what, hm_str_sub(rest, 0, prefix + n) };
    return true;
  }
  return false;
}

static bool is_hex_digit(hm_str s, size_t i) {
  return class_at(s, i) & DIGIT || (class_at(s, i) & ALNUM && (s.p[i] | 32) <= 'f');
}

/* Does an escape end before i, whose last letter or digit belongs to no word: "%20", "\n",
 * "\u0020"? */
static bool is_behind_escape(hm_str s, size_t i) {
  enum { PERCENT = 3, LETTER = 2, CODE = 6 };
  if (i >= PERCENT && s.p[i - PERCENT] == '%' && is_hex_digit(s, i - 2) && is_hex_digit(s, i - 1))
    return true;
  if (i >= LETTER && s.p[i - LETTER] == '\\' && strchr("abefnrtv0", s.p[i - 1]))
    return true;
  for (size_t k = 1; k < CODE - 1 && i >= CODE; k++)
    if (!is_hex_digit(s, i - k))
      return false;
  return i >= CODE && s.p[i - CODE] == '\\' && s.p[i - CODE + 1] == 'u';
}

static bool may_begin_here(hm_str s, size_t i) {
  return may_begin_shape(s, i) && (!i || !(class_at(s, i - 1) & ALNUM) || is_behind_escape(s, i));
}

static bool find_in_text(hm_str text, bool beginnings, hm_credential *out) {
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    if (may_begin_here(text, i) &&
        (find_shape(text, i, out) || (beginnings && find_beginning(text, i, out))))
      return true;
    if (class_at(text, i) & WORD)
      continue;
    if ((c == ':' || c == '=') && find_named(text, i, out))
      return true;
    if (i + 4 > text.n)
      continue;
    if (c == ':' && !memcmp(text.p + i, "://", 3) && find_in_address(text, i, out))
      return true;
    if (c == ' ' && !memcmp(text.p + i, " is ", 4) && find_named(text, i, out))
      return true;
  }
  return false;
}

bool hm_credential_find(hm_str name, hm_str text, hm_credential *out) {
  return (name.n && find_value(name_ending_at(name, name.n), text, out)) ||
      find_in_text(text, false, out);
}

/* --- addresses ------------------------------------------------------------------------------- */

/* True for "host", "host:22", "[::1]:22"; false for the rest of an unescaped password. */
static bool is_host(hm_str s) {
  const char *colon = s.n ? memrchr(s.p, ':', s.n) : NULL;
  for (size_t i = colon ? (size_t)(colon - s.p) + 1 : s.n; i < s.n; i++)
    if ((s.p[i] < '0' || s.p[i] > '9') && s.p[s.n - 1] != ']')
      return false;
  return true;
}

size_t hm_address_user_length(hm_str rest) {
  size_t end = 0, at = 0;
  for (; end < rest.n && !memchr("/?#", rest.p[end], 3); end++)
    if (rest.p[end] == '@')
      at = end + 1;
  if (at || is_host(hm_str_sub(rest, 0, end)))
    return at;
  const char *last = memrchr(rest.p, '@', rest.n);
  return last ? (size_t)(last - rest.p) + 1 : 0;
}

/* A word of a message without user and password. settings: the words are NAME=VALUE of one
 * connection. */
static void put_word(hm_buf *b, hm_str word, bool settings) {
  ptrdiff_t sep = hm_str_find(word, "://");
  if (sep >= 0) {
    hm_str rest = hm_str_sub(word, (size_t)sep + 3, word.n);
    hm_buf_add(b, word.p, (size_t)sep + 3);
    word = hm_str_sub(rest, hm_address_user_length(rest), rest.n);
  }
  for (size_t i = 0; i < word.n; i++) {
    hm_buf_ch(b, word.p[i]);
    settings = settings || (sep >= 0 && strchr("?&;", word.p[i]));
    if (word.p[i] != '=' || !settings || !name_ending_at(word, i))
      continue;
    hm_buf_c(b, "\u2026");
    while (i + 1 < word.n && !strchr("&;", word.p[i + 1]) &&
           !(i + 2 == word.n && word.p[i + 1] == ':'))
      i++;
  }
}

hm_str hm_address_hide_password(hm_str text, hm_arena *a) {
  hm_buf b = { 0 };
  bool settings = hm_str_find(text, "host=") >= 0 || hm_str_find(text, "dbname=") >= 0;
  if (!settings && hm_str_find(text, "://") < 0)
    return text;
  for (size_t i = 0, n; i < text.n; i += n) {
    for (n = 0; i + n < text.n && text.p[i + n] != ' ';)
      n++;
    put_word(&b, hm_str_sub(text, i, i + n), settings);
    for (; i + n < text.n && text.p[i + n] == ' '; n++)
      hm_buf_ch(&b, ' ');
  }
  return hm_buf_take(&b, a);
}

/* A part of a path that is long, hexadecimal or made as tokens are. */
static bool may_be_key(hm_str part) {
  enum { PART_MAX = 40, HEX_MIN = 16 };
  hm_credential found;
  return part.n > PART_MAX || (part.n >= HEX_MIN && is_hex(part)) ||
      find_value(IS_TOKEN, part, &found) || hm_credential_find(HM_EMPTY, part, &found);
}

hm_str hm_address_shown(hm_str url, hm_arena *a) {
  hm_buf b = { 0 };
  ptrdiff_t scheme = hm_str_find(url, "://");
  size_t from = scheme < 0 ? 0 : (size_t)scheme + 3, n;
  url.n = strcspn(hm_str_z(a, url), "?#");
  if (from > url.n)
    from = 0;
  hm_buf_add(&b, url.p, from);
  from += hm_address_user_length(hm_str_sub(url, from, url.n));
  for (size_t i = from; i < url.n; i += n) {
    for (n = 0; i + n < url.n && url.p[i + n] != '/';)
      n++;
    hm_str part = hm_str_sub(url, i, i + n);
    hm_buf_str(&b, i > from && may_be_key(part) ? HM_STR("\u2026") : part);
    for (; i + n < url.n && url.p[i + n] == '/'; n++)
      hm_buf_ch(&b, '/');
  }
  return hm_buf_take(&b, a);
}

/* --- words for people -------------------------------------------------------------------- */

static hm_str shown_head(hm_str secret) {
  enum { SHOWN = 4 };
  return hm_text_cut(secret, secret.n / 4 < SHOWN ? secret.n / 4 : SHOWN);
}

hm_str hm_credential_mask(const hm_credential *c, hm_arena *a) {
  hm_str head = shown_head(c->text);
  return hm_str_fmt(a, "%s, %.*s\u2026 of %zu characters", c->what, HM_FMT(head), c->text.n);
}

hm_str hm_credential_hide(hm_str text, hm_arena *a) {
  hm_credential c;
  hm_buf b = { 0 };
  text = hm_address_hide_password(text, a);
  if (!find_in_text(text, true, &c))
    return text;
  do {
    hm_buf_add(&b, text.p, (size_t)(c.text.p - text.p));
    hm_buf_str(&b, shown_head(c.text));
    hm_buf_c(&b, "\u2026");
    text = hm_str_sub(text, (size_t)(c.text.p - text.p) + c.text.n, text.n);
  } while (find_in_text(text, true, &c));
  hm_buf_str(&b, text);
  return hm_buf_take(&b, a);
}

hm_str hm_credential_redact_command(hm_str ref, hm_str field, hm_arena *a) {
  hm_str row = hm_shell_quote_word(a, ref, false),
         name = field.n ? hm_shell_quote_word(a, field, false) : HM_EMPTY;
  return hm_str_fmt(a, "hmirror redact %.*s%s%.*s --reason TEXT", HM_FMT(row),
                    field.n ? " --field " : "", HM_FMT(name));
}
