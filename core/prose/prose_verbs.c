/* Verbs that name an attribute, and what may follow "is": each row says how its object is read.
 *
 * The longest words that fit are used; rows are looked up by their first letter, and in a row the
 * longest words stand first. A verb in the past is an event and has no row, unless it changes a
 * value ("was raised to 60 s"). Add a verb to the row of its letter and attribute. */
#include <string.h>

#include "core/prose/prose_grammar.h"
#include "core/base/sort.h"

/* Behind "is", "are", "has been"; sorted by the first letter. */
/* clang-format off */
static const prose_row parts[] = {
  { "assigned to", K_NAME, "assignee" },
  { "at version|at", K_VERSION, NULL },
  { "backed by", K_STORE, "store" },
  { "backed up to", K_STORE, "destination" },
  { "based in", K_PLACE, "location" },
  { "based on|built on|built using|built with", K_USE, NULL },
  { "built by", K_STORE, "builder" },
  { "built in", K_FAMILY, "language" },
  { "bundled with", K_FAMILY, "bundler" },
  { "cached for", K_TIME, "cache_ttl" },
  { "cached in|cached on|cached with", K_FAMILY, "cache_store" },
  { "called", K_NAME, "name" },
  { "capped at|capped to", K_LIMIT, NULL },
  { "cast from|cut from", K_FAMILY, "material" },
  { "clocked at|cooled to", K_AT, NULL },
  { "coded in", K_FAMILY, "language" },
  { "coming up on", K_CLOCK, "date" },
  { "compiled with", K_FAMILY, "compiler" },
  { "compressed with", K_FAMILY, "compression" },
  { "configured as|configured to", K_SAME, NULL },
  { "connected over|connected via", K_STORE, "interface" },
  { "delivered through|delivered via", K_STORE, "provider" },
  { "delivered to", K_STORE, "destination" },
  { "deployed in|deployed to", K_FAMILY, "region" },
  { "deployed on", K_STORE, "hosting" },
  { "deployed through|deployed using|deployed via|deployed with", K_STORE, "deploy_tool" },
  { "displayed in", K_STORE, "display_time_zone" },
  { "documented in", K_STORE, "docs" },
  { "documented with", K_STORE, "docs_tool" },
  { "done by|done in|done through|done using|done via|done with", K_STORE, "tool" },
  { "downloaded from", K_STORE, "source" },
  { "driven by", K_NAME, "driver" },
  { "due by|due on", K_CLOCK, "due_date" },
  { "due within", K_TIME, "due" },
  { "encrypted with", K_STORE, "encryption" },
  { "exported to", K_STORE, "destination" },
  { "exposed on port", K_QUANTITY, "port" },
  { "fabricated from|forged from", K_FAMILY, "material" },
  { "fetched from", K_STORE, "source" },
  { "fixed at", K_SAME, NULL },
  { "formatted with", K_FAMILY, "formatter" },
  { "forwarded to", K_STORE, "destination" },
  { "from", K_ORIGIN, "origin" },
  { "fronted by", K_STORE, "server" },
  { "funded by", K_NAME, "sponsor" },
  { "handled by|handled through|handled via", K_STORE, "provider" },
  { "handled in|handled with", K_STORE, "tool" },
  { "hard-coded to|hardcoded to", K_SAME, NULL },
  { "hashed with", K_FAMILY, "hash_algorithm" },
  { "headquartered in", K_PLACE, "headquarters" },
  { "heated to|held between", K_AT, NULL },
  { "held at", K_AT, NULL },
  { "held in", K_STORE, "store" },
  { "held on", K_CLOCK, "date" },
  { "hosted at|hosted by|hosted on|hosted with", K_STORE, "hosting" },
  { "hosted in", K_FAMILY, "region" },
  { "implemented in", K_FAMILY, "language" },
  { "in", K_PLACE, "location" },
  { "issued by|issued through", K_STORE, "issuer" },
  { "kept at", K_AT, NULL },
  { "kept for", K_TIME, "retention" },
  { "kept in|kept under", K_STORE, "store" },
  { "led by", K_NAME, "lead" },
  { "licensed under", K_FAMILY, "license" },
  { "limited to", K_LIMIT, NULL },
  { "linted with", K_FAMILY, "linter" },
  { "live for", K_TIME, "lifetime" },
  { "located in", K_PLACE, "location" },
  { "locked to", K_VERSION, NULL },
  { "logged to", K_STORE, "destination" },
  { "machined out of|made out of|machined from|made from|made of|milled from"
    "machined out of|made out of|machined from|made from|made of|"
    "milled from", K_FAMILY, "material" },
  { "made by|manufactured by", K_NAME, "manufacturer" },
  { "maintained by", K_NAME, "maintainer" },
  { "managed by|managed in|managed on|managed through|managed using|managed via|"
    "managed with", K_STORE, "tool" },
  { "mirrored to", K_STORE, "destination" },
  { "monitored with", K_FAMILY, "monitoring" },
  { "named", K_NAME, "name" },
  { "on", K_VERSION, NULL },
  { "on port", K_QUANTITY, "port" },
  { "open until", K_CLOCK, "closing_time" },
  { "operated at", K_AT, NULL },
  { "operated by", K_NAME, "operator" },
  { "orchestrated by|orchestrated with", K_FAMILY, "orchestrator" },
  { "originally from", K_ORIGIN, "origin" },
  { "owned by", K_NAME, "owner" },
  { "packaged with|powered by", K_USE, NULL },
  { "payable within", K_TIME, "due" },
  { "persisted in", K_STORE, "store" },
  { "pinned at|pinned to", K_VERSION, NULL },
  { "plated with|printed in", K_FAMILY, "material" },
  { "posted to|pushed to", K_STORE, "destination" },
  { "processed by|provided by", K_STORE, "provider" },
  { "published on|published to", K_STORE, "registry" },
  { "pulled from", K_STORE, "source" },
  { "rate-limited to|restricted to", K_LIMIT, NULL },
  { "rated at|rated for|rated to", K_AT, "rated" },
  { "read from", K_STORE, "source" },
  { "released under", K_FAMILY, "license" },
  { "reported to|routed to", K_STORE, "destination" },
  { "retained for", K_TIME, "retention" },
  { "reviewed by", K_NAME, "reviewer" },
  { "routed through", K_STORE, "route" },
  { "run at", K_AT, NULL },
  { "run by", K_NAME, "operator" },
  { "run on|run with", K_USE, NULL },
  { "sampled at|stored at", K_AT, NULL },
  { "saved in|saved to|stored in|stored on", K_STORE, "store" },
  { "scheduled for", K_CLOCK, "date" },
  { "searched with", K_FAMILY, "search_engine" },
  { "sent by|sent through|sent using|sent via|sent with", K_STORE, "provider" },
  { "served by|served from|served through|served via", K_STORE, "server" },
  { "served on port", K_QUANTITY, "port" },
  { "set at|set to", K_SAME, NULL },
  { "set up on", K_STORE, "hosting" },
  { "shipped to|streamed to", K_STORE, "destination" },
  { "shown in", K_STORE, "display_time_zone" },
  { "sold by|supplied by", K_NAME, "supplier" },
  { "sourced from", K_NAME, "source" },
  { "sponsored by", K_NAME, "sponsor" },
  { "stored as", K_STORE, "format" },
  { "stored for", K_TIME, "retention" },
  { "styled with", K_FAMILY, "style_library" },
  { "taught by", K_NAME, "teacher" },
  { "tested in|tested using|tested with", K_FAMILY, "test_runner" },
  { "throttled to", K_LIMIT, NULL },
  { "tracked in|tracked through|tracked with", K_STORE, "tracker" },
  { "uploaded to", K_STORE, "destination" },
  { "used as", K_AS, NULL },
  { "used for", K_AS, "tool" },
  { "valid for", K_TIME, "expiry" },
  { "valid until", K_CLOCK, "expiry_date" },
  { "validated with", K_STORE, "validation_tool" },
  { "versioned in", K_STORE, "store" },
  { "waking up around|waking up at", K_CLOCK, "wake_up_time" },
  { "worth", K_QUANTITY, "worth" },
  { "written in", K_FAMILY, "language" },
  { "written to", K_STORE, "destination" },
  { "written using|written with", K_USE, NULL },
};
/* clang-format on */

