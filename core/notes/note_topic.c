/* What a value in a document is about: the stems of the words around it.
 *
 * Two values are of one slot if these words are the same, and the dimension is. For values of other
 * wordings a topic has hints beside its slot (core/claim/topic.h): what the sentence stands below,
 * which words are verbs, which word says more of which. Words that say the same are one (max,
 * maximum), and words of grammar are none. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/base/digest.h"
#include "core/base/camel.h"
#include "core/base/text.h"
#include "core/notes/notes_impl.h"

/* --- words ------------------------------------------------------------------------------------ */

static const char grammar[] =
    "a|after|all|also|always|"
    "an|and|any|are|as|at|automatically|be|been|being|both|by|can|currently|do|"
    "does|each|either|every|everywhere|for|from|get|gets|given|has|have|having|here|how|i|in|into|"
    "is|it|its|itself|just|may|must|need|needs|now|of|on|onto|or|our|out|own|per|same|shall|"
    "should|so|takes|than|that|the|their|them|then|there|these|they|this|those|through|to|up|"
    "us|via|we|when|where|which|who|whose|with|within|without|you|your|al|am|au|auf|aus|aux|"
    "avec|bei|beim|ces|cette|chaque|con|d|dans|darf|das|de|debe|deben|del|dem|den|der|des|die|"
    "doit|doivent|du|durch|ein|eine|einem|einen|einer|el|elle|en|es|est|est\u00E1|est\u00E1n|"
    "este|et|f\u00FCr|hat|haben|hay|ihr|il|ils|im|ins|ist|jede|jeden|jeder|jedes|kann|l|la|las|"
    "le|les|los|man|mit|muss|m\u00FCssen|nach|notre|nous|on|para|par|por|pour|que|qui|s|se|sein|"
    "sich|sie|sind|son|sont|su|sur|sus|tiene|tienen|um|un|una|und|une|unser|unsere|vom|von|vor|"
    "vous|werden|wird|wir|y|zu|zum|zur|\u00E0";

/* Stems of kinds of things: the thing itself is named beside them. */
static const char kinds[] =
    "app|applic|chart|cluster|codebas|dag|entri|field|file|flag|index|job|monorepo|note|option|"
    "paramet|plan|program|project|record|repositori|row|servic|set|system|tabl|task|topic|"
    "variabl|workspac";

/* Stems that say no more than the dimension, where others are left. */
static const struct {
  const char *dimension, *stems;
} implied[] = {
  { "bitrate", "bitrat|rate|speed|use" },
  { "command", "call|code|command|execut|first|instead|invok|pleas|run|script|use" },
  { "baud", "connect|input|speed|talk|wait" },
  { "count",
    "allow|book|compris|consist|contain|current|hold|includ|make|number|sent|start|store|total|"
    "use" },
  { "duration", "durat|last|length|lifetim|period|take|time" },
  { "hours", "hour|time|zeit|zeiten" },
  { "interval", "frequenc|held|interv|place|run|sent|start|take" },
  { "mass", "amount|weigh|weight" },
  { "money", "cost|fee|pay|paid|price" },
  { "name",
    "app|base|built|choic|current|default|done|everyth|goe|handl|implement|made|manag|power|"
    "project|provid|run|system|technolog|thing|tool|use|version|work|written" },
  { "number", "number|valu" },
  { "phone", "call|number|phone|ring" },
  { "port",
    "access|address|avail|bind|contain|escucha|expos|http|lauscht|listen|local|localhost|open|"
    "publish|reach|run|serv|usa|use|utilise|verwendet" },
  { "rate", "bitrat|rate|run" },
  { "size", "size" },
  { "time", "daili|day|morn|night|run|start|time" },
  { "version", "current|releas|run|use|version" },
};

bool note_is_implied(hm_str stem, const char *dimension) {
  for (size_t i = 0; i < HM_COUNT(implied); i++)
    if (!strcmp(implied[i].dimension, dimension))
      return note_word_in(stem, implied[i].stems);
  return false;
}

