/* Settings in blocks of code: "SESSION_TTL=15m". One is claimed where its value is an amount, since
 * addresses and names in examples are anybody's, or where it is said to be the default; a port as
 * that of what the key names (ports.c). */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/passage/passage_impl.h"

/* "KEY=value" and "KEY: value", KEY in capitals. Not "export KEY=value", which whoever runs it
 * sets. */
static bool read_setting(hm_str line, hm_str *key, hm_str *value) {
  static const char *const leads[] = { "- ", "ENV ", "ARG " };
  line = hm_str_trim(line);
  for (size_t i = 0; i < HM_COUNT(leads); i++)
    if (hm_str_starts(line, leads[i]))
      line = hm_str_trim(hm_str_sub(line, strlen(leads[i]), line.n));
  size_t n = 0;
  while (
      n < line.n &&
      ((line.p[n] >= 'A' && line.p[n] <= 'Z') || line.p[n] == '_' || (n && hm_is_digit(line.p[n]))))
    n++;
  bool sign =
      hm_char_at(line, n, '=') || (hm_char_at(line, n, ':') && hm_char_at(line, n + 1, ' '));
  if (n < 2 || !sign)
    return false;
  *key = hm_str_sub(line, 0, n);
  hm_str v = hm_str_trim(hm_str_sub(line, n + 1, line.n));
  for (size_t i = 1; i < v.n; i++)
    if (v.p[i] == '#' && hm_is_space(v.p[i - 1]))
      v = hm_str_trim(hm_str_sub(v, 0, i));
  if (v.n > 1 && (v.p[0] == '"' || v.p[0] == '\'') && v.p[v.n - 1] == v.p[0])
    v = hm_str_sub(v, 1, v.n - 1);
  *value = v;
  bool quoted = v.n && v.p + v.n < line.p + line.n && strchr("\"'", v.p[v.n]);
  return v.n && (quoted || !memchr(v.p, ' ', v.n)); /* "PORT=9090 make run" sets it for once */
}

/* "15m", "100", "0.5". */
static bool is_amount(hm_str v) {
  size_t i = hm_skip_digits(v, 0);
  if (!i)
    return false;
  if (hm_char_at(v, i, '.'))
    i = hm_skip_digits(v, i + 1);
  size_t unit = i;
  while (hm_letter_at(v, i))
    i++;
  return i == v.n && i - unit <= 3;
}

/* "USE_CACHE=1  # Enable the cache": how to turn it on or off, whatever it is. */
static bool is_switched(hm_str value, hm_str low, hm_arena *a) {
  static const char verbs[] = "activate|bypass|deactivate|disable|disables|enable|enables|skip|"
                              "skips|turn";
  ptrdiff_t comment = hm_str_find(low, " #");
  if (comment < 0 || !(hm_str_is(value, "0") || hm_str_is(value, "1")))
    return false;
  note_words w = note_split(hm_str_sub(low, (size_t)comment, low.n), a);
  return note_any_word_in(&w, verbs);
}

/* "deploy_ray_cluster.md", "deployment.md": settings for one way to run it. */
static bool is_of_deployment(const note_context *c, hm_arena *a) {
  note_words w = note_split_name(hm_str_behind_last(c->file->path, '/'), a);
  return note_any_word_in(&w, "deploy|deploying|deployment|production");
}

/* Is the line in a block for a folder, as its lead or a comment above it says: "`backend/.env`:"?
 */
static bool is_of_folder(const note_context *c, const hm_doc_part *p) {
  enum { NEAR = 40 };
  hm_str lead = note_lead_of(c->doc, (uint32_t)(p - c->doc->parts));
  const hm_doc_part *end = p;
  for (; p > c->doc->parts && end - p < NEAR && p[-1].block == p->block; p--)
    if (hm_str_starts(p[-1].text, "#") && memchr(p[-1].text.p, '/', p[-1].text.n))
      return true;
  return lead.n && memchr(lead.p, '/', lead.n);
}

/* "PORT=3000" of nobody by name is, in a block that is called one of settings, a setting of the
 * whole. */
