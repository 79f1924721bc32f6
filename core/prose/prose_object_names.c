/* Names as objects of verbs: where a thing is kept, who does it, where people live, where a thing
 * is from; and statements of people about themselves and their things: "has a
 * cat named Luna", "uses a system called Tacos for kudos", "is allergic to nuts", "was born in
 * 1987".
 *
 * Each function gets np, what the statement is about, and claims or returns false. Things of which
 * one may have several (a cat, an allergy) add to others. Cost: a few passes over the words of the
 * name. */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* A thing that holds others, behind its name: "the tf-state bucket". */
static bool is_container(const prose *p, size_t i) {
  static const char words[] =
      "bucket|cluster|container|database|directory|folder|index|namespace|queue|repo|repository|"
      "schema|secret|table|topic|variable|vault";
  return prose_one_of(p, i, i + 1, words);
}

/* "db/migrations", "src/config.ts", "~/notes" */
static bool is_path(hm_str s) {
  return s.n > 2 && memchr(s.p, '/', s.n) && !prose_ends_in(s, "/s|/h") &&
      hm_str_find(s, "://") < 0 && hm_str_find(s, "//") < 0;
}

/* "stored in Redis", "handled by Keycloak": a known value, or a name. */
bool prose_read_store(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute) {
  prose_match m;
  if (np->person || np->indefinite)
    return false;
  size_t from = prose_has(p, i, end, C_ARTICLE | C_OWNER) ? i + 1 : i;
  bool known = prose_value_at(p, from, end, &m);
  size_t to = known ? prose_value_end(p, &m, end) : prose_tail_start(p, from, end);
  if (from >= end)
    return false;
  /* "in the bucket acme-tfstate" */
  bool held = !known && from > i && is_container(p, from) && from + 2 == end && !p->t[from].stop;
  if (held)
    i = ++from;
  if (!known && from + 1 == end && hm_str_find(p->t[from].s, "://") > 0) {
    if (strcmp(attribute, "store") == 0)
      attribute = "url";
  }
  if (!known) {
    size_t name = to; /* "the tf-state bucket" */
    if (to > from + 1 && is_container(p, to - 1))
      name--;
    if (name < to && name > from + 1 && prose_is(p, name - 1, name, "environment"))
      name--;
    if (to - from > 3 || (from > i && name == to))
      return false;
    bool path = name == to && to == from + 1 && is_path(p->t[from].s);
    if (path && strcmp(attribute, "store") == 0)
      attribute = "location";
    for (size_t k = from; k < name; k++) {
      const prose_word *t = &p->t[k];
      /* "the tf-state bucket": a hyphen makes a name before such a word */
      bool joined = (name < to || held) && memchr(t->s.p, '-', t->s.n);
      if (!prose_looks_named(t) && !joined)
        return false;
      if (t->digit || t->first == '<' || t->owns || (t->cls & (C_PRONOUN | C_SEVERAL | C_DAY)))
        return false;
    }
  }
  static const struct {
    const char *family, *attribute;
  } kinds[] = { { "time_zone", "time_zone" },
                { "data_format", "format" },
                { "file_format", "format" } };
  bool as = strcmp(attribute, "store") == 0 || strcmp(attribute, "format") == 0;
  for (size_t k = 0; known && as && k < HM_COUNT(kinds); k++) {
    int family = prose_find_family(p->f, kinds[k].family);
    if (family >= 0 && prose_match_has(&m, family))
      attribute = kinds[k].attribute;
  }
  v->shape = HM_SHAPE_CHOICE;
  prose_np bound;
  bool deed = strcmp(attribute, "tool") == 0 || strcmp(attribute, "provider") == 0 ||
      strcmp(attribute, "destination") == 0 || strcmp(attribute, "route") == 0;
  int topic = known && deed ? prose_family_topic_of(p, np->last, np->last + 1, &m) : -1;
  if (topic >= 0 && prose_match_has(&m, topic) && np->subject.n + np->attribute.n == 1 &&
      prose_read_family_np(p, &bound, np->last, np->last + 1, &m)) {
    bound.qualifier = np->qualifier;
    *np = bound;
  } else {
    prose_set_attribute(np, attribute);
  }
  v->value = prose_span(p, from, to);
  v->reading = known ? m.name : v->value;
  int noun;
  if (known && to < end && !p->t[to - 1].stop &&
      (prose_family_noun(p, to, to + 1, &noun) || prose_one_of(p, to, end, "bucket|cluster")))
    to++;
  v->to = to;
  return prose_claim_with_tail(p, np, v, to, end);
}

