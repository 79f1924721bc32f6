/* The table of words in names of slots, and the readings that each supports.
 *
 * Add a word as a row. Cost: a binary search for one or two words of a name. */
#include "core/value/slot_reading.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"

enum {
  VERSION = HM_READ_VERSION,
  DURATION = HM_READ_DURATION,
  LENGTH = HM_READ_LENGTH,
  TEMPERATURE = HM_READ_TEMPERATURE,
  CHARGE = HM_READ_CHARGE,
  FORMULA = HM_READ_FORMULA,
  CODE = HM_READ_CODE,
  UNIT = HM_READ_UNIT,
  SHARE = HM_READ_SHARE,
  PROCESSORS = HM_READ_PROCESSORS,
  BYTES = HM_READ_BYTES,
  MODE = HM_READ_MODE,
  COLOUR = HM_READ_COLOUR,
  PATH = HM_READ_PATH,
  ADDRESS = HM_READ_ADDRESS,
  PHONE = HM_READ_PHONE,
  GROUPED = HM_READ_GROUPED,
  PLACE = HM_READ_PLACE,
  TOWN = HM_READ_TOWN,
  ROLE = HM_READ_ROLE,
  SEX = HM_READ_SEX,
  YEAR = HM_READ_YEAR
};

typedef struct {
  const char *word;
  hm_reading supports;
} slot_word;