/* Words that say the same. */
static const struct {
  const char *words, *one;
} same[] = {
  { "approval|approvals|approve|approved|approves", "approval" },
  { "attempt|attempts|retried|retries|retry|retrying", "retry" },
  { "backed|backup|backups", "backup" },
  { "config|configs", "configuration" },
  { "cut|cuts|divided|split|splits", "split" },
  { "db", "database" },
  { "deep", "depth" },
  { "dev", "development" },
  { "e-mail|e-mails|emails|mail|mails", "email" },
  { "ends|expire|expires|expired|expiry|expiration|live|lives|ttl|valid", "lifetime" },
  { "activity|inactive|inactivity|idle|idles", "idle" },
  { "keep|keeps|kept|purged|retain|retained|retention|deleted", "retention" },
  { "bigger|cap|capped|exceed|exceeding|exceeds|highest|larger|limit|limited|limits|longer|longest|"
    "max|maximal|most",
    "maximum" },
  { "high|tall", "height" },
  { "least|lowest|min|minimal|shortest|smallest", "minimum" },
  { "prod", "production" },
  { "repo|repos", "repository" },
  { "send|sends|sending", "sent" },
  { "wide|breadth", "width" },
};

/* Verbs, which say less of what a value is about than nouns do. Words that are both, as "scan", are
 * taken for nouns. */
static const char verbs[] =
    "accept|accepted|accepts|added|allowed|allows|answered|applied|applies|approved|arrived|"
    "arrives|asked|authenticated|backed|based|begins|blocked|boiled|boils|brings|brought|built|"
    "burn|burns|cached|calculated|called|capped|captured|carried|carries|charged|checked|cleaned|"
    "cleared|closed|closes|collected|collects|come|comes|compiled|compressed|computed|configured|"
    "connect|connected|connects|contains|cooked|cooled|cools|copied|costs|counted|cover|covered|"
    "covers|created|cut|cuts|decoded|defaults|defined|deleted|deletes|delivered|deployed|"
    "detected|distributed|download|downloaded|drains|dried|dropped|eaten|emit|emits|encoded|"
    "encrypted|ended|ends|enforced|executed|expire|expired|expires|exported|fail|fails|fed|feeds|"
    "fetched|filled|fills|finish|finishes|fired|fits|flushed|follow|followed|follows|formatted|"
    "forwarded|generated|give|gives|granted|grants|grows|handled|handles|happens|hashed|heated|"
    "heats|held|hold|holds|hosted|implemented|imported|indexed|installed|invited|invoked|issued|"
    "joins|kept|lasts|leaves|lends|lent|lies|limited|listed|listen|listens|lists|live|lives|"
    "loaded|locked|logged|made|managed|measured|measures|meets|merged|migrated|mixed|monitored|"
    "mounted|moved|moves|needs|notified|offered|offers|open|opened|opens|ordered|owned|packed|"
    "paid|parsed|passes|pay|pays|persisted|picked|pinged|placed|planted|played|poll|polled|polls|"
    "posted|printed|processed|produced|promote|promoted|provided|provides|provisioned|published|"
    "pulled|pumped|purchased|purged|pushed|queried|raised|rated|reached|reaches|read|reads|"
    "received|receives|reconnects|recorded|reduced|refreshed|refused|register|registered|"
    "rejected|rejects|released|removed|rendered|renders|rented|rents|replaced|replicated|"
    "reported|requested|required|requires|reset|resized|resolved|responds|restarted|restored|"
    "retained|retried|retries|returned|returns|reviewed|rings|rolled|rotate|rotated|rotates|"
    "rounds|run|rung|runs|sampled|saved|scaled|scales|scanned|scheduled|searched|selected|sells|"
    "send|sends|sent|served|serves|set|sets|shared|shipped|shows|shut|sign|signed|signs|sits|"
    "skipped|sleeps|sold|solved|sorted|spend|spends|spent|split|spread|stands|start|started|"
    "starts|stay|stays|stop|stopped|stops|stored|stores|submitted|sums|supplied|supported|"
    "supports|switched|synced|taken|talks|tested|throttled|thrown|throws|timed|tracked|trained|"
    "transferred|translated|treated|triggered|truncated|tuned|turned|turns|unlocked|updated|"
    "upload|uploaded|uploads|used|uses|validated|viewed|visited|voted|wait|waits|walked|warned|"
    "washed|watched|watches|wears|weighed|weighs|wiped|worked|works|wrap|write|writes|written";

/* Stems of words that do not say which thing it is. */
static const char bounds[] = "current|default|maximum|minimum|singl|total|whole";

bool note_is_bound(hm_str stem) { return note_word_in(stem, bounds); }

static void put(note_topic *t, hm_str word) {
  for (size_t i = 0; i < t->n; i++)
    if (hm_str_eq(t->v[i], word))
      return;
  if (t->n <= NOTE_TOPIC_MAX)
    t->v[t->n++] = word;
}

static bool is_small(char c) { return c >= 'a' && c <= 'z'; }