bool prose_read_place(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute, bool is) {
  if (is && !np->person) { /* "the service is in eu-west-1", "timestamps are in UTC" */
    static const char *const in[] = { "region", "time_zone", "data_format" };
    prose_np saved = *np;
    prose_value clean = *v;
    for (size_t k = 0; k < HM_COUNT(in); k++) {
      if (prose_read_choice(p, np, v, i, end, in[k]))
        return true;
      *np = saved;
      *v = clean;
    }
    size_t last = prose_tail_start(p, i, end); /* "in the tf-state bucket" */
    return prose_has(p, i, end, C_ARTICLE) && last > i + 2 && is_container(p, last - 1) &&
        prose_read_store(p, np, v, i, end, "store");
  }
  size_t stop = prose_tail_start(p, i, end);
  bool person = np->person || (!np->subject.n && !np->attribute.n && p->about.n) ||
      (np->last < i && prose_is_person(p, np));
  prose_match m;
  if (!person) {
    if (strcmp(attribute, "residence") == 0)
      return prose_read_store(p, np, v, i, end, "store");
    if (strcmp(attribute, "location") != 0 && strcmp(attribute, "headquarters") != 0)
      return false;
  }
  if (stop == i || stop - i > 3 || prose_value_at(p, i, end, &m) ||
      (stop == i + 1 && is_path(p->t[i].s) && !np->person)) {
    return stop > i && stop - i <= 3 && prose_read_store(p, np, v, i, end, "store");
  }
  for (size_t k = i; k < stop; k++)
    if (!p->t[k].capital || (p->t[k].cls & C_DAY) || p->t[k].digit)
      return false;
  prose_set_attribute(np, attribute);
  return prose_claim_span(p, np, v, i, stop, end);
}

bool prose_read_named(prose *p, prose_np *np, prose_value *v, size_t i, size_t end,
                      const char *attribute) {
  size_t stop = prose_tail_start(p, i, end);
  bool name = strcmp(attribute, "name") == 0;
  size_t last = stop, from = i; /* "the Payments team" */
  if (!name && stop > i + 1 && prose_one_of(p, stop - 1, end, "team|squad|group|guild"))
    last = stop - 1;
  if (last < stop && prose_is(p, i, end, "the"))
    from++;
  bool plain = last < stop && last == from + 1 && !(p->t[from].cls & ~(C_KIND | C_NAMED));
  if (i < end && (p->t[i].first == '+' || p->t[i].first == '-'))
    return false;
  /* "the main branch is called trunk" */
  bool word = name && np->known_name && !np->person && stop == i + 1 && stop == end &&
      !p->t[i].cls && !prose_looks_named(&p->t[i]) && !hm_str_ends(p->t[i].low, "ly");
  plain = plain || word;
  if (stop == i || stop - i > 4 || (np->indefinite && name))
    return false;
  for (size_t k = from; k < last; k++)
    if ((!plain && !prose_looks_named(&p->t[k]) &&
         !(name && memchr(p->t[k].s.p, '-', p->t[k].s.n))) ||
        (p->t[k].cls & (C_PRONOUN | C_DAY)) || p->t[k].digit)
      return false;
  if (!word)
    prose_set_attribute(np, attribute);
  return prose_claim_span(p, np, v, from, stop, end);
}

/* "My table is from West Elm", "Dana is from Porto". Things that come and go have many origins. */
bool prose_read_origin(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool comes) {
  static const char goes[] =
      "call|email|flight|letter|mail|message|order|photo|picture|quote|train|bus|recipe|advice|"
      "song|text";
  bool person = prose_is_person(p, np);
  bool owned = np->user || (np->subject.n && hm_str_is(np->subject.w[0], "user"));
  if (prose_last_word_in(p, np, goes) || np->indefinite)
    return false;
  if (comes && !person && !owned)
    return i < end && p->t[i].capital && prose_read_named(p, np, v, i, end, "source");
  if ((!person && !owned) || hm_str_ends(p->t[np->last].low, "s"))
    return false;
  return prose_read_named(p, np, v, i, end, "origin");
}

/* --- what is called, allergies, births -------------------------------------------------------- */

/* Is [i, stop) a name: words that look like one, or in quotes? */
static bool is_name(const prose *p, size_t i, size_t stop) {
  if (stop <= i || stop - i > 4)
    return false;
  bool quoted = p->t[i].aside && p->t[i].s.p > p->text.p &&
      (p->t[i].s.p[-1] == '\'' || p->t[i].s.p[-1] == '"' || (unsigned char)p->t[i].s.p[-1] >= 0x80);
  for (size_t k = i; k < stop; k++)
    if ((!quoted && !prose_looks_named(&p->t[k])) || p->t[k].owns ||
        p->t[k].s.n < (k + 1 == p->n ? 3 : 2) || /* the text may be cut off */
        (p->t[k].cls & (C_PRONOUN | C_DAY | C_SEVERAL)))
      return false;
  return true;
}

