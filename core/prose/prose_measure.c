/* Quantities of things: of an attribute ("the timeout is 30 s"), of what they count ("5
 * workspaces"), of what their unit measures ("at 633 nm"), of a participle ("torqued to 9 Nm").
 * Each function gets np, what the statement is about, and claims or returns false. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/prose/prose_grammar.h"

/* "30 s in staging and 60 s in production" */
static bool parts_values(const prose *p, size_t i, size_t end) {
  return prose_one_of(p, i, end, "for|in");
}

/* "... and 60 s for the worker" */
static void read_second(prose *p, const prose_np *np, const prose_value *v, size_t i, size_t end) {
  prose_quantity q;
  if (!prose_is(p, i, end, "and") && !(i && p->t[i - 1].stop == ','))
    return;
  size_t from = prose_is(p, i, end, "and") ? i + 1 : i;
  if (!prose_read_quantity(p, &q, from, end) || !parts_values(p, q.to, end))
    return;
  prose_np other = *np;
  prose_value w = { .shape = v->shape, .from = v->from, .value = q.value, .reading = q.reading };
  w.to = q.to;
  if (prose_read_tail(p, &other, &w, q.to, end) && (other.subject.n || other.qualifier.n))
    prose_claim(p, &other, &w);
}

bool prose_claim_quantity(prose *p, prose_np *np, prose_value *v, const prose_quantity *q,
                          size_t end, const char *attribute) {
  if (attribute)
    prose_set_attribute(np, attribute);
  v->shape = HM_SHAPE_QUANTITY;
  v->value = q->value;
  v->reading = q->reading;
  v->to = q->to;
  prose_name *a = &np->attribute;
  /* "API rate limits are", "rate limiting is set to" */
  if (q->unit == UNIT_RATE && a->n && prose_word_in(a->w[a->n - 1], "limits|limiting"))
    a->w[a->n - 1] = HM_STR("limit");
  bool rate = np->attribute.n &&
      prose_word_in(np->attribute.w[np->attribute.n - 1],
                    "limit|budget"); /* that is a limit itself */
  if (q->limit && !np->limit && !rate)
    np->limit = q->limit;
  if (rate && q->unit == UNIT_RATE &&
      (np->attribute.n == 1 || hm_str_is(np->attribute.w[0], "request"))) {
    np->attribute = (prose_name){ 0 };
    prose_add_words(&np->attribute, "rate_limit");
  }
  if (rate)
    np->limit = LIMIT_NONE;
  prose_add_name(&np->qualifier, &q->per);
  /* "is 50 items": what a known measure counts */
  size_t at = q->to;
  if (q->plain && np->known_measure && at + 2 == end && !p->t[at - 1].stop && !p->t[at].stop &&
      p->t[at].upper && !p->t[at].cls && hm_str_ends(p->t[at + 1].low, "s"))
    at = end; /* "is 20,000 GPU hours" */
  if (q->plain && np->known_measure && at < end && !p->t[at - 1].stop &&
      !(p->t[at].cls & ~C_MEASURE) && !p->t[at].capital && hm_str_ends(p->t[at].low, "s") &&
      !p->t[at].owns)
    at++;
  prose_np before = *np;
  prose_value first = *v;
  size_t second = at;
  while (second < end && !prose_is(p, second, end, "and"))
    second++;
  prose_quantity other;
  bool two = second + 1 < end && prose_read_quantity(p, &other, second + 1, end);
  if (two && !parts_values(p, other.to, end))
    return false;
  if (!prose_read_tail(p, np, v, at, two ? second : end))
    return false;
  prose_claim(p, np, v);
  if (two)
    read_second(p, &before, &first, second, end);
  return true;
}

/* What an adjective behind a length measures. */
static const struct {
  const char *word, *attribute;
} sizes[] = { { "deep", "depth" },  { "high", "height" },     { "long", "length" },
              { "tall", "height" }, { "thick", "thickness" }, { "wide", "width" } };