/* Verbs in the present; sorted by the first letter. */
/* clang-format off */
static const prose_row verbs[] = {
  { "accept|accepts", K_SET, "supported" },
  { "allow|allows", K_ALLOW, NULL },
  { "arrive at|arrives at", K_CLOCK, "arrival_time" },
  { "authenticate via|authenticate with|authenticates via|authenticates with"
    "authenticate via|authenticate with|authenticates via|"
    "authenticates with", K_STORE, "authentication" },
  { "backs up to", K_STORE, "destination" },
  { "begin at|begins at", K_CLOCK, "start_time" },
  { "begin on|begins on", K_CLOCK, "start_date" },
  { "build on|build with|builds on|builds with", K_USE, NULL },
  { "bundle with", K_FAMILY, "bundler" },
  { "carries|carry", K_QUANTITY, "load" },
  { "changed|climbed", K_SHIFT, NULL },
  { "charges", K_QUANTITY, "price" },
  { "closes at", K_CLOCK, "closing_time" },
  { "closes on", K_CLOCK, "closing_date" },
  { "come from|comes from", K_ORIGIN, "origin" },
  { "comes with|consists of|contains", K_HAS, NULL },
  { "communicate over|communicate via", K_FAMILY, "api_style" },
  { "connect over|connect via|connects over|connects via", K_STORE, "interface" },
  { "connects to", K_USE, NULL },
  { "cost|costs", K_QUANTITY, "cost" },
  { "covers", K_QUANTITY, "coverage" },
  { "declined|decreased|dropped", K_SHIFT, NULL },
  { "defaults to", K_SAME, "" },
  { "depart at|departs at", K_CLOCK, "departure_time" },
  { "deploy to|deploys to", K_FAMILY, "region" },
  { "deploys through|deploys via|deploys with", K_STORE, "deploy_tool" },
  { "draws", K_AT, NULL },
  { "emit at|emits at", K_AT, NULL },
  { "end at|ends at", K_CLOCK, "end_time" },
  { "end on|ends on", K_CLOCK, "end_date" },
  { "equals", K_SAME, NULL },
  { "expire after|expire in|expires after|expires in", K_TIME, "expiry" },
  { "expire on|expires on", K_CLOCK, "expiry_date" },
  { "fell", K_SHIFT, NULL },
  { "fires every", K_EVERY, "interval" },
  { "flushes every", K_EVERY, "flush_interval" },
  { "get|gets", K_ALLOW, NULL },
  { "get up at|gets up at", K_CLOCK, "wake_up_time" },
  { "give up after|gives up after", K_TIME, "timeout" },
  { "go through|goes through", K_STORE, "route" },
  { "go to|goes to", K_STORE, "destination" },
  { "go to bed around|go to bed at|goes to bed around|goes to bed at", K_CLOCK, "bedtime" },
  { "grew", K_SHIFT, NULL },
  { "handles", K_CAP, NULL },
  { "happen in|happen through|happen via|happens in|happens through|happens via", K_STORE, "tool" },
  { "has|have|hold|holds", K_HAS, NULL },
  { "include|includes", K_ALLOW, NULL },
  { "increased", K_SHIFT, NULL },
  { "jumped", K_SHIFT, NULL },
  { "keep|keeps", K_TIME, "retention" },
  { "land in|lands in", K_STORE, "destination" },
  { "last|lasts", K_TIME, "duration" },
  { "last until|lasts until", K_CLOCK, "end_date" },
  { "leaves at", K_CLOCK, "departure_time" },
  { "lint with", K_FAMILY, "linter" },
  { "listen on port|listens on port|listen on|listens on", K_QUANTITY, "port" },
  { "live at|live in|lives at|lives in", K_PLACE, "residence" },
  { "live for|lives for", K_TIME, "lifetime" },
  { "live on|lives on", K_STORE, "hosting" },
  { "measure|measures", K_QUANTITY, "length" },
  { "migrated|moved", K_MOVE, NULL },
  { "need|needs", K_NEED, NULL },
  { "offers", K_ALLOW, NULL },
  { "opens at", K_CLOCK, "opening_time" },
  { "opens on", K_CLOCK, "opening_date" },
  { "operate at|operates at", K_AT, NULL },
  { "operates on", K_USE, NULL },
  { "own|owns", K_HAS, NULL },
  { "permits|provides", K_ALLOW, NULL },
  { "polls every", K_EVERY, "poll_interval" },
  { "pulls from", K_STORE, "source" },
  { "rate-limits to|rate-limits", K_LIMIT, NULL },
  { "records at|rotates at|reaches", K_AT, NULL },
  { "read from|reads from", K_STORE, "source" },
  { "refreshes every", K_EVERY, "refresh_interval" },
  { "renew on|renews on", K_CLOCK, "renewal_date" },
  { "reports to", K_NAME, "manager" },
  { "require|requires", K_NEED, NULL },
  { "resides in", K_PLACE, "residence" },
  { "respond in|respond within|responds in|responds within", K_TIME, "response_time" },
  { "retain|retains", K_TIME, "retention" },
  { "return|returns", K_CAP, NULL },
  { "rose", K_SHIFT, NULL },
  { "rotate every|rotates every", K_EVERY, "rotation_interval" },
  { "run on|run with|runs on|runs with|run|runs", K_USE, NULL },
  { "runs daily at|runs nightly at|run at|runs at", K_CLOCK, "start_time" },
  { "run every|runs every", K_EVERY, "interval" },
  { "run in|runs in", K_FAMILY, "region" },
  { "run version|runs version", K_VERSION, NULL },
  { "runs on port", K_QUANTITY, "port" },
  { "runs until", K_CLOCK, "end_date" },
  { "samples at|spins at", K_AT, NULL },
  { "serves", K_CAP, NULL },
  { "ship to|ships to", K_STORE, "destination" },
  { "ship version|ships version", K_VERSION, NULL },
  { "ships with|speaks", K_USE, NULL },
  { "shrank", K_SHIFT, NULL },
  { "sits in", K_FAMILY, "region" },
  { "start at|starts at", K_CLOCK, "start_time" },
  { "start on|starts on", K_CLOCK, "start_date" },
  { "stays open until", K_CLOCK, "closing_time" },
  { "support|supports", K_SET, "supported" },
  { "switched", K_MOVE, NULL },
  { "syncs every", K_EVERY, "sync_interval" },
  { "take|takes", K_TIME, "duration" },
  { "talks|target|targets", K_USE, NULL },
  { "time out after|time out in|times out after|times out in", K_TIME, "timeout" },
  { "totals", K_QUANTITY, "total" },
  { "use|uses", K_USE, NULL },
  { "use version|uses version", K_VERSION, NULL },
  { "wake up around|wake up at|wakes up around|wakes up at", K_CLOCK, "wake_up_time" },
  { "weigh|weighs", K_QUANTITY, "mass" },
  { "went", K_SHIFT, NULL },
  { "work at|work for|works at|works for", K_NAME, "employer" },
  { "writes to", K_STORE, "destination" },
};
/* clang-format on */