/* Sorted. Products (languages, runtimes, databases, systems) are slots of versions. */
/* clang-format off */
static const slot_word words[] = {
  { "accuracy", SHARE }, { "acid", FORMULA }, { "address", ADDRESS | PLACE }, { "age", DURATION },
  { "alpine", VERSION }, { "altitude", LENGTH }, { "ambient", TEMPERATURE }, { "analyte", FORMULA },
  { "android", VERSION }, { "anion", FORMULA }, { "ansible", VERSION }, { "background", COLOUR },
  { "backoff", DURATION }, { "baseurl", ADDRESS }, { "bash", VERSION }, { "birthplace", PLACE },
  { "born", YEAR }, { "broker", ADDRESS }, { "buffer", BYTES }, { "built", YEAR },
  { "bun", VERSION }, { "cable", LENGTH }, { "cassandra", VERSION }, { "catalyst", FORMULA },
  { "cation", FORMULA }, { "cell", PHONE }, { "centos", VERSION }, { "charge", CHARGE },
  { "chmod", MODE }, { "city", TOWN }, { "clang", VERSION }, { "clickhouse", VERSION },
  { "cmake", VERSION }, { "color", COLOUR }, { "colors", COLOUR }, { "colour", COLOUR },
  { "colours", COLOUR }, { "completeness", SHARE }, { "completion", SHARE },
  { "compound", FORMULA }, { "confidence", SHARE }, { "cooldown", DURATION },
  { "core", PROCESSORS }, { "cores", PROCESSORS }, { "coulomb", CHARGE }, { "country", TOWN },
  { "coverage", SHARE }, { "cpu", PROCESSORS }, { "cpus", PROCESSORS }, { "cuda", VERSION },
  { "cwd", PATH }, { "deadline", DURATION }, { "debian", VERSION }, { "debounce", DURATION },
  { "delay", DURATION }, { "deno", VERSION }, { "depth", LENGTH }, { "destination", PLACE },
  { "diameter", LENGTH }, { "died", YEAR }, { "dir", PATH }, { "directory", PATH },
  { "discount", SHARE }, { "disk", BYTES }, { "distance", LENGTH }, { "django", VERSION },
  { "docker", VERSION }, { "domain", ADDRESS }, { "dopant", FORMULA }, { "dotnet", VERSION },
  { "downtime", DURATION }, { "duration", DURATION }, { "ean", GROUPED },
  { "elasticsearch", VERSION }, { "element", FORMULA }, { "elements", FORMULA },
  { "elevation", LENGTH }, { "elixir", VERSION }, { "endpoint", ADDRESS }, { "endpoints", ADDRESS },
  { "entrypoint", PATH }, { "erlang", VERSION }, { "established", YEAR }, { "etcd", VERSION },
  { "expiration", DURATION }, { "expiry", DURATION }, { "fax", PHONE }, { "fedora", VERSION },
  { "file", PATH }, { "flask", VERSION }, { "folder", PATH }, { "foreground", COLOUR },
  { "formula", FORMULA }, { "founded", YEAR }, { "fraction", SHARE }, { "gas", FORMULA },
  { "gcc", VERSION }, { "gender", SEX }, { "git", VERSION }, { "glibc", VERSION },
  { "go", VERSION }, { "golang", VERSION }, { "grace", DURATION }, { "gradle", VERSION },
  { "grafana", VERSION }, { "hash", CODE }, { "haskell", VERSION }, { "headquarters", PLACE },
  { "heap", BYTES }, { "heartbeat", DURATION }, { "height", LENGTH }, { "home", PATH | PLACE },
  { "hometown", PLACE }, { "hose", LENGTH }, { "host", ADDRESS }, { "hostname", ADDRESS },
  { "hotline", PHONE }, { "hq", PLACE }, { "hue", COLOUR }, { "humidity", SHARE },
  { "iban", GROUPED }, { "id", CODE }, { "identifier", CODE }, { "ids", CODE }, { "imei", GROUPED },
  { "interval", DURATION }, { "ion", FORMULA }, { "isbn", GROUPED }, { "issn", GROUPED },
  { "java", VERSION }, { "jdk", VERSION }, { "job", ROLE }, { "julia", VERSION },
  { "k8s", VERSION }, { "kafka", VERSION }, { "keepalive", DURATION }, { "kernel", VERSION },
  { "key", CODE }, { "kotlin", VERSION }, { "kubernetes", VERSION }, { "laravel", VERSION },
  { "latency", DURATION }, { "lease", DURATION }, { "length", LENGTH }, { "lifetime", DURATION },
  { "link", ADDRESS }, { "linux", VERSION }, { "llvm", VERSION }, { "location", PLACE },
  { "lua", VERSION }, { "macos", VERSION }, { "margin", SHARE }, { "mariadb", VERSION },
  { "maven", VERSION }, { "melting", TEMPERATURE }, { "memcached", VERSION }, { "memory", BYTES },
  { "mobile", PHONE }, { "mode", MODE }, { "molecule", FORMULA }, { "mongo", VERSION },
  { "mongodb", VERSION }, { "mysql", VERSION }, { "nginx", VERSION }, { "node", VERSION },
  { "nodejs", VERSION }, { "nonce", CODE }, { "npm", VERSION }, { "numpy", VERSION },
  { "ocaml", VERSION }, { "occupancy", SHARE }, { "occupation", ROLE }, { "office", TOWN },
  { "openssl", VERSION }, { "oracle", VERSION }, { "origin", ADDRESS | PLACE },
  { "oxide", FORMULA }, { "pandas", VERSION }, { "path", PATH }, { "paths", PATH },
  { "percent", SHARE }, { "percentage", SHARE }, { "period", DURATION }, { "perl", VERSION },
  { "permission", MODE }, { "permissions", MODE }, { "phone", PHONE }, { "php", VERSION },
  { "pip", VERSION }, { "place", PLACE }, { "pnpm", VERSION }, { "polling", DURATION },
  { "portion", SHARE }, { "position", ROLE }, { "postgres", VERSION }, { "postgresql", VERSION },
  { "precision", SHARE }, { "probability", SHARE }, { "processor", PROCESSORS },
  { "processors", PROCESSORS }, { "profession", ROLE }, { "prometheus", VERSION },
  { "proportion", SHARE }, { "proxy", ADDRESS }, { "python", VERSION }, { "pytorch", VERSION },
  { "rabbitmq", VERSION }, { "radius", LENGTH }, { "rails", VERSION }, { "ram", BYTES },
  { "range", LENGTH }, { "ratio", SHARE }, { "reagent", FORMULA },
  { "recall", SHARE }, { "redis", VERSION }, { "refresh", DURATION }, { "region", TOWN },
  { "residence", PLACE }, { "retention", DURATION }, { "rhel", VERSION }, { "role", ROLE },
  { "rotation", DURATION }, { "rtt", DURATION }, { "ruby", VERSION }, { "rust", VERSION },
  { "salt", FORMULA }, { "scala", VERSION }, { "server", ADDRESS }, { "setpoint", TEMPERATURE },
  { "sex", SEX }, { "share", SHARE }, { "site", TOWN }, { "sku", CODE }, { "slug", CODE },
  { "solvent", FORMULA }, { "span", LENGTH }, { "spring", VERSION }, { "sqlite", VERSION },
  { "storage", BYTES }, { "swap", BYTES }, { "swift", VERSION }, { "tel", PHONE },
  { "telephone", PHONE }, { "temp", TEMPERATURE }, { "temperature", TEMPERATURE },
  { "temperatures", TEMPERATURE }, { "tensorflow", VERSION }, { "terraform", VERSION },
  { "thermostat", TEMPERATURE }, { "thickness", LENGTH }, { "timeout", DURATION },
  { "tint", COLOUR }, { "token", CODE }, { "town", TOWN }, { "ttl", DURATION },
  { "typescript", VERSION }, { "ubuntu", VERSION }, { "uid", CODE }, { "umask", MODE },
  { "unit", UNIT }, { "units", UNIT }, { "upstream", ADDRESS }, { "uptime", DURATION | SHARE },
  { "uri", ADDRESS }, { "url", ADDRESS }, { "urls", ADDRESS }, { "utilisation", SHARE },
  { "utilization", SHARE }, { "uuid", CODE }, { "vcpu", PROCESSORS }, { "vcpus", PROCESSORS },
  { "venue", PLACE }, { "version", VERSION }, { "versions", VERSION },
  { "vintage", YEAR }, { "wait", DURATION }, { "webhook", ADDRESS },
  { "website", ADDRESS }, { "whatsapp", PHONE }, { "width", LENGTH }, { "workdir", PATH },
  { "yarn", VERSION }, { "year", YEAR }, { "years", YEAR }, { "yield", SHARE }, { "zig", VERSION },
};
/* clang-format on */

