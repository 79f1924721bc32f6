/* What relations claim, and when two of them contradict each other: from rows to disputes. */
#include "core/value/containment.h"
#include "core/claim/relation.h"
#include "tests/unit/core_detect_help.h"
#include "tests/unit/manual_help.h"

static const char *const P[] = { "", "p", "q" };

static hm_arena *a;
static int begin(void **unused) { (void)unused; a = hm_arena_new(); return 0; }
static int end(void **unused) { (void)unused; hm_arena_free(a); return 0; }

/* "id type from to valid_from valid_until role source", each word but the first four may be missing
 * or "-". */
static hm_row relation(const char *text) {
  char word[8][40] = { "", "", "", "", "-", "-", "-", "-" };
  assert_true(sscanf(text, "%39s %39s %39s %39s %39s %39s %39s %39s", word[0], word[1], word[2],
                     word[3], word[4], word[5], word[6], word[7]) >= 4);
  hm_str w[8];
  for (int i = 0; i < 8; i++)
    w[i] = strcmp(word[i], "-") ? hm_str_dup(a, hm_str_c(word[i])) : HM_EMPTY;
  bool kind = hm_str_starts(w[6], "@"); /* @subjective */
  hm_str said = hm_str_sub(w[6], kind, w[6].n);
  hm_str props = said.n
      ? hm_str_fmt(a, "{\"%s\":\"%.*s\"}", kind ? "claim_kind" : "role", HM_FMT(said))
      : HM_EMPTY;
  return (hm_row){ .layer = HM_RELATION,
                   .status = HM_ACTIVE,
                   .project = 1,
                   .id = w[0],
                   .type = w[1],
                   .from = w[2],
                   .to = w[3],
                   .valid_from = w[4],
                   .valid_until = w[5],
                   .props = props,
                   .sources = w[7].n ? hm_str_fmt(a, "[\"%.*s\"]", HM_FMT(w[7])) : HM_EMPTY };
}

/* The disputes of these relations between people (a, b, c, d), factions (x, y) and places (s, t),
 * as "slot key: member field value, ...". */
static const char *disputes_of(const char *relations) {
  static const char *const people[] = { "a", "b", "c", "d" }, *const factions[] = { "x", "y" },
                    *const places[] = { "s", "t" };
  hm_row rows[40];
  size_t n = 0;
  for (size_t i = 0; i < 4; i++) rows[n++] = help_entity(people[i], "Person", 1, people[i], "{}");
  for (size_t i = 0; i < 2; i++) {
    rows[n++] = help_entity(factions[i], "Faction", 1, factions[i], "{}");
    rows[n++] = help_entity(places[i], "Location", 2, places[i], "{}");
  }
  char *copy = hm_str_z(a, hm_str_c(relations)), *rest;
  for (char *r = strtok_r(copy, ";", &rest); r; r = strtok_r(NULL, ";", &rest))
    rows[n++] = relation(r);
  help_look l = help_look_at(a, P, 3, rows, n, hm_rules_default(), 2);
  hm_buf b = { 0 };
  for (size_t i = 0; i < l.disputes->n; i++) {
    const hm_dispute *d = &l.disputes->disputes[i];
    hm_buf_fmt(&b, "%s%.*s:", i ? "; " : "", HM_FMT(d->slot_key));
    for (size_t k = 0; k < d->n; k++) {
      const hm_claim *c = d->parties[k].claim;
      hm_buf_fmt(&b, "%s %.*s %.*s %.*s%s", k ? "," : "", HM_FMT(l.snap->rows[c->row].id),
                 HM_FMT(c->field), HM_FMT(c->value.raw), d->parties[k].flagged ? "!" : "");
    }
  }
  help_done(&l);
  return hm_buf_take(&b, a).p;
}