bool note_is_identifier(hm_str s) {
  bool sign = false, letter = false;
  for (size_t i = 0; i < s.n; i++) {
    bool inner = i && i + 1 < s.n;
    bool hump = inner && s.p[i] >= 'A' && s.p[i] <= 'Z' && is_small(s.p[i - 1]);
    bool dot = inner && s.p[i] == '.' && hm_letter_at(s, i + 1);
    sign |= hump || dot || (inner && s.p[i] == '_');
    letter |= hm_letter_at(s, i);
  }
  return sign && letter;
}

hm_str note_topic_stem(hm_str low, hm_arena *a) {
  if (note_word_in(low, grammar))
    return HM_EMPTY;
  if (hm_str_ends(low, "'s"))
    low.n -= 2;
  if (hm_str_ends(low, "\xE2\x80\x99s"))
    low.n -= 4;
  for (size_t i = 0; i < HM_COUNT(same); i++)
    if (note_word_in(low, same[i].words))
      return hm_text_stem(a, hm_str_c(same[i].one));
  return hm_text_stem(a, low);
}

hm_str hm_notes_topic_word(hm_arena *a, hm_str stem) {
  for (size_t i = 0; i < HM_COUNT(same); i++)
    if (hm_str_eq(hm_text_stem(a, hm_str_c(same[i].one)), stem))
      return hm_str_c(same[i].one);
  return stem;
}

bool note_is_grammar(hm_str low) { return note_word_in(low, grammar); }

/* They end at a comma, or before an article behind a word. */
size_t note_scope_end(const note_words *w, size_t from, size_t to) {
  bool word = false;
  if (from >= to || !note_word_in(w->w[from].low, "at|during|for|in|inside|on|under|with|within"))
    return from;
  for (size_t i = from + 1; i < to; i++) {
    bool article = note_word_in(w->w[i].low, "a|an|each|every|it|its|the|there|they|this|we|you");
    if (w->w[i].before == ',' || (article && word))
      return i;
    word |= !article;
  }
  return from;
}

static void hint(note_topic *t, char sign, hm_str word) {
  hm_str all = HM_CAT(t->a, hm_str_sub((hm_str){ &sign, 1 }, 0, 1), word);
  if (t->n_hints < NOTE_HINTS_MAX)
    t->hints[t->n_hints++] = all;
}

/* The words of a name: "MAX_VALVES", "maxValves", "raw.sales". */
static void hint_parts(note_topic *t, hm_str name) {
  for (size_t from = 0, i = 1; i <= name.n; i++) {
    bool hump = i < name.n && name.p[i] >= 'A' && name.p[i] <= 'Z' && is_small(name.p[i - 1]);
    bool cut = i == name.n || strchr("_.-", name.p[i]);
    if (!cut && !hump)
      continue;
    hm_str stem = note_topic_stem(note_lower(hm_str_sub(name, from, i), t->a), t->a);
    if (stem.n)
      hint(t, '=', stem);
    from = i + !hump;
  }
}

/* "=", "+": the signs between words are none. */
static bool is_sign(hm_str word) {
  for (size_t i = 0; i < word.n; i++)
    if (hm_is_alnum(word.p[i]) || (unsigned char)word.p[i] >= 0x80)
      return false;
  return true;
}

void note_topic_add(note_topic *t, hm_str word, hm_str low) {
  if (is_sign(word)) {
    t->last = HM_EMPTY;
    return;
  }
  if (note_is_identifier(word)) {
    t->identifier = true;
    put(t, note_lower(hm_text_split_camel(t->a, word), t->a));
    hint_parts(t, word);
    t->last = HM_EMPTY;
    return;
  }
  hm_str stem = note_topic_stem(low, t->a);
  if (stem.n)
    put(t, stem);
  if (note_word_in(stem, bounds))
    hint(t, '^', stem);
  if (!t->key && note_word_in(low, verbs)) {
    hint(t, '^', stem);
    stem = HM_EMPTY;
  } else if (stem.n && t->last.n && !hm_str_eq(stem, t->last) && !note_word_in(t->last, bounds))
    hint(t, ' ', HM_CAT(t->a, t->last, HM_STR(">"), stem));
  t->last = stem;
}

void note_topic_add_word(note_topic *t, const note_words *w, size_t i) {
  if (!w->w[i].joined)
    t->last = HM_EMPTY;
  note_topic_add(t, w->w[i].s, w->w[i].low);
}

void note_topic_add_scope(note_topic *t, const note_words *w, size_t i) {
  size_t before = t->n;
  t->last = HM_EMPTY;
  note_topic_add_word(t, w, i);
  if (t->n > before)
    hint(t, '@', t->v[t->n - 1]);
  t->last = HM_EMPTY;
}

