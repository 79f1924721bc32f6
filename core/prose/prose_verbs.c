/* Verbs that name an attribute, and what may follow "is": each row says how its object is read.
 *
 * The longest row that fits is used; rows are looked up by their first letter. A verb in the past
 * is an event and has no row, unless it changes a value ("was raised to 60 s"). Add a verb as a row
 * here, in its place. */
#include <string.h>

#include "core/prose/prose_grammar.h"

/* Behind "is", "are", "has been"; sorted by the first word. */
/* clang-format off */
static const prose_row parts[] = {
  { "assigned to", K_NAME, "assignee" }, { "at", K_VERSION, NULL },
  { "at version", K_VERSION, NULL }, { "backed by", K_STORE, "store" },
  { "backed up to", K_STORE, "destination" }, { "based in", K_PLACE, "location" },
  { "based on", K_USE, NULL }, { "built by", K_STORE, "builder" },
  { "built in", K_FAMILY, "language" }, { "built on", K_USE, NULL }, { "built using", K_USE, NULL },
  { "built with", K_USE, NULL }, { "bundled with", K_FAMILY, "bundler" },
  { "cached for", K_TIME, "cache_ttl" }, { "cached in", K_FAMILY, "cache_store" },
  { "cached on", K_FAMILY, "cache_store" }, { "cached with", K_FAMILY, "cache_store" },
  { "called", K_NAME, "name" }, { "capped at", K_LIMIT, NULL }, { "capped to", K_LIMIT, NULL },
  { "cast from", K_FAMILY, "material" }, { "clocked at", K_AT, NULL },
  { "coded in", K_FAMILY, "language" }, { "coming up on", K_CLOCK, "date" },
  { "compiled with", K_FAMILY, "compiler" }, { "compressed with", K_FAMILY, "compression" },
  { "configured as", K_SAME, NULL }, { "configured to", K_SAME, NULL },
  { "connected over", K_STORE, "interface" }, { "connected via", K_STORE, "interface" },
  { "cooled to", K_AT, NULL }, { "cut from", K_FAMILY, "material" },
  { "delivered through", K_STORE, "provider" }, { "delivered to", K_STORE, "destination" },
  { "delivered via", K_STORE, "provider" }, { "deployed in", K_FAMILY, "region" },
  { "deployed on", K_STORE, "hosting" }, { "deployed through", K_STORE, "deploy_tool" },
  { "deployed to", K_FAMILY, "region" }, { "deployed using", K_STORE, "deploy_tool" },
  { "deployed via", K_STORE, "deploy_tool" }, { "deployed with", K_STORE, "deploy_tool" },
  { "displayed in", K_STORE, "display_time_zone" }, { "documented in", K_STORE, "docs" },
  { "documented with", K_STORE, "docs_tool" }, { "done by", K_STORE, "tool" },
  { "done in", K_STORE, "tool" }, { "done through", K_STORE, "tool" },
  { "done using", K_STORE, "tool" }, { "done via", K_STORE, "tool" },
  { "done with", K_STORE, "tool" }, { "downloaded from", K_STORE, "source" },
  { "driven by", K_NAME, "driver" }, { "due by", K_CLOCK, "due_date" },
  { "due on", K_CLOCK, "due_date" }, { "due within", K_TIME, "due" },
  { "encrypted with", K_STORE, "encryption" }, { "exported to", K_STORE, "destination" },
  { "exposed on port", K_QUANTITY, "port" }, { "fabricated from", K_FAMILY, "material" },
  { "fetched from", K_STORE, "source" }, { "fixed at", K_SAME, NULL },
  { "forged from", K_FAMILY, "material" }, { "formatted with", K_FAMILY, "formatter" },
  { "forwarded to", K_STORE, "destination" }, { "from", K_ORIGIN, "origin" },
  { "fronted by", K_STORE, "server" }, { "funded by", K_NAME, "sponsor" },
  { "handled by", K_STORE, "provider" }, { "handled in", K_STORE, "tool" },
  { "handled through", K_STORE, "provider" }, { "handled via", K_STORE, "provider" },
  { "handled with", K_STORE, "tool" }, { "hard-coded to", K_SAME, NULL },
  { "hardcoded to", K_SAME, NULL }, { "hashed with", K_FAMILY, "hash_algorithm" },
  { "headquartered in", K_PLACE, "headquarters" }, { "heated to", K_AT, NULL },
  { "held at", K_AT, NULL }, { "held between", K_AT, NULL }, { "held in", K_STORE, "store" },
  { "held on", K_CLOCK, "date" }, { "hosted at", K_STORE, "hosting" },
  { "hosted by", K_STORE, "hosting" }, { "hosted in", K_FAMILY, "region" },
  { "hosted on", K_STORE, "hosting" }, { "hosted with", K_STORE, "hosting" },
  { "implemented in", K_FAMILY, "language" }, { "in", K_PLACE, "location" },
  { "issued by", K_STORE, "issuer" }, { "issued through", K_STORE, "issuer" },
  { "kept at", K_AT, NULL }, { "kept for", K_TIME, "retention" }, { "kept in", K_STORE, "store" },
  { "kept under", K_STORE, "store" }, { "led by", K_NAME, "lead" },
  { "licensed under", K_FAMILY, "license" }, { "limited to", K_LIMIT, NULL },
  { "linted with", K_FAMILY, "linter" }, { "live for", K_TIME, "lifetime" },
  { "located in", K_PLACE, "location" }, { "locked to", K_VERSION, NULL },
  { "logged to", K_STORE, "destination" }, { "machined from", K_FAMILY, "material" },
  { "machined out of", K_FAMILY, "material" }, { "made by", K_NAME, "manufacturer" },
  { "made from", K_FAMILY, "material" }, { "made of", K_FAMILY, "material" },
  { "made out of", K_FAMILY, "material" }, { "maintained by", K_NAME, "maintainer" },
  { "managed by", K_STORE, "tool" }, { "managed in", K_STORE, "tool" },
  { "managed on", K_STORE, "tool" }, { "managed through", K_STORE, "tool" },
  { "managed using", K_STORE, "tool" }, { "managed via", K_STORE, "tool" },
  { "managed with", K_STORE, "tool" }, { "manufactured by", K_NAME, "manufacturer" },
  { "milled from", K_FAMILY, "material" }, { "mirrored to", K_STORE, "destination" },
  { "monitored with", K_FAMILY, "monitoring" }, { "named", K_NAME, "name" },
  { "on", K_VERSION, NULL }, { "on port", K_QUANTITY, "port" },
  { "open until", K_CLOCK, "closing_time" }, { "operated at", K_AT, NULL },
  { "operated by", K_NAME, "operator" }, { "orchestrated by", K_FAMILY, "orchestrator" },
  { "orchestrated with", K_FAMILY, "orchestrator" }, { "originally from", K_ORIGIN, "origin" },
  { "owned by", K_NAME, "owner" }, { "packaged with", K_USE, NULL },
  { "payable within", K_TIME, "due" }, { "persisted in", K_STORE, "store" },
  { "pinned at", K_VERSION, NULL }, { "pinned to", K_VERSION, NULL },
  { "plated with", K_FAMILY, "material" }, { "posted to", K_STORE, "destination" },
  { "powered by", K_USE, NULL }, { "printed in", K_FAMILY, "material" },
  { "processed by", K_STORE, "provider" }, { "provided by", K_STORE, "provider" },
  { "published on", K_STORE, "registry" }, { "published to", K_STORE, "registry" },
  { "pulled from", K_STORE, "source" }, { "pushed to", K_STORE, "destination" },
  { "rate-limited to", K_LIMIT, NULL }, { "rated at", K_AT, "rated" },
  { "rated for", K_AT, "rated" }, { "rated to", K_AT, "rated" }, { "read from", K_STORE, "source" },
  { "released under", K_FAMILY, "license" }, { "reported to", K_STORE, "destination" },
  { "restricted to", K_LIMIT, NULL }, { "retained for", K_TIME, "retention" },
  { "reviewed by", K_NAME, "reviewer" }, { "routed through", K_STORE, "route" },
  { "routed to", K_STORE, "destination" }, { "run at", K_AT, NULL },
  { "run by", K_NAME, "operator" }, { "run on", K_USE, NULL }, { "run with", K_USE, NULL },
  { "sampled at", K_AT, NULL }, { "saved in", K_STORE, "store" }, { "saved to", K_STORE, "store" },
  { "scheduled for", K_CLOCK, "date" }, { "searched with", K_FAMILY, "search_engine" },
  { "sent by", K_STORE, "provider" }, { "sent through", K_STORE, "provider" },
  { "sent using", K_STORE, "provider" }, { "sent via", K_STORE, "provider" },
  { "sent with", K_STORE, "provider" }, { "served by", K_STORE, "server" },
  { "served from", K_STORE, "server" }, { "served on port", K_QUANTITY, "port" },
  { "served through", K_STORE, "server" }, { "served via", K_STORE, "server" },
  { "set at", K_SAME, NULL }, { "set to", K_SAME, NULL }, { "set up on", K_STORE, "hosting" },
  { "shipped to", K_STORE, "destination" }, { "shown in", K_STORE, "display_time_zone" },
  { "sold by", K_NAME, "supplier" }, { "sourced from", K_NAME, "source" },
  { "sponsored by", K_NAME, "sponsor" }, { "stored as", K_STORE, "format" },
  { "stored at", K_AT, NULL }, { "stored for", K_TIME, "retention" },
  { "stored in", K_STORE, "store" }, { "stored on", K_STORE, "store" },
  { "streamed to", K_STORE, "destination" }, { "styled with", K_FAMILY, "style_library" },
  { "supplied by", K_NAME, "supplier" }, { "taught by", K_NAME, "teacher" },
  { "tested in", K_FAMILY, "test_runner" }, { "tested using", K_FAMILY, "test_runner" },
  { "tested with", K_FAMILY, "test_runner" }, { "throttled to", K_LIMIT, NULL },
  { "tracked in", K_STORE, "tracker" }, { "tracked through", K_STORE, "tracker" },
  { "tracked with", K_STORE, "tracker" }, { "uploaded to", K_STORE, "destination" },
  { "used as", K_AS, NULL }, { "used for", K_AS, "tool" }, { "valid for", K_TIME, "expiry" },
  { "valid until", K_CLOCK, "expiry_date" }, { "validated with", K_STORE, "validation_tool" },
  { "versioned in", K_STORE, "store" }, { "waking up around", K_CLOCK, "wake_up_time" },
  { "waking up at", K_CLOCK, "wake_up_time" }, { "worth", K_QUANTITY, "worth" },
  { "written in", K_FAMILY, "language" }, { "written to", K_STORE, "destination" },
  { "written using", K_USE, NULL }, { "written with", K_USE, NULL },
};
/* clang-format on */