static void cases(void **unused) {
  (void)unused;
  static const struct { const char *relations, *disputes;
  } all[] = {
    /* one faction at a time */
    { "m1 MEMBER_OF a x 0300 0345; m2 MEMBER_OF a y 0310 0360",
      "[\"p\",\"MEMBER_OF\",\"a\"]: m1 to x, m2 to y" },
    { "m1 MEMBER_OF a x 0300 0310; m2 MEMBER_OF a y 0310 0360", "" },
    { "m1 MEMBER_OF a x; m2 MEMBER_OF a y", "[\"p\",\"MEMBER_OF\",\"a\"]: m1 to x, m2 to y" },
    { "m1 MEMBER_OF a x; m2 MEMBER_OF a x", "" },
    { "m1 member_of a x; m2 MemberOf a y", "[\"p\",\"MEMBER_OF\",\"a\"]: m1 to x, m2 to y" },
    { "m1 MEMBER_OF a x; m2 MEMBER_OF b y", "" },
    /* the number binds between a person and a faction only */
    { "m1 MEMBER_OF a s; m2 MEMBER_OF a t", "" },
    { "m1 MEMBER_OF x s; m2 MEMBER_OF x t", "" },
    { "m1 MEMBER_OF a x; m2 MEMBER_OF a nowhere", "" },
    /* a place has one ruler, a ruler many places; the place's project is the slot's */
    { "r1 RULES a s; r2 RULES b s", "[\"q\",\"RULES\",\"s\"]: r1 from a, r2 from b" },
    { "r1 RULES a s; r2 RULES a t", "" },
    { "r1 RULES a s; r2 RULES entity:b s; r3 RULES entity:a entity:s",
      "[\"q\",\"RULES\",\"s\"]: r1 from a, r2 from b, r3 from a" },
    { "r1 RULES a far; r2 RULES b entity:far", "[\"p\",\"RULES\",\"far\"]: r1 from a, r2 from b" },
    /* spouses, stored in either direction */
    { "s1 SPOUSE_OF a b 0010 0040; s2 SPOUSE_OF b c 0030 0050",
      "[\"p\",\"SPOUSE_OF\",\"b\"]: s1 from a, s2 to c" },
    { "s1 SPOUSE_OF a b 0010 0040; s2 SPOUSE_OF c b 0030 0050",
      "[\"p\",\"SPOUSE_OF\",\"b\"]: s1 from a, s2 from c" },
    { "s1 SPOUSE_OF b a 0010 0040; s2 SPOUSE_OF b c 0030 0050",
      "[\"p\",\"SPOUSE_OF\",\"b\"]: s1 to a, s2 to c" },
    { "s1 SPOUSE_OF a b 0010 0040; s2 SPOUSE_OF b a 0010 0040", "" },
    { "s1 SPOUSE_OF a b 0010 0040; s2 SPOUSE_OF b c 0040 0050", "" },
    { "s1 SPOUSE_OF a a; s2 SPOUSE_OF a b", "" },
    /* a senator twice, by two sources */
    { "o1 HOLDS_OFFICE a s 2001 2007; o2 HOLDS_OFFICE a s 2013 2019", "" },
    { "o1 HOLDS_OFFICE a s 2001 2007; o2 HOLDS_OFFICE b s 2006 2019",
      "[\"q\",\"HOLDS_OFFICE\",\"s\"]: o1 from a, o2 from b" },
    /* materials by role */
    { "u1 USES_MATERIAL s peek; u2 USES_MATERIAL s ptfe - - coating", "" },
    { "u1 USES_MATERIAL s peek - - Coating; u2 USES_MATERIAL s ptfe - - coating",
      "[\"q\",\"USES_MATERIAL coating\",\"s\"]: u1 to peek, u2 to ptfe" },
    { "u1 USES_MATERIAL s peek - - shim; u2 USES_MATERIAL s ptfe - - shim", "" },
    { "u1 USES_MATERIAL s peek 2020 2023; u2 USES_MATERIAL s ptfe 2023", "" },
    /* two parents of a child */
    { "p1 PARENT_OF a d; p2 PARENT_OF b d", "" },
    { "p1 PARENT_OF a d; p2 PARENT_OF b d; p3 PARENT_OF c d",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 from a, p2 from b, p3 from c" },
    { "p1 PARENT_OF a d; p2 PARENT_OF b d; p3 PARENT_OF b d", "" },
    /* whenever in 1960 the third began, the two others held */
    { "p1 PARENT_OF a d 1940 1980; p2 PARENT_OF b d 1950 1990; p3 PARENT_OF c d 1960 1960-03",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 from a, p2 from b, p3 from c" },
    { "p1 PARENT_OF a d 1940 1980; p2 PARENT_OF b d 1960 1990; p3 PARENT_OF c d 1960 1960-03", "" },
    { "p1 PARENT_OF a d 1940 1980; p2 PARENT_OF b d 1950 1990; p3 PARENT_OF b d 1960 1960-03", "" },
    /* a second crowd through it is the same conflict */
    { "p1 PARENT_OF a d 1940 1980; p2 PARENT_OF b d 1940 1990; p3 PARENT_OF c d 1940 1950; "
      "p4 PARENT_OF c d 1960 1960-03",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 from a, p2 from b, p3 from c, p4 from c" },
    /* who is no parent by birth counts not as one */
    { "p1 PARENT_OF a d; p2 PARENT_OF b d; p3 PARENT_OF c d - - adoptive", "" },
    { "p1 PARENT_OF a d; p2 PARENT_OF b d; p3 PARENT_OF c d - - Step-mother", "" },
    { "p1 PARENT_OF a d; p2 PARENT_OF b d; p3 PARENT_OF c d - - mother",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 from a, p2 from b, p3 from c" },
    /* who stands beside the one that has it: a regent, a co-ruler, an acting officer */
    { "u1 RULES a s 1422 1461; u2 RULES b s 1422 1437 regent", "" },
    { "u1 RULES a s 1422 1461; u2 RULES b s 1422 1437 king",
      "[\"q\",\"RULES\",\"s\"]: u1 from a, u2 from b" },
    { "u1 RULES a s 0161 0180; u2 RULES b s 0161 0169 co-emperor", "" },
    { "u1 HOLDS_OFFICE a s 2001 2009; u2 HOLDS_OFFICE b s 2005 2006 acting", "" },
    { "o1 HOLDS_OFFICE a s 2001 2009; o2 HOLDS_OFFICE b s 2005 2006 interim_CEO", "" },
    { "o1 HOLDS_OFFICE a s 2001 2009; o2 HOLDS_OFFICE b s 2005 2006 the_CEO",
      "[\"q\",\"HOLDS_OFFICE\",\"s\"]: o1 from a, o2 from b" },
    { "u1 RULES a s 1422 1461; u2 RULES b s 1422 1437 Regent_of_England", "" },
    { "u1 RULES a s 1422 1461; u2 RULES b s 1422 1437 queen-regent", "" },
    { "u1 RULES a s 1422 1461; u2 RULES b s 1422 1437 king_by_grace_of_a_regent",
      "[\"q\",\"RULES\",\"s\"]: u1 from a, u2 from b" },
    { "u1 RULES a s 1422 1461; u2 RULES b s 1422 1437 antipope", "" },
    { "u1 POSSESSES a s 2001 2009 co-owner; u2 POSSESSES b s 2005 2006 co-owner", "" },
    { "u1 RULES a s 0161 0180; u2 RULES b s 0177 0192 junior_co-emperor", "" },
    { "u1 RULES a s 0161 0180; u2 RULES b s 0177 0192 coregent", "" },
    { "u1 RULES a s 0161 0180; u2 RULES b s 0177 0192 junior_emperor",
      "[\"q\",\"RULES\",\"s\"]: u1 from a, u2 from b" },
    { "u1 POSSESSES a s 2001 2009; u2 POSSESSES b s 2005 2006 Smith_&_Co",
      "[\"q\",\"POSSESSES\",\"s\"]: u1 from a, u2 from b" },
    /* for a while: it stays with whom it belongs to */
    { "u1 POSSESSES a s 2001 2009; u2 POSSESSES b s 2005 2006 on_loan", "" },
    { "u1 POSSESSES a s 2001 2009; u2 POSSESSES b s 2005 2006 borrower", "" },
    { "u1 POSSESSES a s 2001 2009 lender; u2 POSSESSES b s 2005 2006 bought",
      "[\"q\",\"POSSESSES\",\"s\"]: u1 from a, u2 from b" },
    { "m1 MEMBER_OF a x 2001 2009; m2 MEMBER_OF a y 2005 2006 loan_from_x", "" },
    { "m1 MEMBER_OF a x 2001 2009; m2 MEMBER_OF a y 2005 2006 transfer",
      "[\"p\",\"MEMBER_OF\",\"a\"]: m1 to x, m2 to y" },
    { "o1 HOLDS_OFFICE a s 2001 2009; o2 HOLDS_OFFICE b s 2005 2006 temporary", "" },
    { "l1 LOCATED_IN a s 2001 2009; l2 LOCATED_IN a t 2005 2006 loan", "" },
    { "l1 LOCATED_IN a s 2001 2009; l2 LOCATED_IN a t 2005 2006 gift",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    { "m1 MEMBER_OF a x 0300 0345; m2 MEMBER_OF a y 0310 0360 honorary", "" },
    { "w1 SPOUSE_OF a b 0300 0345 acting; w2 SPOUSE_OF a c 0310 0360",
      "[\"p\",\"SPOUSE_OF\",\"a\"]: w1 to b, w2 to c" },
    { "p1 PARENT_OF a b; p2 PARENT_OF a c; p3 PARENT_OF a d", "" },
    { "p1 PARENT_OF a d 0300 0310; p2 PARENT_OF b d; p3 PARENT_OF c d", "" },
    { "p1 PARENT_OF a d 0300 0310; p2 PARENT_OF b d 0305 0320; p3 PARENT_OF c d 0300 0320; "
      "p4 PARENT_OF x d 0310 0330; p5 PARENT_OF y d 0315 0330; p6 PARENT_OF a d 0290 0299",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 from a, p2 from b, p3 from c, p4 from x, p5 from y" },
    { "p1 PARENT_OF a d 0300 0310; p2 PARENT_OF b d 0300 0310; p3 PARENT_OF c d 0300 0310; "
      "p4 PARENT_OF a d 0400 0410; p5 PARENT_OF b d 0400 0410; p6 PARENT_OF x d 0400 0410",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 from a, p2 from b, p3 from c; "
      "[\"p\",\"PARENT_OF\",\"d\"]: p4 from a, p5 from b, p6 from x" },
    /* windows of existence */
    { "w1 EXISTED_DURING a s 0300 0345; w2 EXISTED_DURING a t 0310 0360",
      "[\"p\",\"EXISTED_DURING\",\"a\"]: w1 valid_from 0300 to 0345, w2 valid_from 0310 to 0360" },
    { "w1 EXISTED_DURING a s 0300 0345; w2 EXISTED_DURING a s 0300 0350",
      "[\"p\",\"EXISTED_DURING\",\"a\"]: w1 valid_from 0300 to 0345, w2 valid_from 0300 to 0350" },
    { "w1 EXISTED_DURING a s 0300 0345; w2 EXISTED_DURING a t 0345 0360", "" },
    { "w1 EXISTED_DURING a s 0300 0345; w2 EXISTED_DURING a t 0400 0460", "" },
    { "w1 EXISTED_DURING a s 0300 0345; w2 EXISTED_DURING a s 0300", "" },
    { "w1 EXISTED_DURING a s 0300 0345; w2 EXISTED_DURING a s 0300-05-02 0345", "" },
    { "w1 EXISTED_DURING a s; w2 EXISTED_DURING a t", "" },
    { "w1 EXISTED_DURING a s 0300-05-02 0345; w2 EXISTED_DURING a s 0300 0345-06", "" },
    { "w1 EXISTED_DURING a s 0300-05 0345; w2 EXISTED_DURING a s 0300-06 0345",
      "[\"p\",\"EXISTED_DURING\",\"a\"]: w1 valid_from 0300-05 to 0345, w2 valid_from 0300-06 to "
      "0345" },
    { "w1 EXISTED_DURING a s c.0300 0345; w2 EXISTED_DURING a s 0304 0345", "" },
    /* one fact that two sources date otherwise */
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0300 0350 - two",
      "[\"p\",\"MEMBER_OF\",\"a\"]: m1 valid_until 0345, m2 valid_until 0350" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0301 0350 - two",
      "[\"p\",\"MEMBER_OF\",\"a\"]: m1 valid_from 0300, m2 valid_from 0301; "
      "[\"p\",\"MEMBER_OF\",\"a\"]: m1 valid_until 0345, m2 valid_until 0350" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0300 0350 - two; "
      "m3 MEMBER_OF a x 0300 0350 - one",
      "[\"p\",\"MEMBER_OF\",\"a\"]: m1 valid_until 0345, m2 valid_until 0350" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0300 0350 - one", "" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0300 0350", "" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0345 0350 - two", "" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0300 - - two", "" },
    { "m1 MEMBER_OF a x 0300 0345 - one; m2 MEMBER_OF a x 0300-03 0345-05-02 - two", "" },
    { "m1 MEMBER_OF a x c.0300 0345 - one; m2 MEMBER_OF a x 0304 0345 - two", "" },
    { "m1 MEMBER_OF a s 0300 0345 - one; m2 MEMBER_OF a s 0300 0350 - two", "" },
    { "s1 SPOUSE_OF a b 0010 0040 - one; s2 SPOUSE_OF b a 0010 0045 - two",
      "[\"p\",\"SPOUSE_OF\",\"a\"]: s1 valid_until 0040, s2 valid_until 0045" },
    { "s1 SPOUSE_OF a b 0010 0040 - one; s2 SPOUSE_OF b a 0010-05 0040 - two", "" },
    { "p1 PARENT_OF a d 0300 - - one; p2 PARENT_OF a d 0301 - - two",
      "[\"p\",\"PARENT_OF\",\"d\"]: p1 valid_from 0300, p2 valid_from 0301" },
    { "o1 HOLDS_OFFICE a s 2001 2007 - one; o2 HOLDS_OFFICE a s 2013 2019 - two", "" },
    { "r1 RULES a s 0300 0345 - one; r2 RULES a s 0300 0350 - two; r3 RULES b s 0310 0320 - two",
      "[\"q\",\"RULES\",\"s\"]: r1 from a, r2 from a, r3 from b; "
      "[\"q\",\"RULES\",\"s\"]: r1 valid_until 0345, r2 valid_until 0350" },
    /* what somebody believes or foretells contradicts nobody, and says nothing of what lies where
     */
    { "r1 RULES a s; r2 RULES b s - - @prophetic", "" },
    { "r1 RULES a s; r2 RULES b s - - @Subjective", "" },
    { "r1 RULES a s; r2 RULES b s - - @objective",
      "[\"q\",\"RULES\",\"s\"]: r1 from a, r2 from b" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k PART_OF s t - - @subjective",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    /* kinds that are not in the table, ends that are missing */
    { "k1 KNOWS a b; k2 KNOWS a c", "" },
    { "l1 USES_MATERIAL a -; l2 USES_MATERIAL a s", "" },
    { "l1 USES_MATERIAL a s 0300 0200; l2 USES_MATERIAL a t", "" },
    /* two places, of which neither contains the other */
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; l3 PART_OF a s; l4 PART_OF a t",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t; "
      "[\"p\",\"PART_OF\",\"a\"]: l3 to s, l4 to t" },
    { "l1 LOCATED_IN a s 0300 0310; l2 LOCATED_IN a t 0310 0320", "" },
    /* one contains the other, by whatever steps */
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k PART_OF s t", "" },
    { "m1 MEMBER_OF a x; m2 MEMBER_OF a y; k PART_OF x y", "" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k LOCATED_IN t s", "" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k1 PART_OF s x; k2 LOCATED_IN x y; k3 BELONGS_TO y t",
      "" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k1 PART_OF s x; k2 PART_OF t x",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k1 PART_OF s far; k2 PART_OF far entity:t", "" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k KNOWS s t",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    /* of three, who lies in one of the others; and circles */
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; l3 LOCATED_IN a x; k PART_OF s x",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t, l3 to x" },
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a t; k1 PART_OF s x; k2 PART_OF x s; k3 PART_OF y t",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    /* at that time: a step counts while it may hold, and steps that follow each other together */
    { "l1 LOCATED_IN a s 0300 0340; l2 LOCATED_IN a t 0310 0360; k PART_OF s t 0200 0250",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    { "l1 LOCATED_IN a s 0300 0340; l2 LOCATED_IN a t 0310 0360; k PART_OF s t 0310 0340", "" },
    { "l1 LOCATED_IN a s 0300 0340; l2 LOCATED_IN a t 0310 0360; k PART_OF s t 0320",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    { "l1 LOCATED_IN a s 0300 0340; l2 LOCATED_IN a t 0310 0360; k1 PART_OF s x 0300 0330; "
      "k2 PART_OF x t 0200; k3 PART_OF s t 0330 0350",
      "" },
    { "l1 LOCATED_IN a s 0300 0340; l2 LOCATED_IN a t 0310 0360; k1 PART_OF s x 0300 0320; "
      "k2 PART_OF x t 0320 0360",
      "[\"p\",\"LOCATED_IN\",\"a\"]: l1 to s, l2 to t" },
    /* nobody knows what a place that is not stored lies in */
    { "l1 LOCATED_IN a s; l2 LOCATED_IN a far; l3 LOCATED_IN a entity:away", "" },
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const char *got = disputes_of(all[i].relations);
    if (strcmp(got, all[i].disputes))
      fail_msg("%s\ngives    %s\nexpected %s", all[i].relations, got, all[i].disputes);
  }
}

/* The work of all questions of a slot whose n values all lie in each other, or each in all the
 * others through places of its own. */
static size_t work_of_slot(size_t n, bool chains) {
  hm_inclusions l = { 0 };
  hm_containment *c = hm_containment_new(a);
  hm_str *places = hm_alloc_array(a, n, sizeof *places);
  hm_window when;
  size_t work = 0;
  assert_int_equal(hm_window_parse(NULL, HM_EMPTY, HM_EMPTY, 0, &when), HM_WINDOW_OK);
  for (size_t i = 0; i < n; i++) places[i] = hm_str_fmt(a, "p%zu", i);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      if (i != k && (!chains || k == (i + 1) % n))
        hm_inclusions_add(&l, (hm_inclusion){ places[i], places[k], &when });
  hm_containment_fill(c, (hm_inclusions *const[]){ &l }, 1, a);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++) {
      size_t most = hm_containment_work_limit(n), left = most;
      if (i == k) continue;
      assert_true(hm_containment_holds_throughout(c, places[i], places[k], &when, &when, &left));
      work += most - left;
    }
  return work;
}

/* Else one slot of 300 takes minutes, and each of the places has one. */
static void places_all_in_each_other_take_work_in_proportion(void **unused) {
  (void)unused;
  static const size_t sizes[] = { 2, 10, 30, 100, 300 };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int chains = 0; chains < 2; chains++) {
      size_t work = work_of_slot(sizes[i], chains);
      if (work > 20000 * sizes[i]) fail_msg("%zu places: %zu", sizes[i], work);
    }
}

/* hmirror-facts(5) lists the kinds that claim, and no others. */
static void every_kind_is_in_the_manual(void **unused) {
  (void)unused;
  static const char *const subjects[] = { "from", "to", "from and to" };
  const hm_relation_kinds *kinds = hm_config_relation_kinds(NULL);
  static manual_page manual;
  char line[500];
  size_t n = 0;
  if (!manual_read(&manual, "gen/cli/hmirror-facts.5")) fail_msg("no manual");
  manual_rewind(&manual);
  while (manual_line(&manual, line)) {
    if (strcmp(manual.section, "CLAIMS") || strcmp(manual.part, "Relations") ||
        strncmp(line, ".It ", 4) || strstr(line, "Sy "))
      continue;
    assert_true(n < kinds->n);
    const hm_relation_kind *k = &kinds->kinds[n++];
    const char *starts = hm_str_fmt(a, ".It %s Ta %s Ta %u Ta ", k->name, subjects[k->subject],
                                    k->at_once)
                             .p;
    assert_int_equal(strncmp(line, starts, strlen(starts)), 0);
  }
  assert_int_equal(n, kinds->n);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(cases, begin, end),
    cmocka_unit_test_setup_teardown(places_all_in_each_other_take_work_in_proportion, begin, end),
    cmocka_unit_test_setup_teardown(every_kind_is_in_the_manual, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
