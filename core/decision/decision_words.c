/* Dates, words of other languages, and names of records; what is to be filled in; what stands below
 * a heading. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/time_text.h"
#include "core/decision/decision_impl.h"

#define IS_KEY(s, list) hm_decision_is_any(s, list, HM_COUNT(list))

bool hm_decision_is_any(hm_str s, const char *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (hm_str_is(s, list[i]))
      return true;
  return false;
}

/* "26/03/2018" and "3/26/2018", where only one order of day and month can be meant; else empty. */
static hm_str read_day_month_year(hm_arena *a, hm_str s) {
  unsigned n[3] = { 0, 0, 0 };
  size_t i = 0;
  for (int k = 0; k < 3; k++) {
    size_t end = hm_skip_digits(s, i);
    size_t digits = end - i;
    if (k < 2 ? digits < 1 || digits > 2 || !(hm_char_at(s, end, '/') || hm_char_at(s, end, '.'))
              : digits != 4 || end != s.n)
      return HM_EMPTY;
    for (; i < end; i++)
      n[k] = n[k] * 10 + (unsigned)(s.p[i] - '0');
    i = end + 1;
  }
  unsigned day = n[0] > 12 ? n[0] : n[1], month = n[0] > 12 ? n[1] : n[0];
  if (day <= 12 || day > 31 || !month || month > 12)
    return HM_EMPTY;
  return hm_str_fmt(a, "%04u-%02u-%02u", n[2], month, day);
}

hm_str hm_decision_read_date(hm_arena *a, hm_str s) {
  hm_time_text t;
  hm_str iso = hm_time_find_date(s), either;
  if (iso.n)
    return iso;
  s = hm_str_trim(s);
  either = read_day_month_year(a, s);
  if (either.n)
    return either;
  if (s.n == sizeof "2020-Nov-09" - 1 && s.p[4] == '-' && s.p[8] == '-' && hm_is_letter(s.p[5])) {
    hm_str turned = HM_CAT(a, hm_str_sub(s, 9, 11), HM_STR(" "), hm_str_sub(s, 5, 8), HM_STR(" "),
                           hm_str_sub(s, 0, 4));
    if (hm_time_text_parse(turned, &t) && t.is_date && t.precision == HM_P_DAY)
      return hm_str_sub(hm_time_iso(a, t.first), 0, 10);
  }
  if (s.n == 8 && hm_skip_digits(s, 0) == 8)
    return HM_CAT(a, hm_str_sub(s, 0, 4), HM_STR("-"), hm_str_sub(s, 4, 6), HM_STR("-"),
                  hm_str_sub(s, 6, 8));
  if (s.n == 10 && (s.p[4] == '/' || s.p[4] == '.') && s.p[7] == s.p[4]) {
    hm_str with = HM_CAT(a, hm_str_sub(s, 0, 4), HM_STR("-"), hm_str_sub(s, 5, 7), HM_STR("-"),
                         hm_str_sub(s, 8, 10));
    if (hm_time_is_date(with))
      return with;
  }
  bool read = hm_time_text_parse(s, &t) && t.is_date && !t.is_range && !t.about;
  return read && t.precision == HM_P_DAY ? hm_str_sub(hm_time_iso(a, t.first), 0, 10) : s;
}

hm_str hm_decision_in_english(hm_str word) {
  static const struct {
    const char *words[12], *english;
  } all[] = {
    { { "accept", "accettato", "aceito", "aceptada", "aceptado", "akzeptiert", "angenommen",
        "aprobada", "aprobado", "aprovado", "beschlossen", "geaccepteerd" },
      "accepted" },
    { { "propos", "propuesta", "propuesto", "proposto", "voorgesteld", "vorgeschlagen" },
      "proposed" },
    { { "abgelehnt", "afgewezen", "rechazada", "rechazado", "refus", "rejeitado", "rejet",
        "rifiutato", "verworfen" },
      "rejected" },
    { { "abgel", "ersetzt", "reemplazada", "reemplazado", "remplac", "sostituito", "vervangen" },
      "superseded" },
    { { "entwurf", "borrador", "brouillon" }, "draft" },
    { { "estado", "stato", "statut", "zustand" }, "status" },
    { { "datum", "fecha" }, "date" },
    { { "ersetzt durch", "reemplazado por", "remplac\u00E9 par" }, "superseded by" },
  };
  for (size_t i = 0; i < HM_COUNT(all); i++)
    for (size_t k = 0; k < HM_COUNT(all[i].words) && all[i].words[k]; k++)
      if (hm_str_is(word, all[i].words[k]))
        return hm_str_c(all[i].english);
  return word;
}

bool hm_decision_in_folder(hm_str low) {
  static const char *const folders[] = { "adr",
                                         "adrs",
                                         "decisions",
                                         "decision-record",
                                         "decision-records",
                                         "architecture-decision-record",
                                         "architecture-decisions",
                                         "architecture_decisions",
                                         "architecture-decision-records",
                                         "decision-log",
                                         "decision",
                                         "rfc",
                                         "rfcs" };
  for (size_t i = 0, from = 0; i < low.n; i++) {
    if (low.p[i] != '/')
      continue;
    if (IS_KEY(hm_str_sub(low, from, i), folders))
      return true;
    from = i + 1;
  }
  return false;
}

bool hm_decision_is_no_record(hm_str name) {
  static const char *const names[] = { "readme.md",       "index.md",        "template.md",
                                       "adr-template.md", "rfc-template.md", "_template.md",
                                       "agents.md",       "claude.md" };
  if (IS_KEY(name, names))
    return true;
  /* "0000-template.md", "adr-template-bare.md", but not "0010-django-templates.md" */
  ptrdiff_t at = hm_str_find(name, "template");
  bool begins = at >= 0;
  for (ptrdiff_t i = 0; i < at && begins; i++)
    begins = hm_is_digit(name.p[i]) || strchr("ladrfc-_", name.p[i]);
  return begins || hm_str_ends(name, "-0000-template.md");
}

hm_str hm_decision_title_of_name(hm_arena *a, hm_str name, hm_str number) {
  size_t from = number.n ? (size_t)(number.p + number.n - name.p) : 0, end = name.n;
  while (from < name.n && !hm_is_letter(name.p[from]))
    from++;
  if (hm_str_ends(name, ".md"))
    end -= 3;
  char *words = hm_str_z(a, hm_str_sub(name, from, end > from ? end : from));
  for (char *p = words; *p; p++)
    if (*p == '-' || *p == '_')
      *p = ' ';
  return hm_str_c(words);
}

bool hm_decision_is_template(const hm_decision *d) {
  hm_str s = d->status.text, t = d->title.text;
  bool choice = s.n && memchr(s.p, '|', s.n) && !memchr(s.p, '(', s.n);
  return choice || hm_str_starts(s, "{") || hm_str_starts(t, "{") || hm_str_starts(t, "<") ||
      (hm_str_starts(t, "[") && hm_str_ends(t, "]"));
}

bool hm_decision_holds(const hm_document *doc, uint32_t heading, size_t i) {
  uint32_t h = doc->parts[i].heading;
  while (h != HM_DOC_NONE && h != heading)
    h = doc->parts[h].heading;
  return heading != HM_DOC_NONE && h == heading;
}