void note_topic_add_text(note_topic *t, hm_str text) {
  note_words w = note_split(text, t->a);
  for (size_t i = 0; i < w.n; i++)
    note_topic_add_word(t, &w, i);
}

void note_topic_add_light(note_topic *t, const note_words *w, size_t i) {
  size_t before = t->n;
  note_topic_add_word(t, w, i);
  if (t->n > before && !t->identifier)
    hint(t, '^', t->v[t->n - 1]);
  t->last = HM_EMPTY;
}

void note_topic_add_family(note_topic *t, const char *family) { hint(t, '#', hm_str_c(family)); }

void note_topic_mark_row(note_topic *t) { hint(t, '|', HM_EMPTY); }

void note_topic_mark_example(note_topic *t) { hint(t, '!', HM_EMPTY); }

void note_topic_add_more(note_topic *t, hm_str text) {
  note_words w = note_split(text, t->a);
  for (size_t i = 0; i < w.n; i++) {
    hm_str stem = note_topic_stem(w.w[i].low, t->a);
    if (stem.n && hm_letter_at(stem, 0))
      hint(t, '+', stem);
  }
}

/* Takes out words of the list, but leaves `least`. */
static void drop(note_topic *t, const char *list, size_t least) {
  size_t kept = 0, drops = 0;
  for (size_t i = 0; i < t->n; i++)
    drops += note_word_in(t->v[i], list) && !hm_str_eq(t->v[i], t->counted);
  if (t->n - drops < least)
    return;
  for (size_t i = 0; i < t->n; i++)
    if (!note_word_in(t->v[i], list) || hm_str_eq(t->v[i], t->counted))
      t->v[kept++] = t->v[i];
  t->n = kept;
}

/* Takes them out of the words of a name, but leaves one. */
static void drop_parts(note_topic *t, const char *list) {
  size_t kept = 0, parts = 0;
  for (size_t i = 0; i < t->n_hints; i++)
    parts += t->hints[i].p[0] == '=';
  for (size_t i = 0; i < t->n_hints; i++) {
    hm_str h = t->hints[i];
    bool out = parts > 1 && h.p[0] == '=' && note_word_in(hm_str_sub(h, 1, h.n), list);
    parts -= out;
    if (!out)
      t->hints[kept++] = h;
  }
  t->n_hints = kept;
}

/* Stems of units with which names of settings end. */
static const char units[] = "byte|day|gb|hour|kb|mb|minut|month|ms|sec|second|week|year";

/* --- what it is about ------------------------------------------------------------------------ */

bool note_heading_keeps_apart(hm_str heading, hm_arena *a) {
  static const char things[] =
      "agent|api|app|backend|branch|client|cluster|component|crate|edition|environment|frontend|"
      "mode|model|module|office|package|plan|plugin|profile|provider|region|sdk|server|service|"
      "shop|site|tier|variant|version|warehouse|worker|workshop";
  note_words w = note_split(heading, a);
  if (w.n && note_word_in(w.w[w.n - 1].low, things))
    return true;
  for (size_t i = 0; i < w.n; i++)
    if (note_is_identifier(w.w[i].s) || hm_text_has_digit(w.w[i].s))
      return true;
  return w.n == 1 && memchr(w.w[0].s.p, '-', w.w[0].s.n);
}

/* The name of the file, without its ending, as words. */
static hm_str file_words(hm_str path, hm_arena *a) {
  const char *slash = path.n ? memrchr(path.p, '/', path.n) : NULL;
  hm_str name = hm_str_sub(path, slash ? (size_t)(slash + 1 - path.p) : 0, path.n);
  const char *dot = name.n ? memrchr(name.p, '.', name.n) : NULL;
  char *words = hm_str_z(a, name);
  size_t n = dot ? (size_t)(dot - name.p) : name.n;
  for (size_t i = 0; i < n; i++)
    if (strchr("-_", words[i]))
      words[i] = ' ';
  return (hm_str){ words, n };
}

/* "docs/adr/0012-cache.md" is one of a series, "adr/", and so is "api-v1-errors.md", "api-v1".
 * Empty: it is by itself. */