const char *prose_dimension_of(const prose *p, prose_quantity *q, size_t end) {
  if (prose_is(p, q->to, end, "in") && /* "12 m in diameter" */
      prose_one_of(p, q->to + 1, end, "depth|diameter|height|length|weight|width")) {
    q->to += 2;
    return hm_str_z(p->a, p->t[q->to - 1].low);
  }
  if (q->unit != UNIT_OTHER && q->unit != UNIT_TIME)
    return NULL;
  for (size_t k = 0; k < HM_COUNT(sizes); k++) {
    if (!prose_is(p, q->to, end, sizes[k].word))
      continue;
    bool time = q->unit == UNIT_TIME;
    if (time && strcmp(sizes[k].word, "long") != 0)
      return NULL;
    q->to++;
    return time ? "duration" : sizes[k].attribute;
  }
  return NULL;
}

/* --- what is counted -------------------------------------------------------------------------- */

size_t prose_counted_noun(const prose *p, size_t i, size_t end) {
  const uint64_t refused = C_PRONOUN | C_NOT | C_BE | C_WAS | C_HAVE | C_ARTICLE | C_OWNER |
      C_SEVERAL | C_AND | C_COND | C_DAY | C_UNSURE;
  size_t k = i;
  if (i < end && p->t[i].low.n < 3 && !p->t[i].upper)
    return 0; /* cut off */
  if (i && i < end && p->t[i].capital && p->t[i - 1].digit && p->t[i - 1].s.n == 4)
    return 0; /* "a 2019 Honda Civic" */
  static const char vague[] =
      "options|issues|questions|problems|ideas|choices|things|ways|tasks|meetings|bugs|errors|"
      "reasons|concerns|cases|failing|times|failures|calls|minutes|hours|days|weeks";
  if (prose_one_of(p, i, end, vague) || prose_one_of(p, i + 1, end, vague))
    return 0;
  for (; k < end; k++) {
    if (k > i && (p->t[k - 1].stop || (p->t[k].cls & (C_PREP | C_TAIL | C_AND | C_LATELY))))
      break;
    if ((p->t[k].cls & (refused | C_PREP)) || p->t[k].digit || p->t[k].aside || p->t[k].owns)
      return 0;
    if (k > i && prose_one_of(p, k, end, "so far|named|called"))
      break;
  }
  return k - i <= 4 ? k - i : 0;
}

/* "mileage", or "mileage_since_last_oil_change" if so at *i; moves *i past it. */
static const char *read_mileage(prose *p, size_t *i, size_t end) {
  prose_name name = { .n = 0 };
  prose_add_words(&name, "mileage");
  if (prose_are(p, *i, end, "since the last") && *i + 3 < end) {
    size_t stop = prose_tail_start(p, *i + 3, end);
    prose_add_words(&name, "since_last");
    for (size_t k = *i + 3; k < stop; k++)
      prose_add_word(&name, p->t[k].low);
    *i = stop;
  }
  return hm_str_z(p->a, prose_fold_name(p, &name));
}