static void claim_port_of_whole(note_claims *out, const note_context *c, const hm_doc_part *p,
                                hm_str port) {
  hm_str scope = c->scope, page = note_page_of_part(c, out->a);
  if (is_of_deployment(c, out->a))
    scope = HM_CAT(out->a, scope, HM_STR("deployed "));
  bool named = !hm_str_ends(c->file->path, ".md") || note_is_page_of_whole(c->file->path, out->a);
  bool settings = named && !note_is_shell(p->language, out->a);
  bool whole = !c->file->library && !c->file->series && !c->file->component.n;
  if (settings && whole && !is_of_folder(c, p))
    note_claims_add(out, HM_CAT(out->a, scope, page, HM_STR(" port setting")), port, NOTE_SETTING);
}

static void claim_setting(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str key,
                          hm_str value) {
  static const char bare[] =
      "app_port|debug|env|host|http_port|log_level|max_size|port|server_port|timeout|version|"
      "workers";
  static const char roles[] = "admin|api|app|auth|backend|client|dashboard|frontend|gateway|server|"
                              "service|web|website|worker|ws";
  static const char foreign[] = "callback|cors|example|origin|origins|proxy|redirect|test|webhook";
  hm_arena *a = out->a;
  hm_str low = note_lower(key, a), folder = c->file->component;
  size_t at;
  bool role = false;
  for (size_t from = 0, i = 0; i <= low.n; i++) {
    if (i < low.n && low.p[i] != '_')
      continue;
    if (note_word_in(hm_str_sub(low, from, i), foreign))
      return;
    role |= note_word_in(hm_str_sub(low, from, i), roles);
    from = i + 1;
  }
  bool is_bare = note_word_in(low, bare);
  hm_str owner = is_bare ? (c->part.n ? c->part : note_component_name(folder, a)) : HM_EMPTY;
  bool port_key = hm_str_is(low, "port") || hm_str_ends(low, "_port");
  hm_str port = port_key ? note_port_at(value) : note_port_in(value, &at, a);
  if (port.n && !is_bare && (c->file->library || !(port_key || role)))
    return; /* of something else, in what shows how to use it; or of nobody knows which part */
  if (port.n && hm_str_is(low, "port") && !owner.n) {
    claim_port_of_whole(out, c, p, port);
    return;
  }
  if (port.n) {
    note_port_add(out, c, is_bare ? owner : note_component_name(key, a), port);
    return;
  }
  if (is_bare ? !owner.n : !memchr(key.p, '_', key.n)) /* "LAT", anybody's */
    return;
  static const char places[] = "currency|locale|region|timezone|tz|zone";
  if (note_word_in(hm_str_behind_last(low, '_'), places) && memchr(low.p, '_', low.n)) {
    note_named_value_read(out, c, NULL, key, value);
    return;
  }
  if (!is_amount(value)) /* a switch is shown in both of its states */
    return;
  note_context shown = *c;
  hm_str page = note_page_of_part(c, a); /* "docs/laravel.md": how it is used with that */
  if (is_of_deployment(c, a))
    shown.scope = HM_CAT(a, c->scope, HM_STR("deployed "));
  else if (page.n)
    shown.scope = HM_CAT(a, c->scope, page, HM_STR(" "));
  if (is_bare)
    note_claims_add(out, HM_CAT(a, shown.scope, owner, HM_STR(" "), key), value, NOTE_SETTING);
  else
    note_named_value_read(out, &shown, NULL, key, value);
}

/* Says the comment that what is below it holds unless somebody sets another: "# defaults, uncomment
 * to change", "# on by default"? value: of the setting, in small letters, which it must not
 * deny. */
static bool tells_default(hm_str comment, hm_str value, hm_arena *a) {
  static const char others[] = "but|change|differs|from|instead|lower|more|not|other|override|"
                               "overrides|quiet|raise|than|was";
  static const char on[] = "enabled|on|true", off[] = "disabled|false|off";
  note_words w = note_split(note_lower(comment, a), a);
  bool said = false;
  for (size_t i = 0; i < w.n; i++) {
    bool word = note_word_in(w.w[i].low, "default|defaults");
    bool number = hm_text_has_digit(w.w[i].s) && !hm_str_eq(w.w[i].low, value);
    if (number || (!said && note_word_in(w.w[i].low, others)))
      return false;
    bool state = word && i > 1 && hm_str_is(w.w[i - 1].low, "by");
    bool denied = state &&
        ((note_word_in(w.w[i - 2].low, on) && !note_word_in(value, on)) ||
         (note_word_in(w.w[i - 2].low, off) && !note_word_in(value, off)));
    if (denied)
      return false;
    said |= word;
  }
  return said;
}

