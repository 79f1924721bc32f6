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
  YEAR = HM_READ_YEAR,
  DATE = HM_READ_DATE,
  RATIO = HM_READ_RATIO,
  SCORE = HM_READ_SCORE,
  LIST = HM_READ_LIST,
  CASED = HM_READ_CASED,
  PORT = HM_READ_PORT,
  IMAGE = HM_READ_IMAGE,
  MONEY = HM_READ_MONEY
};

#define FLAG HM_READ_FLAG
#define STATE HM_READ_STATE
#define PRIORITY HM_READ_PRIORITY
#define LEVEL HM_READ_LEVEL
#define HOURS HM_READ_HOURS
#define LANGUAGE HM_READ_LANGUAGE
#define POINTS HM_READ_POINTS

typedef struct {
  const char *word;
  hm_reading supports;
} slot_word;

/* Sorted. Products (languages, runtimes, databases, systems) are slots of versions. Two words go
 * before the last one. */
/* clang-format off */
static const slot_word words[] = {
  { "ablauf", DURATION }, { "ablaufzeit", DURATION }, { "abv", SHARE }, { "accent", COLOUR },
  { "accession_number", CODE }, { "account", GROUPED }, { "accuracy", SHARE }, { "acid", FORMULA },
  { "active", FLAG }, { "addr", ADDRESS }, { "address", ADDRESS | PLACE },
  { "addresses", ADDRESS | LIST }, { "adresse", PLACE }, { "age", DURATION }, { "aisle", CODE },
  { "alloy", FORMULA }, { "alpine", VERSION }, { "altitude", LENGTH }, { "ambient", TEMPERATURE },
  { "amount", MONEY }, { "analyte", FORMULA }, { "android", VERSION }, { "angular", VERSION },
  { "anion", FORMULA }, { "anschrift", PLACE }, { "ansible", VERSION },
  { "anteil", SHARE | POINTS }, { "anzahl", POINTS }, { "apache", VERSION },
  { "arbeitsspeicher", BYTES | POINTS }, { "arch", VERSION }, { "archived", FLAG },
  { "arrival", DATE }, { "article", CODE }, { "asientos", POINTS }, { "attached", FLAG },
  { "attendance", POINTS }, { "audited", FLAG }, { "auflage", POINTS },
  { "aussentemperatur", TEMPERATURE }, { "availability", SHARE }, { "available", FLAG },
  { "azimuth", HM_READ_HEADING }, { "background", COLOUR }, { "backoff", DURATION },
  { "badge", CODE }, { "barcode", CODE }, { "baseurl", ADDRESS }, { "bash", VERSION },
  { "batch", CODE }, { "baujahr", YEAR }, { "bay", CODE }, { "bazel", VERSION },
  { "bearing", HM_READ_HEADING }, { "besucher", POINTS }, { "betrag", MONEY | POINTS },
  { "bevoelkerung", POINTS }, { "bev\u00F6lkerung", POINTS }, { "bic", GROUPED }, { "bin", CODE },
  { "binary", PATH }, { "bind", ADDRESS }, { "birthdate", DATE }, { "birthday", DATE },
  { "birthplace", PLACE }, { "blender", VERSION }, { "block_size", BYTES }, { "body", BYTES },
  { "body_size", BYTES }, { "born", YEAR }, { "bounce_rate", SHARE }, { "branch", CASED },
  { "breite", LENGTH | POINTS }, { "broker", ADDRESS }, { "brutto", MONEY | POINTS },
  { "budget", MONEY }, { "buffer", BYTES }, { "buffers", BYTES }, { "built", YEAR },
  { "bun", VERSION }, { "business_hours", HOURS }, { "cabinet", CODE }, { "cable", LENGTH },
  { "cache_size", BYTES }, { "cached", FLAG }, { "call_number", CODE }, { "callback", ADDRESS },
  { "capacidad", POINTS }, { "capacitance", CHARGE }, { "capacite", POINTS },
  { "capacitor", CHARGE }, { "capacit\u00E9", POINTS }, { "card", GROUPED },
  { "case_number", CODE }, { "cassandra", VERSION }, { "catalog", CODE },
  { "catalog_number", CODE }, { "catalogue_number", CODE }, { "catalyst", FORMULA },
  { "cation", FORMULA }, { "cell", PHONE }, { "celsius", TEMPERATURE }, { "centos", VERSION },
  { "certified", FLAG }, { "chapter", CODE }, { "charge", CHARGE }, { "chemical", FORMULA },
  { "chmod", MODE }, { "chrome", VERSION }, { "chromium", VERSION }, { "chunk", BYTES },
  { "churn_rate", SHARE }, { "ciphers", LIST }, { "circulation", POINTS }, { "city", TOWN },
  { "clang", VERSION }, { "clause", CODE }, { "click_rate", SHARE }, { "clickhouse", VERSION },
  { "cloud_cover", SHARE }, { "cmake", VERSION }, { "code", CODE }, { "color", COLOUR },
  { "colors", COLOUR }, { "colour", COLOUR }, { "colours", COLOUR }, { "completeness", SHARE },
  { "completion", SHARE }, { "compound", FORMULA }, { "conc", HM_READ_MOLAR },
  { "concentration", HM_READ_MOLAR }, { "confidence", SHARE }, { "constant", CASED },
  { "consulting_hours", HOURS }, { "container", IMAGE }, { "contaminant", FORMULA },
  { "conversion_rate", SHARE }, { "cooldown", DURATION }, { "coordinates", PLACE },
  { "coords", PLACE }, { "copies", POINTS }, { "core", PROCESSORS }, { "cores", PROCESSORS },
  { "cost", MONEY }, { "costs", MONEY }, { "couleur", COLOUR }, { "coulomb", CHARGE },
  { "country", TOWN | HM_READ_COUNTRY }, { "country_code", HM_READ_COUNTRY }, { "course", CODE },
  { "coverage", SHARE }, { "cpu", PROCESSORS }, { "cpus", PROCESSORS }, { "credit_card", GROUPED },
  { "cuda", VERSION }, { "curl", VERSION }, { "customer_number", CODE }, { "cwd", PATH },
  { "dark_mode", FLAG }, { "date", DATE }, { "datum", DATE }, { "dauer", DURATION | POINTS },
  { "deadline", DURATION }, { "debian", VERSION }, { "debounce", DURATION }, { "debug", FLAG },
  { "debug_mode", FLAG }, { "delai", DURATION | POINTS }, { "delay", DURATION },
  { "deleted", FLAG }, { "deno", VERSION }, { "departure", DATE }, { "deposit", MONEY },
  { "deprecated", FLAG }, { "depth", LENGTH }, { "desk", CODE }, { "destination", PLACE },
  { "diameter", LENGTH }, { "died", YEAR }, { "dilution", RATIO }, { "dir", PATH },
  { "direction", HM_READ_HEADING }, { "directory", PATH }, { "discount", SHARE }, { "disk", BYTES },
  { "disque", BYTES | POINTS }, { "distance", LENGTH }, { "django", VERSION },
  { "docker", VERSION }, { "docket_number", CODE }, { "domain", ADDRESS }, { "domains", LIST },
  { "dopant", FORMULA }, { "dotnet", VERSION }, { "downtime", DURATION }, { "drawing", CODE },
  { "drawing_number", CODE }, { "drupal", VERSION }, { "dry_run", FLAG }, { "due", DATE },
  { "duracion", DURATION | POINTS }, { "duraci\u00F3n", DURATION | POINTS },
  { "duration", DURATION }, { "duree", DURATION | POINTS }, { "dur\u00E9e", DURATION | POINTS },
  { "duty_cycle", SHARE }, { "d\u00E9lai", DURATION | POINTS }, { "ean", GROUPED },
  { "edge", VERSION }, { "effectif", POINTS }, { "efficiency", SHARE },
  { "einkommen", MONEY | POINTS }, { "einwohner", POINTS }, { "einwohnerzahl", POINTS },
  { "elapsed", DURATION }, { "elasticsearch", VERSION }, { "electrolyte", FORMULA },
  { "electron", VERSION }, { "element", FORMULA }, { "elements", FORMULA }, { "elevation", LENGTH },
  { "elixir", VERSION }, { "employees", POINTS }, { "enabled", FLAG }, { "encrypted", FLAG },
  { "end", DATE }, { "endpoint", ADDRESS }, { "endpoints", ADDRESS }, { "entrypoint", PATH },
  { "env", CASED }, { "env_var", CASED }, { "environment_variable", CASED }, { "ergebnis", SCORE },
  { "erlang", VERSION }, { "error_rate", SHARE }, { "established", YEAR }, { "estimate", DURATION },
  { "etcd", VERSION }, { "etchant", FORMULA }, { "excel", VERSION }, { "executable", PATH },
  { "exhibit", CODE }, { "expiration", DURATION }, { "expiry", DURATION }, { "express", VERSION },
  { "extensions", LIST }, { "failure_rate", SHARE }, { "farbe", COLOUR },
  { "fassungsvermoegen", POINTS }, { "fassungsverm\u00F6gen", POINTS }, { "fax", PHONE },
  { "fecha", DATE }, { "fedora", VERSION }, { "fee", MONEY }, { "fees", MONEY },
  { "ffmpeg", VERSION }, { "figure", CODE }, { "file", PATH }, { "file_size", BYTES },
  { "fill", COLOUR }, { "fine", MONEY }, { "firefox", VERSION }, { "firmware", VERSION },
  { "fiscal_year", YEAR }, { "fit", CASED }, { "flaeche", POINTS }, { "flag", FLAG },
  { "flask", VERSION }, { "flight", CODE }, { "flight_number", CODE }, { "fl\u00E4che", POINTS },
  { "folder", PATH }, { "folio", CODE }, { "fon", PHONE }, { "footprint", BYTES },
  { "foreground", COLOUR }, { "formula", FORMULA }, { "founded", YEAR }, { "fraction", SHARE },
  { "freebsd", VERSION }, { "frist", DURATION }, { "funding", MONEY }, { "fy", YEAR },
  { "gas", FORMULA }, { "gate", CODE | PLACE | HM_READ_GATE }, { "gateway", ADDRESS },
  { "gcc", VERSION }, { "gehalt", MONEY | POINTS }, { "gender", SEX }, { "geo", PLACE },
  { "gewicht", POINTS }, { "ghc", VERSION }, { "git", VERSION }, { "git_url", ADDRESS },
  { "github", VERSION }, { "gitlab", VERSION }, { "glibc", VERSION }, { "gnome", VERSION },
  { "go", VERSION }, { "golang", VERSION }, { "gps", PLACE }, { "grace", DURATION },
  { "gradle", VERSION }, { "grafana", VERSION }, { "groovy", VERSION }, { "groups", LIST },
  { "growth_rate", SHARE }, { "gruendungsjahr", YEAR }, { "grundflaeche", POINTS },
  { "grundfl\u00E4che", POINTS }, { "gr\u00FCndungsjahr", YEAR }, { "gtin", GROUPED },
  { "gueltigkeit", DURATION }, { "g\u00FCltigkeit", DURATION }, { "habitantes", POINTS },
  { "habitants", POINTS }, { "hadoop", VERSION }, { "handy", PHONE }, { "hash", CODE },
  { "haskell", VERSION }, { "hauteur", LENGTH | POINTS }, { "headcount", POINTS },
  { "heading", HM_READ_HEADING }, { "headquarters", PLACE }, { "heap", BYTES },
  { "heap_size", BYTES }, { "heartbeat", DURATION }, { "height", LENGTH }, { "hit_rate", SHARE },
  { "hive", VERSION }, { "hoehe", LENGTH | POINTS }, { "home", PATH | PLACE },
  { "homepage", ADDRESS }, { "hometown", PLACE }, { "horaires", HOURS }, { "horario", HOURS },
  { "hose", LENGTH }, { "host", ADDRESS }, { "hostname", ADDRESS }, { "hosts", LIST },
  { "hotline", PHONE }, { "hq", PLACE }, { "hue", COLOUR }, { "humidity", SHARE },
  { "hydration", SHARE }, { "h\u00F6he", LENGTH | POINTS }, { "iban", GROUPED }, { "id", CODE },
  { "identifier", CODE }, { "ids", CODE }, { "image", IMAGE }, { "image_name", IMAGE },
  { "image_repository", IMAGE }, { "images", IMAGE }, { "imei", GROUPED }, { "importe", POINTS },
  { "impurity", FORMULA }, { "income", MONEY }, { "inflation_rate", SHARE },
  { "inhabitants", POINTS }, { "insured", FLAG }, { "interest_rate", SHARE },
  { "interval", DURATION }, { "intervall", DURATION }, { "inventory_no", CODE },
  { "inventory_number", CODE }, { "invoice", CODE }, { "invoice_number", CODE },
  { "invoice_total", MONEY }, { "ion", FORMULA }, { "ios", VERSION }, { "ip", ADDRESS },
  { "ipados", VERSION }, { "ipv4", ADDRESS }, { "ipv6", ADDRESS }, { "isbn", GROUPED },
  { "ismn", GROUPED }, { "isotope", FORMULA }, { "isrc", GROUPED }, { "issn", GROUPED },
  { "iswc", GROUPED },
  { "item_number", CODE }, { "java", VERSION }, { "jdk", VERSION }, { "jenkins", VERSION },
  { "job", ROLE }, { "jquery", VERSION }, { "jre", VERSION }, { "julia", VERSION },
  { "k8s", VERSION }, { "kafka", VERSION }, { "kapazitaet", POINTS }, { "kapazit\u00E4t", POINTS },
  { "kde", VERSION }, { "keep_alive", DURATION }, { "keepalive", DURATION }, { "kernel", VERSION },
  { "key", CODE }, { "keycloak", VERSION }, { "kilometerstand", POINTS },
  { "konzentration", HM_READ_MOLAR }, { "kosten", MONEY | POINTS }, { "kotlin", VERSION },
  { "kubectl", VERSION }, { "kubernetes", VERSION }, { "laenge", LENGTH | POINTS },
  { "lang", LANGUAGE }, { "language", LANGUAGE }, { "laravel", VERSION },
  { "largeur", LENGTH | POINTS }, { "lat", PLACE }, { "latency", DURATION }, { "latitude", PLACE },
  { "latlng", PLACE }, { "latlon", PLACE }, { "laufzeit", DURATION }, { "lead_time", DURATION },
  { "lease", DURATION }, { "leistung", POINTS }, { "length", LENGTH }, { "level", LEVEL },
  { "libc", VERSION }, { "licence", CODE }, { "licence_plate", GROUPED },
  { "license_plate", CODE | GROUPED }, { "lifetime", DURATION }, { "ligand", FORMULA },
  { "link", ADDRESS }, { "linux", VERSION }, { "linux_user", CASED }, { "listen", ADDRESS },
  { "llvm", VERSION }, { "lng", PLACE }, { "locale", LANGUAGE }, { "location", PLACE },
  { "locked", FLAG }, { "locker", CODE }, { "log_size", BYTES }, { "logfile", PATH },
  { "lon", PLACE }, { "longitud", LENGTH | POINTS }, { "longitude", PLACE },
  { "longueur", LENGTH | POINTS }, { "loss_rate", SHARE }, { "lot", CODE }, { "lot_number", CODE },
  { "lotnumber", CODE }, { "loyer", MONEY | POINTS }, { "lua", VERSION },
  { "l\u00E4nge", LENGTH | POINTS }, { "macos", VERSION }, { "maintenance_mode", FLAG },
  { "mandatory", FLAG }, { "margin", SHARE }, { "mariadb", VERSION }, { "married", FLAG },
  { "maven", VERSION }, { "maxage", DURATION }, { "maxmemory", BYTES }, { "melting", TEMPERATURE },
  { "mem", BYTES }, { "memcached", VERSION }, { "memoire", BYTES | POINTS }, { "memory", BYTES },
  { "metal", FORMULA }, { "miete", MONEY | POINTS }, { "mineral", FORMULA }, { "mint", VERSION },
  { "mitarbeiter", POINTS }, { "mobile", PHONE }, { "mode", MODE }, { "model_number", CODE },
  { "modules", LIST }, { "moisture", SHARE }, { "molarity", HM_READ_MOLAR },
  { "molecule", FORMULA }, { "mongo", VERSION }, { "mongodb", VERSION }, { "montant", POINTS },
  { "mortality_rate", SHARE }, { "mother_tongue", LANGUAGE }, { "mount", PATH },
  { "mountpoint", PATH }, { "mssql", VERSION }, { "mtu", BYTES }, { "mysql", VERSION },
  { "m\u00E9moire", BYTES | POINTS }, { "nameserver", ADDRESS }, { "native_language", LANGUAGE },
  { "netto", MONEY | POINTS }, { "next", VERSION }, { "nextjs", VERSION }, { "nginx", VERSION },
  { "nhs_number", GROUPED }, { "node", VERSION }, { "nodejs", VERSION }, { "nonce", CODE },
  { "notify", FLAG }, { "npm", VERSION }, { "numberplate", GROUPED }, { "numpy", VERSION },
  { "nuxt", VERSION }, { "ocaml", VERSION }, { "occupancy", SHARE }, { "occupation", ROLE },
  { "oeffnungszeiten", HOURS }, { "office", TOWN }, { "office_hours", HOURS },
  { "offset", HM_READ_ZONE }, { "opacity", SHARE }, { "opencv", VERSION },
  { "opening_hours", HOURS }, { "opening_times", HOURS }, { "openjdk", VERSION },
  { "openssl", VERSION }, { "opera", VERSION }, { "optional", FLAG }, { "oracle", VERSION },
  { "orcid", GROUPED }, { "order_no", CODE }, { "order_number", CODE },
  { "origin", ADDRESS | PLACE }, { "origins", LIST }, { "ort", PLACE }, { "os", VERSION },
  { "oxide", FORMULA }, { "packages", LIST }, { "page_size", BYTES }, { "paid", FLAG },
  { "pandas", VERSION }, { "paragraph", CODE }, { "parcel", CODE }, { "part", CODE },
  { "part_no", CODE }, { "part_number", CODE }, { "participants", POINTS }, { "pass_rate", SHARE },
  { "passagierzahl", POINTS }, { "passengers", POINTS }, { "patent_number", CODE },
  { "path", PATH }, { "paths", PATH }, { "pay", MONEY }, { "payload_size", BYTES },
  { "peer", ADDRESS }, { "percent", SHARE }, { "percentage", SHARE }, { "period", DURATION },
  { "perl", VERSION }, { "permission", MODE }, { "permissions", MODE }, { "personnummer", GROUPED },
  { "peso", POINTS }, { "phase", STATE }, { "phone", PHONE }, { "php", VERSION },
  { "pip", VERSION }, { "place", PLACE }, { "plaetze", POINTS }, { "plate", CODE },
  { "plazas", POINTS }, { "plazo", DURATION }, { "plz", GROUPED }, { "pl\u00E4tze", POINTS },
  { "pnpm", VERSION }, { "poblacion", POINTS }, { "poblaci\u00F3n", POINTS }, { "poids", POINTS },
  { "policy_number", CODE }, { "polling", DURATION }, { "pollutant", FORMULA },
  { "population", POINTS }, { "port", PORT }, { "portion", SHARE }, { "ports", LIST | PORT },
  { "position", PLACE | ROLE }, { "posix_user", CASED }, { "postal_code", GROUPED },
  { "postcode", CODE | GROUPED }, { "postgres", VERSION }, { "postgresql", VERSION },
  { "precio", MONEY | POINTS }, { "precipitate", FORMULA }, { "precision", SHARE },
  { "precursor", FORMULA }, { "preis", MONEY | POINTS }, { "presupuesto", POINTS },
  { "price", MONEY }, { "prices", MONEY }, { "prio", PRIORITY }, { "priority", PRIORITY },
  { "prix", MONEY | POINTS }, { "probability", SHARE }, { "processor", PROCESSORS },
  { "processors", PROCESSORS }, { "profession", ROLE }, { "progress", STATE },
  { "prometheus", VERSION }, { "proportion", SHARE }, { "protocols", LIST }, { "proxy", ADDRESS },
  { "public", FLAG }, { "pupils", POINTS }, { "purity", SHARE }, { "pydantic", VERSION },
  { "pypy", VERSION }, { "python", VERSION }, { "pytorch", VERSION }, { "qt", VERSION },
  { "quiet_hours", HOURS }, { "quota", BYTES }, { "quote", SHARE }, { "rabbitmq", VERSION },
  { "rack", CODE }, { "radius", LENGTH }, { "rails", VERSION }, { "ram", BYTES },
  { "range", LENGTH }, { "ratio", RATIO | SHARE }, { "react", VERSION }, { "readonly", FLAG },
  { "reagent", FORMULA }, { "recall", SHARE }, { "redirect", ADDRESS }, { "redis", VERSION },
  { "ref", CODE }, { "reference", CODE }, { "refresh", DURATION }, { "region", TOWN },
  { "registration", CODE }, { "registration_number", GROUPED }, { "registry", ADDRESS },
  { "release", VERSION }, { "remote", ADDRESS }, { "rent", MONEY }, { "repo", ADDRESS },
  { "repository", ADDRESS }, { "required", FLAG }, { "residence", PLACE }, { "residents", POINTS },
  { "residue", FORMULA }, { "resolver", ADDRESS }, { "response_rate", SHARE }, { "result", SCORE },
  { "resultat", SCORE }, { "retention", DURATION }, { "retention_rate", SHARE }, { "rev", CODE },
  { "revenue", MONEY }, { "revision", CODE }, { "rhel", VERSION }, { "role", ROLE },
  { "room", CODE }, { "room_number", CODE }, { "root", PATH }, { "rotation", DURATION },
  { "row", CODE }, { "rtt", DURATION }, { "ruby", VERSION }, { "ruecklauf", TEMPERATURE },
  { "rust", VERSION }, { "r\u00E9sultat", SCORE }, { "r\u00FCcklauf", TEMPERATURE },
  { "s3_key", CASED }, { "safari", VERSION }, { "safe_mode", FLAG }, { "salary", MONEY },
  { "salinity", SHARE }, { "salt", FORMULA }, { "sample_rate", SHARE }, { "sampling_rate", SHARE },
  { "sass", VERSION }, { "scala", VERSION }, { "scale", RATIO }, { "score", SCORE },
  { "scores", SCORE }, { "script", PATH }, { "seat", CODE }, { "seats", POINTS },
  { "section", CODE }, { "selenium", VERSION }, { "serial", CODE }, { "serial_number", CODE },
  { "server", ADDRESS }, { "server_names", LIST }, { "servers", LIST }, { "service_hours", HOURS },
  { "setpoint", TEMPERATURE }, { "severity", LEVEL }, { "sex", SEX }, { "share", SHARE },
  { "shelf", CODE }, { "shelfmark", CODE }, { "shm", BYTES }, { "shop_hours", HOURS },
  { "signed", FLAG }, { "siret", GROUPED }, { "site", TOWN }, { "sitzplaetze", POINTS },
  { "sitzpl\u00E4tze", POINTS }, { "sku", CODE }, { "sla", SHARE }, { "sleep", DURATION },
  { "slot", CODE }, { "slug", CODE }, { "smoker", FLAG }, { "socket", CODE },
  { "solltemperatur", TEMPERATURE }, { "solr", VERSION }, { "solvent", FORMULA },
  { "span", LENGTH }, { "spark", VERSION }, { "spectators", POINTS },
  { "speicher", BYTES | POINTS }, { "spend", MONEY }, { "split", RATIO | SHARE },
  { "split_test", RATIO | SHARE }, { "split_train", RATIO | SHARE }, { "splunk", VERSION },
  { "sprache", LANGUAGE }, { "sprechzeiten", HOURS }, { "spring", VERSION }, { "sqlite", VERSION },
  { "sqlserver", VERSION }, { "ssn", GROUPED }, { "stage", STATE }, { "standard", CODE },
  { "start", DATE }, { "state", STATE }, { "status", STATE }, { "storage", BYTES },
  { "store_hours", HOURS }, { "stroke_length", LENGTH }, { "students", POINTS },
  { "stueckzahl", POINTS }, { "st\u00FCckzahl", POINTS }, { "subscribers", POINTS },
  { "substance", FORMULA }, { "success_rate", SHARE }, { "sueldo", MONEY | POINTS },
  { "superficie", POINTS }, { "support_hours", HOURS }, { "suse", VERSION }, { "svelte", VERSION },
  { "swap", BYTES }, { "swift", VERSION }, { "symfony", VERSION }, { "targets", LIST },
  { "tarif", MONEY | POINTS }, { "tax", SHARE }, { "tax_exempt", FLAG }, { "tax_id", GROUPED },
  { "tax_rate", SHARE }, { "tel", PHONE }, { "telefon", PHONE }, { "telefono", PHONE },
  { "telephon", PHONE }, { "telephone", PHONE }, { "tel\u00E9fono", PHONE },
  { "temp", TEMPERATURE }, { "temperatur", TEMPERATURE }, { "temperatura", TEMPERATURE },
  { "temperature", TEMPERATURE }, { "temperatures", TEMPERATURE }, { "tensorflow", VERSION },
  { "terraform", VERSION }, { "test_mode", FLAG }, { "thermostat", TEMPERATURE },
  { "thickness", LENGTH }, { "ticket_number", CODE }, { "tiefe", LENGTH | POINTS },
  { "tier", LEVEL }, { "time_zone", HM_READ_ZONE }, { "timeout", DURATION }, { "timer", DURATION },
  { "timezone", HM_READ_ZONE }, { "tint", COLOUR }, { "token", CODE }, { "tomcat", VERSION },
  { "town", TOWN }, { "tracer", FORMULA }, { "track_id", CODE }, { "traefik", VERSION },
  { "train", CODE }, { "ttl", DURATION }, { "turnout", SHARE }, { "turnover", MONEY },
  { "typescript", VERSION }, { "tz", HM_READ_ZONE }, { "t\u00E9l\u00E9phone", PHONE },
  { "ubuntu", VERSION }, { "uid", CODE }, { "umask", MODE }, { "umsatz", MONEY | POINTS },
  { "unemployment_rate", SHARE }, { "unit", UNIT }, { "units", UNIT }, { "unity", VERSION },
  { "unix_group", CASED }, { "unix_user", CASED }, { "unreal", VERSION }, { "until", DATE },
  { "upc", GROUPED }, { "upload", BYTES }, { "upload_size", BYTES }, { "upstream", ADDRESS },
  { "uptime", DURATION | SHARE }, { "uri", ADDRESS }, { "url", ADDRESS }, { "urls", ADDRESS },
  { "users", LIST }, { "ust_id", GROUPED }, { "utilisation", SHARE }, { "utilization", SHARE },
  { "uuid", CODE }, { "vacancy_rate", SHARE }, { "vaccinated", FLAG }, { "valid", FLAG },
  { "variable", CASED }, { "vat", GROUPED }, { "vat_id", GROUPED }, { "vat_number", GROUPED },
  { "vcpu", PROCESSORS }, { "vcpus", PROCESSORS }, { "vegan", FLAG }, { "vegetarian", FLAG },
  { "venue", PLACE }, { "verbose", FLAG }, { "verified", FLAG }, { "version", VERSION },
  { "versions", VERSION }, { "vintage", YEAR }, { "visionos", VERSION },
  { "visiting_hours", HOURS }, { "visiting_times", HOURS }, { "visitors", POINTS },
  { "vite", VERSION }, { "volumen", POINTS }, { "vorlauf", TEMPERATURE },
  { "vorlauftemperatur", TEMPERATURE }, { "vue", VERSION }, { "wage", MONEY }, { "wagon", CODE },
  { "wait", DURATION }, { "wartezeit", DURATION }, { "watchos", VERSION }, { "waterproof", FLAG },
  { "webhook", ADDRESS }, { "webpack", VERSION }, { "webroot", ADDRESS }, { "website", ADDRESS },
  { "whatsapp", PHONE }, { "width", LENGTH }, { "windows", VERSION }, { "wohnort", PLACE },
  { "wordpress", VERSION }, { "work_mem", BYTES }, { "workdir", PATH }, { "working_hours", HOURS },
  { "writable", FLAG }, { "yarn", VERSION }, { "year", YEAR }, { "years", YEAR },
  { "yield", SHARE }, { "zaehlerstand", POINTS }, { "zig", VERSION }, { "zip", CODE | GROUPED },
  { "zipcode", GROUPED }, { "zone", CODE | HM_READ_ZONE }, { "zookeeper", VERSION },
  { "zuschauer", POINTS }, { "z\u00E4hlerstand", POINTS }, { "\u00F6ffnungszeiten", HOURS },
};
/* clang-format on */