/* What stands behind such a word and says nothing of the reading; sorted. */
static const char *const behind[] = {
  "actual",  "average", "avg", "cap",     "ceiling", "current", "default",   "goal",    "hot",
  "hours",   "limit",   "max", "maximum", "mean",    "min",     "minimum",   "minutes", "ms",
  "nominal", "reading", "sec", "seconds", "setting", "target",  "threshold", "total",   "value",
};

static int cmp_slot_word(const void *key, const void *row) {
  return hm_str_cmp(*(const hm_str *)key, hm_str_c(((const slot_word *)row)->word));
}

static int cmp_text(const void *key, const void *row) {
  return hm_str_cmp(*(const hm_str *)key, hm_str_c(*(const char *const *)row));
}

/* The last word of the name, without signs behind it ("Serial#"); *rest: what stands before it. */
static hm_str last_word(hm_str name, hm_str *rest) {
  const char *last = name.n ? memrchr(name.p, '_', name.n) : NULL;
  size_t from = last ? (size_t)(last - name.p) + 1 : 0;
  hm_str word = hm_str_sub(name, from, name.n);
  *rest = hm_str_sub(name, 0, last ? from - 1 : 0);
  while (hm_str_ends(word, "#") || hm_str_ends(word, "+"))
    word.n--;
  return word;
}

hm_reading hm_slot_reading(hm_str name) {
  while (name.n) {
    hm_str rest, word = last_word(name, &rest);
    const slot_word *found = bsearch(&word, words, HM_COUNT(words), sizeof *words, cmp_slot_word);
    if (found)
      return found->supports;
    if (!bsearch(&word, behind, HM_COUNT(behind), sizeof *behind, cmp_text))
      return 0;
    name = rest;
  }
  return 0;
}

bool hm_slot_readings_are_sorted(void) {
  for (size_t i = 1; i < HM_COUNT(words); i++)
    if (strcmp(words[i - 1].word, words[i].word) >= 0)
      return false;
  for (size_t i = 1; i < HM_COUNT(behind); i++)
    if (strcmp(behind[i - 1], behind[i]) >= 0)
      return false;
  return true;
}
