/* Guesses the format of a file that is not JSON Lines, by its beginning, and names the way to
 * import it.
 *
 * Used only after the first line of a stream has failed, so no readable file is refused because of
 * its form. Binary formats come first, by their magic numbers (as in file(1)); then texts, by the
 * first two lines. Other formats get no name.
 * Cost: the first HM_IMPORT_HEAD bytes. */
#include <string.h>

#include "core/base/shell.h"
#include "core/foreign/readers.h"

/* --- bytes --------------------------------------------------------------------------- */

#define AS_CSV "save the sheet as CSV (UTF-8), then: hmirror init --from sheet.csv mirror"
#define UNPACKED(command)                                                                          \
  "rows of another program: " command " FILE >rows && hmirror init --from rows mirror;"            \
  " records of hmirror's: " command " FILE | hmirror import --source NAME -"
#define FROM_UTF16 UNPACKED("iconv -f UTF-16 -t UTF-8")
#define NO_FACTS "give a file of records, one JSON object a line: {\"kind\":...}"

/* needs: text that must also be in the first bytes, or NULL. The first match counts. */
static const struct {
  size_t at;
  hm_str magic;
  const char *needs, *is, *way;
} magics[] = {
  { 0,
    { "SQLite format 3", 16 },
    NULL,
    "a SQLite file",
    "a store of another program: hmirror init --from FILE mirror; one of hmirror's: hmirror --store"
    " FILE export | hmirror import --source NAME -" },
  { 0, { "\177ELF", 4 }, NULL, "a program (ELF)", NO_FACTS },
  { 0, { "MZ", 2 }, "PE", "a program (Windows)", NO_FACTS },
  { 0, { "\037\213", 2 }, NULL, "compressed (gzip)", UNPACKED("gunzip -c") },
  { 0, { "BZh", 3 }, NULL, "compressed (bzip2)", UNPACKED("bunzip2 -c") },
  { 0, { "\3757zXZ", 6 }, NULL, "compressed (xz)", UNPACKED("xz -dc") },
  { 0, { "\050\265\057\375", 4 }, NULL, "compressed (zstd)", UNPACKED("zstd -dc") },
  { 0, { "PK\003\004", 4 }, "[Content_Types].xml", "an Office file (a spreadsheet?)", AS_CSV },
  { 0, { "PK\003\004", 4 }, "opendocument.", "an OpenDocument file (a spreadsheet?)", AS_CSV },
  { 0, { "PK\003\004", 4 }, NULL, "a zip archive", UNPACKED("unzip -p") },
  { 0, { "\320\317\021\340", 4 }, NULL, "an old Office file (a spreadsheet?)", AS_CSV },
  { 0, { "7z\274\257", 4 }, NULL, "a 7z archive", UNPACKED("7z x -so") },
  { 257, { "ustar", 5 }, NULL, "a tar archive", UNPACKED("tar -xOf") },
  { 0,
    { "PAR1", 4 },
    NULL,
    "a Parquet file",
    "write it as CSV, then: hmirror init --from rows.csv mirror" },
  { 0, { "%PDF-", 5 }, NULL, "a PDF", NO_FACTS },
  { 0, { "\211PNG", 4 }, NULL, "an image (PNG)", NO_FACTS },
  { 0, { "\377\330\377", 3 }, NULL, "an image (JPEG)", NO_FACTS },
  { 0, { "\377\376\0\0", 4 }, NULL, "UTF-32", UNPACKED("iconv -f UTF-32 -t UTF-8") },
  { 0, { "\0\0\376\377", 4 }, NULL, "UTF-32", UNPACKED("iconv -f UTF-32 -t UTF-8") },
  { 0, { "\377\376", 2 }, NULL, "UTF-16", FROM_UTF16 },
  { 0, { "\376\377", 2 }, NULL, "UTF-16", FROM_UTF16 },
  { 0, { "{\0", 2 }, NULL, "UTF-16", UNPACKED("iconv -f UTF-16LE -t UTF-8") },
  { 0, { "\0{", 2 }, NULL, "UTF-16", UNPACKED("iconv -f UTF-16BE -t UTF-8") },
};

/* --- texts --------------------------------------------------------------------------- */

/* The name, and the first two lines that are not blank, without the white space around them. */
typedef struct {
  hm_str name, first, second;
} opening;

static hm_str next_text(hm_str *rest) {
  hm_str line = HM_EMPTY;
  while (rest->n && !line.n)
    line = hm_str_trim(hm_str_next_line(rest));
  return line;
}

static bool begins_with_any(hm_str s, const char *bytes) {
  return s.n && s.p[0] && strchr(bytes, s.p[0]);
}

static bool is_array(const opening *o) { return begins_with_any(o->first, "["); }

/* An object that goes on in the second line; a record that was cut is followed by another. */
static bool is_spread(const opening *o) {
  return begins_with_any(o->first, "{") && begins_with_any(o->second, "\"}]{") &&
      (o->first.n == 1 || o->second.p[0] != '{');
}

/* JSON that was written as JSON once more. */
static bool is_quoted(const opening *o) { return hm_str_starts(o->first, "\"{\\"); }

static bool is_markup(const opening *o) {
  return hm_str_starts(o->first, "<?xml") || hm_str_starts(o->first, "<!") ||
      (begins_with_any(o->first, "<") && o->first.p[o->first.n - 1] == '>');
}

/* Its front matter looks like YAML, which its text is not. */
static bool is_markdown(const opening *o) {
  return hm_str_ends(o->name, ".md") && !begins_with_any(o->first, "{[");
}