/* Is it said of the line of code that it shows a default: by the comment behind it, by the nearest
 * one above it in its block that is no setting, or by its heading? */
static bool is_default(const note_context *c, const hm_doc_part *p, hm_str low, hm_str set,
                       hm_arena *a) {
  enum { NEAR = 40 };
  hm_str key, value, above = HM_EMPTY;
  ptrdiff_t behind = hm_str_find(low, " #");
  if (behind > 0)
    return tells_default(hm_str_sub(low, (size_t)behind, low.n), note_lower(set, a), a);
  const hm_doc_part *at = p;
  for (size_t i = 0; i < NEAR && !above.n && at > c->doc->parts && at[-1].block == p->block; i++) {
    at--;
    hm_str line = hm_str_trim(at->text);
    bool comment = hm_str_starts(line, "#");
    if (comment && !read_setting(hm_str_trim(hm_str_sub(line, 1, line.n)), &key, &value))
      above = line;
  }
  return above.n ? tells_default(above, note_lower(set, a), a)
                 : note_tells_defaults(c->doc, p->heading, a);
}

/* "TTL=600  # default 300", "TTL=600  # raised from 300": what somebody chose in place of what
 * holds. low: the line in small letters. */
static bool is_chosen(hm_str value, hm_str low, hm_arena *a) {
  static const char changed[] = "changed|increased|instead|lowered|override|overridden|overrides|"
                                "raised|reduced|was";
  ptrdiff_t behind = hm_str_find(low, " #");
  note_words w = note_split(behind < 0 ? HM_EMPTY : hm_str_sub(low, (size_t)behind, low.n), a);
  bool said = note_any_word_in(&w, "default|defaults");
  bool other =
      said && !tells_default(hm_str_sub(low, (size_t)behind, low.n), note_lower(value, a), a);
  return other || note_any_word_in(&w, changed);
}

/* "Raise the cap or disable it:", "Set it to 0 to suppress the header:" above the block of the
 * line: what somebody may choose. */
static bool is_advised(const note_context *c, const hm_doc_part *p, hm_arena *a) {
  static const char changes[] = "disable|increase|lower|override|raise|reduce|suppress|tune";
  enum { LINES = 500 };
  for (size_t i = 0; i < LINES && p > c->doc->parts && p[-1].block == p->block; i++)
    p--;
  note_words w = note_split(note_lead_of(c->doc, (uint32_t)(p - c->doc->parts)), a);
  return note_any_word_in(&w, changes);
}

/* A line of a block of settings: "TTL=15m", and where defaults are shown "# TTL=15m". */
static bool read_line(note_claims *out, const note_context *c, const hm_doc_part *p, hm_str text) {
  static const char *const leads[] = { "# ", "export " };
  hm_str key, value, low = note_lower(text, out->a), line = hm_str_trim(text);
  bool led = false;
  for (size_t i = 0; i < HM_COUNT(leads) && !led; i++) {
    led = hm_str_starts(line, leads[i]);
    line = led ? hm_str_trim(hm_str_sub(line, strlen(leads[i]), line.n)) : line;
  }
  if (!read_setting(line, &key, &value))
    return false;
  bool shown = hm_str_eq(key, c->subject); /* below its own name it shows how to set it */
  if (is_chosen(value, low, out->a) || is_advised(c, p, out->a))
    return true;
  if (memchr(key.p, '_', key.n) && is_default(c, p, low, value, out->a))
    note_default_claim(out, c, key, value); /* "LOG_LEVEL=info  # the default" */
  else if (!led && !shown && !is_switched(value, low, out->a))
    claim_setting(out, c, p, key, value);
  return !led;
}

void note_settings_read(note_claims *out, const note_context *c, const hm_doc_part *p,
                        hm_str text) {
  hm_str low = note_lower(text, out->a);
  note_context dev = *c;
  if (hm_str_find(low, "dev server") >= 0 || hm_str_find(low, "development server") >= 0) {
    dev.scope = HM_CAT(out->a, HM_STR("dev "), c->scope);
    c = &dev;
  }
  if (p->kind == HM_DOC_CODE && c->file->trial)
    return;
  bool settings = p->kind == HM_DOC_CODE && note_holds_settings(p->language, out->a);
  if (settings && read_line(out, c, p, text))
    return;
  if (p->kind == HM_DOC_CODE)
    note_ports_read_line(out, c, p, text);
  else
    note_ports_read(out, c, p, text);
}