/* Verbs in the present; sorted by the first word. */
/* clang-format off */
static const prose_row verbs[] = {
  { "accept", K_SET, "supported" }, { "accepts", K_SET, "supported" }, { "allow", K_ALLOW, NULL },
  { "allows", K_ALLOW, NULL }, { "arrive at", K_CLOCK, "arrival_time" },
  { "arrives at", K_CLOCK, "arrival_time" }, { "authenticate via", K_STORE, "authentication" },
  { "authenticate with", K_STORE, "authentication" },
  { "authenticates via", K_STORE, "authentication" },
  { "authenticates with", K_STORE, "authentication" }, { "backs up to", K_STORE, "destination" },
  { "begin at", K_CLOCK, "start_time" }, { "begin on", K_CLOCK, "start_date" },
  { "begins at", K_CLOCK, "start_time" }, { "begins on", K_CLOCK, "start_date" },
  { "builds with", K_USE, NULL }, { "bundle with", K_FAMILY, "bundler" },
  { "carries", K_QUANTITY, "load" }, { "carry", K_QUANTITY, "load" }, { "changed", K_SHIFT, NULL },
  { "charges", K_QUANTITY, "price" }, { "climbed", K_SHIFT, NULL },
  { "closes at", K_CLOCK, "closing_time" }, { "closes on", K_CLOCK, "closing_date" },
  { "come from", K_ORIGIN, "origin" }, { "comes from", K_ORIGIN, "origin" },
  { "comes with", K_HAS, NULL }, { "communicate over", K_FAMILY, "api_style" },
  { "communicate via", K_FAMILY, "api_style" }, { "connect over", K_STORE, "interface" },
  { "connect via", K_STORE, "interface" }, { "connects over", K_STORE, "interface" },
  { "connects to", K_USE, NULL }, { "connects via", K_STORE, "interface" },
  { "consists of", K_HAS, NULL }, { "contains", K_HAS, NULL }, { "cost", K_QUANTITY, "cost" },
  { "costs", K_QUANTITY, "cost" }, { "covers", K_QUANTITY, "coverage" },
  { "declined", K_SHIFT, NULL }, { "decreased", K_SHIFT, NULL }, { "defaults to", K_SAME, "" },
  { "depart at", K_CLOCK, "departure_time" }, { "departs at", K_CLOCK, "departure_time" },
  { "deploy to", K_FAMILY, "region" }, { "deploys through", K_STORE, "deploy_tool" },
  { "deploys to", K_FAMILY, "region" }, { "deploys via", K_STORE, "deploy_tool" },
  { "deploys with", K_STORE, "deploy_tool" }, { "draws", K_AT, NULL }, { "dropped", K_SHIFT, NULL },
  { "emit at", K_AT, NULL }, { "emits at", K_AT, NULL }, { "end at", K_CLOCK, "end_time" },
  { "end on", K_CLOCK, "end_date" }, { "ends at", K_CLOCK, "end_time" },
  { "ends on", K_CLOCK, "end_date" }, { "equals", K_SAME, NULL },
  { "expire after", K_TIME, "expiry" }, { "expire in", K_TIME, "expiry" },
  { "expire on", K_CLOCK, "expiry_date" }, { "expires after", K_TIME, "expiry" },
  { "expires in", K_TIME, "expiry" }, { "expires on", K_CLOCK, "expiry_date" },
  { "fell", K_SHIFT, NULL }, { "fires every", K_EVERY, "interval" },
  { "flushes every", K_EVERY, "flush_interval" }, { "get", K_ALLOW, NULL },
  { "get up at", K_CLOCK, "wake_up_time" }, { "gets", K_ALLOW, NULL },
  { "gets up at", K_CLOCK, "wake_up_time" }, { "give up after", K_TIME, "timeout" },
  { "gives up after", K_TIME, "timeout" }, { "go through", K_STORE, "route" },
  { "go to", K_STORE, "destination" }, { "go to bed around", K_CLOCK, "bedtime" },
  { "go to bed at", K_CLOCK, "bedtime" }, { "goes through", K_STORE, "route" },
  { "goes to", K_STORE, "destination" }, { "goes to bed around", K_CLOCK, "bedtime" },
  { "goes to bed at", K_CLOCK, "bedtime" }, { "grew", K_SHIFT, NULL }, { "handles", K_CAP, NULL },
  { "happen in", K_STORE, "tool" }, { "happen through", K_STORE, "tool" },
  { "happen via", K_STORE, "tool" }, { "happens in", K_STORE, "tool" },
  { "happens through", K_STORE, "tool" }, { "happens via", K_STORE, "tool" },
  { "has", K_HAS, NULL }, { "have", K_HAS, NULL }, { "hold", K_HAS, NULL },
  { "holds", K_HAS, NULL }, { "include", K_ALLOW, NULL },
  { "includes", K_ALLOW, NULL }, { "increased", K_SHIFT, NULL }, { "jumped", K_SHIFT, NULL },
  { "keep", K_TIME, "retention" }, { "keeps", K_TIME, "retention" },
  { "land in", K_STORE, "destination" }, { "lands in", K_STORE, "destination" },
  { "last", K_TIME, "duration" }, { "last until", K_CLOCK, "end_date" },
  { "lasts", K_TIME, "duration" }, { "lasts until", K_CLOCK, "end_date" },
  { "leaves at", K_CLOCK, "departure_time" }, { "lint with", K_FAMILY, "linter" },
  { "listen on", K_QUANTITY, "port" }, { "listen on port", K_QUANTITY, "port" },
  { "listens on", K_QUANTITY, "port" }, { "listens on port", K_QUANTITY, "port" },
  { "live at", K_PLACE, "residence" }, { "live for", K_TIME, "lifetime" },
  { "live in", K_PLACE, "residence" }, { "live on", K_STORE, "hosting" },
  { "lives at", K_PLACE, "residence" }, { "lives for", K_TIME, "lifetime" },
  { "lives in", K_PLACE, "residence" }, { "lives on", K_STORE, "hosting" },
  { "measure", K_QUANTITY, "length" }, { "measures", K_QUANTITY, "length" },
  { "migrated", K_MOVE, NULL }, { "moved", K_MOVE, NULL }, { "need", K_NEED, NULL },
  { "needs", K_NEED, NULL }, { "offers", K_ALLOW, NULL }, { "opens at", K_CLOCK, "opening_time" },
  { "opens on", K_CLOCK, "opening_date" }, { "operate at", K_AT, NULL },
  { "operates at", K_AT, NULL }, { "operates on", K_USE, NULL }, { "own", K_HAS, NULL },
  { "owns", K_HAS, NULL }, { "permits", K_ALLOW, NULL },
  { "polls every", K_EVERY, "poll_interval" }, { "provides", K_ALLOW, NULL },
  { "pulls from", K_STORE, "source" }, { "rate-limits", K_LIMIT, NULL },
  { "rate-limits to", K_LIMIT, NULL }, { "reaches", K_AT, NULL },
  { "read from", K_STORE, "source" }, { "reads from", K_STORE, "source" },
  { "records at", K_AT, NULL }, { "refreshes every", K_EVERY, "refresh_interval" },
  { "renew on", K_CLOCK, "renewal_date" }, { "renews on", K_CLOCK, "renewal_date" },
  { "reports to", K_NAME, "manager" }, { "require", K_NEED, NULL }, { "requires", K_NEED, NULL },
  { "resides in", K_PLACE, "residence" }, { "retain", K_TIME, "retention" },
  { "retains", K_TIME, "retention" }, { "return", K_CAP, NULL }, { "returns", K_CAP, NULL },
  { "rose", K_SHIFT, NULL }, { "rotate every", K_EVERY, "rotation_interval" },
  { "rotates at", K_AT, NULL }, { "rotates every", K_EVERY, "rotation_interval" },
  { "run", K_USE, NULL }, { "run at", K_CLOCK, "start_time" }, { "run every", K_EVERY, "interval" },
  { "run in", K_FAMILY, "region" }, { "run on", K_USE, NULL }, { "run version", K_VERSION, NULL },
  { "run with", K_USE, NULL }, { "runs", K_USE, NULL }, { "runs at", K_CLOCK, "start_time" },
  { "runs daily at", K_CLOCK, "start_time" }, { "runs every", K_EVERY, "interval" },
  { "runs in", K_FAMILY, "region" }, { "runs nightly at", K_CLOCK, "start_time" },
  { "runs on", K_USE, NULL }, { "runs on port", K_QUANTITY, "port" },
  { "runs until", K_CLOCK, "end_date" }, { "runs version", K_VERSION, NULL },
  { "runs with", K_USE, NULL }, { "samples at", K_AT, NULL }, { "serves", K_CAP, NULL },
  { "ship to", K_STORE, "destination" }, { "ship version", K_VERSION, NULL },
  { "ships to", K_STORE, "destination" }, { "ships version", K_VERSION, NULL },
  { "ships with", K_USE, NULL }, { "shrank", K_SHIFT, NULL }, { "sits in", K_FAMILY, "region" },
  { "speaks", K_USE, NULL }, { "spins at", K_AT, NULL }, { "start at", K_CLOCK, "start_time" },
  { "start on", K_CLOCK, "start_date" }, { "starts at", K_CLOCK, "start_time" },
  { "starts on", K_CLOCK, "start_date" }, { "stays open until", K_CLOCK, "closing_time" },
  { "support", K_SET, "supported" }, { "supports", K_SET, "supported" },
  { "switched", K_MOVE, NULL }, { "syncs every", K_EVERY, "sync_interval" },
  { "take", K_TIME, "duration" }, { "takes", K_TIME, "duration" }, { "talks", K_USE, NULL },
  { "target", K_USE, NULL }, { "targets", K_USE, NULL }, { "time out after", K_TIME, "timeout" },
  { "time out in", K_TIME, "timeout" }, { "times out after", K_TIME, "timeout" },
  { "times out in", K_TIME, "timeout" }, { "totals", K_QUANTITY, "total" }, { "use", K_USE, NULL },
  { "use version", K_VERSION, NULL }, { "uses", K_USE, NULL }, { "uses version", K_VERSION, NULL },
  { "wake up around", K_CLOCK, "wake_up_time" }, { "wake up at", K_CLOCK, "wake_up_time" },
  { "wakes up around", K_CLOCK, "wake_up_time" }, { "wakes up at", K_CLOCK, "wake_up_time" },
  { "weigh", K_QUANTITY, "mass" }, { "weighs", K_QUANTITY, "mass" }, { "went", K_SHIFT, NULL },
  { "work at", K_NAME, "employer" }, { "work for", K_NAME, "employer" },
  { "works at", K_NAME, "employer" }, { "works for", K_NAME, "employer" },
  { "writes to", K_STORE, "destination" },
};
/* clang-format on */

static const prose_row *find_row(const prose *p, const prose_row *rows, size_t n, size_t i,
                                 size_t end, size_t *words) {
  const prose_row *best = NULL;
  size_t from = 0, to = n;
  *words = 0;
  if (i >= end)
    return NULL;
  char first = p->t[i].first;
  while (from < to) {
    size_t mid = (from + to) / 2;
    if (rows[mid].words[0] < first)
      from = mid + 1;
    else
      to = mid;
  }
  for (; from < n && rows[from].words[0] == first; from++) {
    size_t w = prose_are(p, i, end, rows[from].words);
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