/* "---", "- item", "key:" or "key: value", with a key of one word. */
static bool is_yaml(const opening *o) {
  hm_str s = o->first;
  size_t n = 0;
  if (hm_str_is(s, "---") || hm_str_starts(s, "%YAML") || hm_str_starts(s, "- "))
    return true;
  while (n < s.n && s.p[n] && !strchr(": \t,;{[\"'", s.p[n]))
    n++;
  return n && n < s.n && s.p[n] == ':' && (n + 1 == s.n || s.p[n + 1] == ' ');
}

static size_t count_byte(hm_str s, char c) {
  size_t n = 0;
  for (size_t i = 0; i < s.n; i++)
    n += s.p[i] == c;
  return n;
}

/* One of the names between the separators is a key of a record. */
static bool names_key(hm_str header, char separator) {
  for (size_t from = 0, i = 0; i <= header.n; i++) {
    if (i < header.n && header.p[i] != separator)
      continue;
    hm_str name = hm_str_trim(hm_str_sub(header, from, i));
    if (name.n > 1 && name.p[0] == '"')
      name = hm_str_sub(name, 1, name.n - 1);
    for (int k = 0; k < HM_N_KINDS; k++)
      if (hm_field_of_key(&hm_kinds[k], name) >= 0)
        return true;
    from = i + 1;
  }
  return false;
}

/* A header that names keys, or two lines with equally many separators; prose has one or two, each
 * with a space behind it. */
static bool is_table(const opening *o) {
  static const char separators[] = ",;\t";
  if (begins_with_any(o->first, "{[<#"))
    return false;
  for (const char *c = separators; *c; c++) {
    size_t n = count_byte(o->first, *c);
    const char spaced[] = { *c, ' ', 0 };
    bool header = n > 2 || hm_str_find(o->first, spaced) < 0;
    if (n && (names_key(o->first, *c) || (header && count_byte(o->second, *c) == n)))
      return true;
  }
  return false;
}

static const struct {
  bool (*fits)(const opening *o);
  const char *is, *way;
} texts[] = {
  { is_array, "a JSON array", UNPACKED("jq -c '.[]'") },
  { is_spread, "JSON over several lines", UNPACKED("jq -c .") },
  { is_quoted, "JSON in a text of JSON",
    "jq -r . FILE >rows.json && hmirror init --from rows.json mirror" },
  { is_markup, "XML or HTML", NO_FACTS },
  { is_markdown, "Markdown", NO_FACTS },
  { is_yaml, "YAML", "hmirror init --from FILE mirror" },
  { is_table, "CSV",
    "rows of another program: hmirror init --from FILE mirror; records of one layer: hmirror import"
    " --csv LAYER FILE, of memory, entity, project_state, relation or project" },
};

/* What an end of a name says, once the bytes said nothing. */
static const struct {
  const char *end, *is;
} ends[] = {
  { ".csv", "CSV" },   { ".tsv", "CSV" },         { ".yml", "YAML" },
  { ".yaml", "YAML" }, { ".xml", "XML or HTML" }, { ".html", "XML or HTML" },
};

static const char *by_name(hm_str name) {
  for (size_t i = 0; i < HM_COUNT(ends); i++)
    if (hm_str_ends(name, ends[i].end))
      return ends[i].is;
  return "";
}

bool hm_format_guess(hm_str name, hm_str head, const char **is, const char **way) {
  for (size_t i = 0; i < HM_COUNT(magics); i++) {
    hm_str there = hm_str_sub(head, magics[i].at, magics[i].at + magics[i].magic.n);
    if (!hm_str_eq(there, magics[i].magic))
      continue;
    if (magics[i].needs && hm_str_find(head, magics[i].needs) < 0)
      continue;
    *is = magics[i].is;
    *way = magics[i].way;
    return true;
  }
  hm_str rest = head;
  if (hm_str_starts(rest, "\xEF\xBB\xBF"))
    rest = hm_str_sub(rest, 3, rest.n);
  opening o = { .name = name, .first = next_text(&rest) };
  o.second = next_text(&rest);
  bool found = false, json = begins_with_any(o.first, "{[");
  for (size_t i = 0; i < HM_COUNT(texts) && !found; i++)
    found = texts[i].fits(&o);
  for (size_t i = 0; i < HM_COUNT(texts) && o.first.n; i++) {
    if (found ? !texts[i].fits(&o) : json || strcmp(texts[i].is, by_name(name)))
      continue;
    *is = texts[i].is;
    *way = texts[i].way;
    return true;
  }
  return false;
}

hm_str hm_format_fill(hm_arena *a, const char *way, hm_str path) {
  hm_buf b = { 0 };
  hm_str rest = hm_str_c(way), last = path;
  if (!path.n || hm_str_is(path, "-"))
    return rest;
  for (size_t i = 0; i < path.n; i++)
    if (path.p[i] == '/')
      last = hm_str_sub(path, i + 1, path.n);
  while (rest.n) {
    bool file = hm_str_starts(rest, "FILE"), name = hm_str_starts(rest, "NAME");
    bool begins = !b.n || b.p[b.n - 1] == ' ';
    if (begins && (file || name)) {
      hm_buf_str(&b, hm_shell_quote_word(a, file ? path : last, false));
      rest = hm_str_sub(rest, 4, rest.n);
    } else {
      hm_buf_ch(&b, rest.p[0]);
      rest = hm_str_sub(rest, 1, rest.n);
    }
  }
  return hm_buf_take(&b, a);
}