/* What stands behind such a word and says nothing of the reading; sorted. */
static const char *const behind[] = {
  "actual",    "aktuell", "allowed",   "average",  "avg",     "cap",      "ceiling", "current",
  "debut",     "default", "depart",    "expected", "fin",     "goal",     "hot",     "hours",
  "ist",       "limit",   "limits",    "max",      "maximal", "maximale", "maximum", "mean",
  "min",       "minimal", "minimale",  "minimum",  "minutes", "ms",       "nominal", "nominale",
  "preferred", "reading", "request",   "requests", "sec",     "seconds",  "setting", "size",
  "soll",      "target",  "threshold", "total",    "value",
};

/* Where the last word of the name begins. */
static size_t last_word(hm_str name) { return name.n - hm_str_behind_last(name, '_').n; }

static const slot_word *find_word(hm_str word) {
  return bsearch(&word, words, HM_COUNT(words), sizeof *words, hm_order_word);
}

hm_reading hm_slot_reading(hm_str name) {
  ptrdiff_t of = hm_str_find(name, "_of_");
  if (of > 0)
    name.n = (size_t)of; /* "share_of_renewables" */
  if (hm_str_starts(name, "is_") || hm_str_starts(name, "has_"))
    return HM_READ_FLAG;
  hm_reading share = hm_str_starts(name, "share_") ? SHARE : 0; /* "share_recycled" */
  while (name.n) {
    while (hm_str_ends(name, "#") || hm_str_ends(name, "+"))
      name.n--; /* "Serial#" */
    size_t from = last_word(name), before = from ? last_word(hm_str_sub(name, 0, from - 1)) : 0;
    hm_str word = hm_str_sub(name, from, name.n);
    const slot_word *found = from ? find_word(hm_str_sub(name, before, name.n)) : NULL;
    if (!found)
      found = find_word(word);
    if (found)
      return found->supports;
    if (!bsearch(&word, behind, HM_COUNT(behind), sizeof *behind, hm_order_word))
      return share;
    name.n = from ? from - 1 : 0;
  }
  return 0;
}

bool hm_slot_readings_are_sorted(void) {
  return HM_WORDS_ARE_SORTED(words) && HM_WORDS_ARE_SORTED(behind);
}