bool prose_read_called(prose *p, prose_np *np, prose_value *v, size_t i, size_t end, bool has) {
  size_t by = i + 2;
  if (!prose_one_of(p, i, end, "a|an"))
    return false;
  while (by < end && by < i + 6 && !prose_one_of(p, by, end, "named|called"))
    by++;
  if (by + 1 >= end || by >= i + 6)
    return false;
  size_t stop = by + 1;
  while (stop < end && p->t[stop].aside && !p->t[stop].stop)
    stop++;
  if (stop < end && p->t[stop].aside)
    stop++;
  if (stop == by + 1)
    stop = prose_tail_start(p, by + 1, end);
  prose_np kind;
  if (!is_name(p, by + 1, stop) || !prose_read_np(p, &kind, i + 1, by) || kind.qualifier.n)
    return false;
  prose_make_all_subject(&kind);
  prose_make_all_subject(np);
  size_t to = stop;
  bool purpose = !has && prose_is(p, stop, end, "for");
  if (purpose) { /* what it is for names the choice */
    prose_np aim;
    to = prose_tail_start(p, stop + 1, end);
    if (!prose_read_np(p, &aim, stop + 1, to) || aim.indefinite || aim.qualifier.n)
      return false;
    prose_make_all_subject(&aim);
    prose_add_name(&np->subject, &aim.subject);
  }
  prose_add_name(&np->attribute, &kind.subject);
  if (has)
    prose_add_words(&np->attribute, "name");
  v->shape = purpose ? HM_SHAPE_CHOICE : HM_SHAPE_ATTRIBUTE;
  v->value = prose_span(p, by + 1, stop);
  v->also = !purpose;
  v->to = to;
  prose_claim_with_tail(p, np, v, to, end);
  return true;
}

bool prose_read_allergies(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  const uint64_t refused = C_PRONOUN | C_ARTICLE | C_OWNER | C_SEVERAL | C_NUMBER | C_STATE | C_BE |
      C_WAS | C_HAVE | C_NOT | C_VERB | C_UNSURE;
  if (!prose_are(p, i, end, "allergic to") || !prose_is_person(p, np) || i + 2 >= end)
    return false;
  prose_items items = { 0 };
  size_t k = i + 2, from = k;
  for (; k < end; k++) {
    const prose_word *t = &p->t[k];
    bool last = k + 1 == end || t->stop || prose_is(p, k + 1, end, "and");
    if (prose_is(p, k, end, "and")) {
      from = k + 1;
      continue;
    }
    if ((t->cls & refused) || t->digit || t->aside || k > from + 1)
      return false;
    if (!last)
      continue;
    prose_items_add(p, &items, prose_span(p, from, k + 1));
    from = k + 1;
    if (t->stop && t->stop != ',')
      break;
  }
  v->shape = HM_SHAPE_SET;
  v->also = !v->denied;
  v->value = prose_span(p, i + 2, k < end ? k + 1 : k);
  v->to = k < end ? k + 1 : k;
  prose_set_attribute(np, "allergies");
  if (!items.n)
    return true;
  v->reading = prose_items_reading(p, &items);
  prose_claim(p, np, v);
  return true;
}

/* "born in 1987", "born on May 5, 1990", "born in Porto" at i. */
bool prose_read_birth(prose *p, prose_np *np, prose_value *v, size_t i, size_t end) {
  size_t from = i + 2, to;
  bool in = prose_is(p, i + 1, end, "in"), on = prose_is(p, i + 1, end, "on");
  bool about = !np->words && p->about.n;
  if (!prose_is(p, i, end, "born") || (!in && !on) || !(about || prose_is_person(p, np)) ||
      np->indefinite || from >= end || (!about && hm_str_ends(p->t[np->last].low, "s")))
    return false;
  const char *attribute = "birthday";
  if (on && prose_is_date(p, from, end, &to)) {
    if (p->t[to - 1].s.n == 4 || (p->t[from].s.n > 8))
      attribute = "birth_date";
  } else if (in && p->t[from].digit && p->t[from].s.n == 4) {
    to = from + 1;
    attribute = "birth_year";
  } else if (in && is_name(p, from, to = prose_tail_start(p, from, end)) && !p->t[from].digit) {
    attribute = "birthplace";
  } else {
    return false;
  }
  prose_set_attribute(np, attribute);
  prose_claim_span(p, np, v, from, to, end);
  return true;
}