static int by_first(const void *item, const void *key) {
  return ((const prose_row *)item)->words[0] - *(const char *)key;
}

static const prose_row *find_row(const prose *p, const prose_row *rows, size_t n, size_t i,
                                 size_t end, size_t *words) {
  const prose_row *best = NULL;
  *words = 0;
  if (i >= end)
    return NULL;
  char first = p->t[i].first;
  for (size_t from = hm_lower_bound(rows, n, sizeof *rows, &first, by_first);
       from < n && rows[from].words[0] == first; from++) {
    size_t w = prose_one_of(p, i, end, rows[from].words);
    if (w > *words)
      *words = w, best = &rows[from];
  }
  return best;
}

const prose_row *prose_part_row(const prose *p, size_t i, size_t end, size_t *words) {
  return find_row(p, parts, HM_COUNT(parts), i, end, words);
}

const prose_row *prose_verb_row(const prose *p, size_t i, size_t end, size_t *words) {
  return find_row(p, verbs, HM_COUNT(verbs), i, end, words);
}

bool prose_is_noun_here(const prose *p, size_t k, size_t i, size_t end) {
  const uint64_t of_phrase = C_MEASURE | C_NAMED | C_KIND | C_MODEL | C_VERB | C_PERSON;
  for (size_t a = k + 1; k == i && a < end && a < k + 4; a++) { /* "support material is" */
    if (p->t[a].cls & (C_BE | C_WAS | C_HAVE))
      return true;
    if ((p->t[a].cls & ~of_phrase) || p->t[a].digit || p->t[a].stop)
      return false;
  }
  if (k == i)
    return false;
  if (prose_has(p, k + 1, end, C_BE | C_WAS))
    return true;
  return prose_has(p, k - 1, end, C_ARTICLE | C_OWNER | C_PREP) || p->t[k - 1].owns;
}