static hm_str series_of(hm_str path, hm_arena *a) {
  hm_str name = hm_str_behind_last(path, '/');
  hm_str folder = hm_str_behind_last(hm_str_sub(path, 0, path.n - name.n - (name.n < path.n)), '/');
  size_t n = 0;
  while (n < name.n && !hm_is_digit(name.p[n]))
    n++;
  if (note_word_in(note_lower(name, a), "index.md|readme.md"))
    return HM_EMPTY;
  if (n == name.n) {
    size_t dashes = 0, above = path.n - name.n;
    hm_str parent = hm_str_sub(path, 0, above > folder.n + 1 ? above - folder.n - 1 : 0);
    if (parent.n) /* "runs/a/summary.md", "runs/b/summary.md" */
      return HM_CAT(a, parent, HM_STR("*/"), name);
    for (n = 0; n < name.n && dashes < 2; n++)
      dashes += name.p[n] == '-';
    if (dashes < 2)
      return HM_EMPTY;
  }
  return HM_CAT(a, folder, HM_STR("/"), hm_str_sub(name, 0, n));
}

size_t note_topic_finish(note_topic *t, const note_context *c, const char *dimension,
                         size_t least) {
  hm_str own = hm_str_eq(c->subject, c->file->component) ? HM_EMPTY : c->subject;
  bool few = t->n < least;
  t->last = HM_EMPTY;
  bool row = t->n_hints && hm_str_is(t->hints[t->n_hints - 1], "|");
  note_words scopes = note_split(
      HM_CAT(t->a, c->scope, HM_STR(" "), note_component_name(c->file->component, t->a)), t->a);
  bool adds = own.n && ((few && !row) || note_heading_keeps_apart(own, t->a));
  note_words heading = note_split(adds ? own : HM_EMPTY, t->a);
  for (size_t i = 0; i < heading.n; i++) {
    bool scope = false; /* which is added as that */
    for (size_t k = 0; k < scopes.n && !scope; k++)
      scope = hm_str_eq(heading.w[i].low, scopes.w[k].low);
    if (!scope)
      note_topic_add_word(t, &heading, i);
  }
  if (!strcmp(dimension, "count"))
    least = 1;
  drop(t, kinds, least);
  drop(t, "default", 1);
  for (size_t i = 0; i < HM_COUNT(implied); i++)
    if (!strcmp(implied[i].dimension, dimension)) {
      drop(t, implied[i].stems, least);
      drop_parts(t, implied[i].stems);
    }
  drop_parts(t, units);
  size_t own_words = t->n, plain = 0;
  for (size_t i = 0; i < t->n; i++)
    plain += note_word_in(t->v[i], bounds);
  if (plain == own_words) /* "Total", "the limit" */
    return 0;
  for (size_t i = 0; i < scopes.n; i++)
    note_topic_add_scope(t, &scopes, i);
  return t->n > NOTE_TOPIC_MAX ? t->n : own_words;
}

void note_topic_add_dimension(note_topic *t, const char *dimension) {
  hint(t, '~', hm_str_c(dimension));
}

hm_str note_topic_slot(note_topic *t, const char *dimension) {
  hm_str slot = HM_EMPTY;
  hm_strs_sort(t->v, t->n);
  for (size_t i = 0; i < t->n; i++)
    slot = HM_CAT(t->a, slot, t->v[i], HM_STR(" "));
  return HM_CAT(t->a, slot, hm_str_c(dimension));
}

/* Most of what stands below a heading has no value of which somebody asks, and stems cost most. */
static void read_around(const note_context *c, hm_arena *a) {
  note_topic t = { .a = a };
  note_topic_add_more(&t, c->headings);
  note_topic_add_more(&t, c->title);
  note_topic_add_more(&t, file_words(c->file->path, a));
  hm_str *v = hm_alloc_array(a, t.n_hints + 1, sizeof *v);
  for (size_t i = 0; i < t.n_hints; i++)
    v[i] = t.hints[i];
  *c->around = (note_around){ v, t.n_hints, true };
}

hm_str note_topic_hints(note_topic *t, const note_context *c) {
  hm_str out = HM_EMPTY;
  if (c->around && !c->around->read)
    read_around(c, t->a);
  for (size_t i = 0; c->around && i < c->around->n && t->n_hints < NOTE_HINTS_MAX; i++)
    t->hints[t->n_hints++] = c->around->v[i];
  hint(t, '/', hm_str_digest_hex(t->a, c->file->path, 8));
  if (c->file->form.n)
    hint(t, '&', c->file->form);
  hm_str series = series_of(c->file->path, t->a);
  if (series.n)
    hint(t, '%', hm_str_digest_hex(t->a, series, 8));
  hm_strs_sort(t->hints, t->n_hints);
  for (size_t i = 0; i < t->n_hints; i++)
    if (!i || !hm_str_eq(t->hints[i], t->hints[i - 1]))
      out = HM_CAT(t->a, out, out.n ? HM_STR(" ") : HM_EMPTY, hm_str_trim(t->hints[i]));
  return out;
}