/* A quantity, and what it counts: "5 workspaces", "8 GB of memory", "500 req/s". */
bool prose_read_count(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, prose_kind k) {
  prose_quantity q;
  if (!prose_read_quantity(p, &q, i, end) || q.times)
    return false;
  if (q.unit == UNIT_RATE && !prose_is(p, q.to, end, "of"))
    return (k == K_ALLOW || k == K_LIMIT || q.limit) &&
        (q.limit = LIMIT_NONE, prose_claim_quantity(p, np, v, &q, end, "rate_limit"));
  if (!q.plain && !q.unlimited) {
    if (k == K_LIMIT && q.unit == UNIT_BYTES) {
      q.limit = LIMIT_MAX;
      return prose_claim_quantity(p, np, v, &q, end, np->known_measure ? NULL : "size");
    }
    if (k == K_LIMIT && !q.limit)
      q.limit = LIMIT_MAX;
    if (k == K_LIMIT && np->known_measure)
      return prose_claim_quantity(p, np, v, &q, end, NULL);
    if (prose_are(p, q.to, end, "on it") && q.unit == UNIT_OTHER && k == K_HAS) {
      q.to += 2; /* "has 4,500 miles on it since the last oil change" */
      const char *mileage = read_mileage(p, &q.to, end);
      return prose_claim_quantity(p, np, v, &q, end, mileage);
    }
    if (q.unit == UNIT_BYTES && prose_one_of(p, q.to, end, "ram|memory|storage|vram|disk")) {
      prose_set_attribute_noun(p, np, q.to++, 1);
      return prose_claim_quantity(p, np, v, &q, end, NULL);
    }
    size_t noun = prose_is(p, q.to, end, "of") ? prose_counted_noun(p, q.to + 1, end) : 0;
    if (!noun || (k == K_CAP && !q.limit && q.unit != UNIT_BYTES))
      return false;
    prose_set_attribute_noun(p, np, q.to + 1, noun);
    q.to += 1 + noun;
    return prose_claim_quantity(p, np, v, &q, end, NULL);
  }
  size_t noun = q.per.n ? 0 : prose_counted_noun(p, q.to, end);
  size_t of = q.to + noun + 1; /* "returns 20 items per page", not per second */
  bool each = noun && prose_is(p, of - 1, end, "per") && of < end && !prose_is_unit_word(p, of);
  if (k == K_CAP && !q.limit && !q.unlimited && !each)
    return false;
  if (noun == 1 && k == K_HAS && prose_is(p, q.to + 1, end, "that"))
    return false; /* some of them */
  if (!noun && k == K_LIMIT && !q.limit)
    q.limit = LIMIT_MAX;
  if (!noun)
    return k == K_LIMIT && np->known_measure && prose_claim_quantity(p, np, v, &q, end, NULL);
  if (k == K_NEED)
    q.limit = LIMIT_NONE;
  bool one = hm_str_is(q.reading, "1") && !hm_str_ends(p->t[q.to + noun - 1].low, "s");
  if (k == K_ALLOW || k == K_LIMIT || q.unlimited)
    q.limit = LIMIT_MAX;
  prose_set_attribute_noun(p, np, q.to, noun);
  hm_str *last = &np->attribute.w[np->attribute.n - 1]; /* "one approval", "two approvals" */
  if (one)
    *last = HM_CAT(p->a, *last, HM_STR("s"));
  size_t after = q.to + noun;
  q.to = after;
  if (prose_is(p, after, end, "per") && after + 1 < end) {
    prose_add_words(&q.per, "per");
    prose_add_word(&q.per, p->t[after + 1].low);
    q.to = after + 2;
  }
  return prose_claim_quantity(p, np, v, &q, end, NULL);
}

/* --- units that name what they measure -------------------------------------------------------- */

static const struct {
  const char *attribute, *units;
} measures[] = {
  { "current", "a|amps|ma" },
  { "pressure", "bar|kpa|mbar|mpa|pa|psi" },
  { "temperature", "c|celsius|fahrenheit|\xc2\xb0\x63|\xc2\xb0\x66" },
  { "frame_rate", "fps" },
  { "frequency", "ghz|hz|khz|mhz" },
  { "speed", "km/h|m/s|mm/s|mph|rpm|um/s" },
  { "power", "kw|mw|w|watts" },
  { "voltage", "mv|v|volts" },
  { "wavelength", "nm" },
};

bool prose_read_at_value(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                         const char *how) {
  prose_quantity q;
  if (np->person || np->indefinite || np->value || !prose_read_quantity(p, &q, i, end) || q.plain ||
      q.per.n || q.unlimited)
    return false;
  const prose_word *last = &p->t[q.to - 1];
  size_t from = 0; /* "633nm" */
  while (last->digit && from < last->low.n && !hm_is_lower(last->low.p[from]) &&
         (unsigned char)last->low.p[from] < 0x80)
    from++;
  hm_str unit = hm_str_sub(last->low, from, last->low.n);
  size_t k = 0;
  /* and no nanometres */
  if (hm_str_ends(last->s, "Nm") || hm_str_ends(last->low, "n\xc2\xb7m"))
    return prose_claim_quantity(p, np, v, &q, end, how ? "rated_torque" : "torque");
  while (k < HM_COUNT(measures) && !prose_word_in(unit, measures[k].units))
    k++;
  if (k == HM_COUNT(measures)) /* "rated for 900 kg" */
    return how && q.unit != UNIT_TIME && q.unit != UNIT_MONEY &&
        prose_claim_quantity(p, np, v, &q, end, how);
  hm_str attribute = how ? HM_CAT(p->a, hm_str_c(how), HM_STR("_"), hm_str_c(measures[k].attribute))
                         : hm_str_c(measures[k].attribute);
  /* "the laser wavelength runs at 633 nm" */
  if (np->attribute.n && !how &&
      hm_str_is(np->attribute.w[np->attribute.n - 1], measures[k].attribute))
    return prose_claim_quantity(p, np, v, &q, end, NULL);
  return prose_claim_quantity(p, np, v, &q, end, hm_str_z(p->a, attribute));
}
