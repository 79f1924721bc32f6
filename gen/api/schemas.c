/* The shapes of answers; the OpenAPI document is written from them and from those of bodies
 * (request.c). */
#include "core/record/record_edit.h"
#include "gen/api/api_impl.h"

static const char ERROR[] =
    "error    #ErrorDetail\n"
    "action?  string       rejected: a row was not stored, by the policy raise\n"
    "met?     [#Met]       why\n";
static const char MET[] =
    "row          string   kind:id\n"
    "kind         duplicate|contradiction\n"
    "reason       string   of a contradiction: polarity, negation_diff, or conflict: by claims\n"
    "similarity   number?  the cosine of the texts; null: by claims\n"
    "conflict_id  string?  by claims: the conflict\n"
    "text         string   what it says\n";
static const char CONFIRMED[] =
    "dry_run      boolean\n"
    "finding      string   its id\n"
    "message      string\n"
    "conflict_id  string?  the conflict that it is now; null: verdicts keep it quiet\n"
    "opened       boolean  false: the conflict was open, and has more members now\n"
    "by           string\n"
    "at           string\n"
    "reason       string\n"
    "warnings     [string]  live secrets in what was written\n";
static const char ERROR_DETAIL[] =
    "code   usage|input|unknown|state|busy|moved|store|output|internal\n"
    "what   string   what could not be done or taken\n"
    "why    string   the cause\n"
    "fix    string   what to do\n"
    "field  string?  the member of the body, or parameter, at fault\n";

static const char CONFLICT[] =
    "id            string\n"
    "status        open|resolved|dismissed|merged\n"
    "disputed      boolean    its claims disagree now; an open one that is not awaits sign-off\n"
    "rule_off?     boolean    true: its rule is switched off, so nobody looks\n"
    "since         string?    when its first two disagreeing claims both stood\n"
    "detected_at   string\n"
    "resolved_at   string?\n"
    "resolution    string     the reviewer's words\n"
    "action        supersede_opponents|supersede_others|no_action?\n"
    "winner        string?    kind:id; null also where several stand\n"
    "winners       [string]   all rows that stand\n"
    "winner_source?  string   whose value of the winner stands, where its sources differ\n"
    "resolved_by   string?\n"
    "taken_back?   #TakenBack  the last verdict, where it was taken back\n"
    "slot_kind     string     memory_slot, entity_slot, state_slot, relation_slot, cross_layer, or "
    "the kind of another rule\n"
    "slot_key      [string]   project and name of what is disputed\n"
    "project       string\n"
    "title?        string     project and name, where its rows call it otherwise than slot_key\n"
    "rule          string     name/version of the rule that saw it\n"
    "window        [string?]  the contested time: when it began, null where that is not known, and "
    "when it ended, null while it has not\n"
    "scope?        whole_row|field_only  what the verdict did to rows that also say other things\n"
    "merged_into?  string     the conflict in which a merged one goes on\n"
    "settled_by?   string     the later statement that settles an open one, which awaits sign-off\n"
    "question?     string     of texts: which value is right; or, where nothing but time tells two "
    "apart, whether the older one still holds\n"
    "model?        string?    of what a judge proposed, whose question this is\n"
    "asked?        string     of such a question: the row that yes would let stand\n"
    "arc?          [#ArcLine] every claim of the slot in order of time, superseded rows too\n"
    "arc_withheld? integer    lines that are left out\n"
    "members       [#Member]  by trust, highest first\n"
    "about?        [string]   while disputed: rows that it is about, kind:id\n"
    "inside?       [string]   while disputed: rows that contain one of these or of the members\n";
static const char TAKEN_BACK[] =
    "status       resolved|dismissed  what it was\n"
    "resolved_at  string?\n"
    "resolution   string     why\n"
    "action       string?\n"
    "winner       string?    kind:id, or several as a sorted JSON array\n"
    "resolved_by  string?\n"
    "reopened_at  string?\n"
    "reopened_by  string?\n"
    "reason       string     why it was taken back\n";
static const char ARC_LINE[] =
    "row           string     kind:id\n"
    "field         string\n"
    "at            string?    when it was true, else written\n"
    "agent         string?\n"
    "value         string     as written\n"
    "words         string?    the words of the text that made the claim\n"
    "member        boolean    it is in dispute\n"
    "answer        yes|no?    of a member, where the question asks for one value: the answer that "
    "lets it stand\n"
    "state         holds|words|superseded|agent|version|update|progress|return|session|undated  "
    "it holds, or by what it was overtaken\n"
    "overtaken_by  string?\n";
static const char MEMBER[] =
    "member_kind         memory|entity|project_state|relation\n"
    "member_id           string\n"
    "member_layer_trust  integer  3 state, 2 entity or relation, 1 memory\n"
    "field               string\n"
    "source?             string   whose value this is, where the sources of the row differ\n"
    "value               string   as written\n"
    "status              candidate|active|superseded|invalid|graduated|other|missing\n"
    "flagged             boolean  it contradicts a member of higher trust, and agrees with none of "
    "that trust or a higher one\n"
    "conflicts_with      string?  that member, kind:id\n"
    "removed?            boolean  the verdict took this field out of its row\n"
    "source_refs         [string]\n";
#define NEXT_PAGE "next?  string  what to give as after for the next page; absent: there is none\n"
#define PENDING "sweep?  string  pending: the sweep that follows writes may find more\n"
static const char CONFLICTS[] =
    "conflicts  [#Conflict]\n"
    "count      integer      of all pages\n"
    "read?      [#ReadValue]  of a subject that is a row: what was read of it; empty: see unread\n"
    "unread?    string?      why nothing was read of it: then no conflict says nothing\n" NEXT_PAGE
        PENDING;

#define STANDING                                                                                   \
  "given_by         string?        whose the row's value is\n"                                     \
  "given_at         string?        when it came\n"                                                 \
  "was              [#PastValue]   what values of the row were before\n"                           \
  "disputed         boolean        a dispute has it as a member, or is about it\n"                 \
  "disputes         [#RowDispute]  these\n"                                                        \
  "disputed_inside  integer        disputes of what it contains, and not its own\n"                \
  "findings         [#RowFinding]  about it, but for acknowledged ones\n"
static const char ROW_DISPUTE[] =
    "conflict  string        its id\n"
    "field     string?       of the row; null: the dispute is about the row\n"
    "flagged   boolean       a member of higher trust contradicts it\n"
    "others    [#OtherSide]  what other sides say, the first 20\n";
static const char ROW_FINDING[] = "id        string\n"
                                  "kind      string\n"
                                  "severity  error|warn|info\n"
                                  "rule      string\n"
                                  "reason    string?\n"
                                  "message   string\n";
static const char PAST_VALUE[] = "field   string   a key; of a property, properties.NAME\n"
                                 "value   string\n"
                                 "until   string?  when it changed\n"
                                 "source  string?  whose it was\n";
static const char OTHER_SIDE[] =
    "row      string  kind:id\n"
    "value    string\n"
    "source?  string  whose record it is, where sources of that row differ\n";
#define OPEN_CONFLICTS                                                                             \
  "conflicts  [#Conflict]  open ones of which it is a member, or that are about it\n" PENDING
static const char ROW[] = OPEN_CONFLICTS STANDING;
static const char RELATION_ROW[] =
    "is_disputed    boolean   as disputed\n"
    "disputed_with  [string]  rows that contradict it, kind:id\n" OPEN_CONFLICTS STANDING;
#define ALIKE                                                                                      \
  "alike          [#AlikeRow]  rows about the same thing that no rule compared, nearest first\n"   \
  "alike_advice?  string       what to do with them\n"
static const char ALIKE_ROWS[] =
    "row?   string?      of which they are the nearest, kind:id\n" ALIKE;
static const char ALIKE_ROW[] = "row      string   kind:id\n"
                                "text     string   cut where it is long\n"
                                "source?  string   who says it\n"
                                "date?    string   since when\n"
                                "differs  string   kind: here | there; or wording\n";
#define WROTE                                                                                      \
  "ref          string       kind:id\n"                                                            \
  "dry_run      boolean      nothing was stored\n"                                                 \
  "changed      boolean      false: it said this already\n"                                        \
  "conflict_id  string?      the first of conflicts\n"                                             \
  "conflicts    [#Conflict]  open and disputed, with the row as a member\n"                        \
  "read         [#ReadValue]  what was read of the row; empty: see unread\n"                       \
  "unread       string?      why nothing was read of it, so that nothing can contradict it\n"      \
  "opened       [string]     conflicts that this write opened\n"                                   \
  "revived      [string]     open conflicts that awaited sign-off and are disputed again\n"        \
  "quieted      [string]     open conflicts that it left without a dispute\n"                      \
  "findings     [#Finding]   about the row, as the next sweep tells them\n"                        \
  "appeared     [#Finding]   about other rows, by reason of this write\n"                          \
  "vanished     [#Finding]   about any row: answered or gone\n"                                    \
  "sweep?       string       pending: what is found besides conflicts comes with the sweep\n"      \
  "warning?     string       project state: its slot had an open conflict before this write\n"     \
  "warnings     [string]     that; names that may be mistyped; live secrets\n"                     \
  "action       stored|superseded|rejected  superseded: it, or what it met, gave way\n"            \
  "met          [#Met]       rows that say the same as an added one, or contradict it\n" ALIKE
static const char WRITTEN[] = WROTE;

static const char FINDING[] =
    "id        string\n"
    "kind      string           anachronism, ontology_violation, orphan, stale, possible_overlap\n"
    "severity  error|warn|info\n"
    "rule      string           who found it\n"
    "reason    string           in a word or a few; may be empty\n"
    "project   string\n"
    "rows      [string]         kind:id, of those that it is about\n"
    "message   string\n"
    "expected  string\n"
    "actual    string\n"
    "acknowledged?          boolean  somebody acknowledged it; false: other evidence\n"
    "acknowledged_by?       string?  who\n"
    "acknowledged_at?       string?  when\n"
    "acknowledged_because?  string   why\n";

static const char FINDINGS[] =
    "findings      [#Finding]\n"
    "count         integer\n"
    "acknowledged  integer      of all, also where they are left out\n" NEXT_PAGE PENDING;
static const char FINDING_EXPLAINED[] =
    "id        string\n"
    "lines     [string]     sentences: rule, expected and found, rows with times and sources\n"
    "findings  [#Finding]   it\n";
static const char CONFLICT_EXPLAINED[] =
    "id        string\n"
    "disputed  boolean    its claims disagree now\n"
    "lines     [string]   sentences: rule, members and how they came to claim, what contradicts "
    "what\n"
    "question  string?    of texts: which value is right, or whether one still holds\n"
    "arc       [string]   of texts: every claim in order of time\n"
    "conflict  #Conflict\n"
    "sweep?    string     pending: the rows are those of the last sweep, which writes elsewhere "
    "followed\n";
static const char REMARK[] = "changed  boolean  false: it was said already\n"
                             "dry_run  boolean\n"
                             "finding  string?  its id\n"
                             "row      string?  that was flagged, kind:id\n"
                             "message  string?  what the finding says\n"
                             "by       string\n"
                             "at       string\n"
                             "reason   string\n"
                             "warnings  [string]  live secrets in what was written\n";

static const char PAIRS[] =
    "pairs  [#Pair]  nobody has judged them yet, likeliest to contradict first\n"
    "more   integer  that follow\n"
    "rows_left  integer  that were not looked at for this answer\n";
static const char PAIR[] =
    "rows             [string]  two, kind:id\n"
    "texts            [string]  cut where they are long\n"
    "sources          [string]  who says them\n"
    "dates            [string]  since when\n"
    "differs          string    kind: here | there; or wording\n"
    "denied_by?       string    an agent that said that they do not contradict each other\n"
    "denied_because?  string    why\n";
static const char REPORTED[] = "changed      boolean   false: it was said before\n"
                               "dry_run      boolean\n"
                               "rows         [string]  kind:id\n"
                               "finding      string?   its id, for a person to confirm or dismiss\n"
                               "message      string?   what it says\n"
                               "conflict_id  string?   that has all of the rows already\n"
                               "denied_by?   string    a person: then there is no finding\n"
                               "denied_because?  string  why\n"
                               "by           string\n"
                               "at           string\n"
                               "warnings     [string]  live secrets in what was written\n";
static const char WITHDRAWN[] = "dry_run   boolean\nby  string  the reporter\n"
                                "reports   integer   of it, that are taken back\n"
                                "findings  [string]  that end with them\n"
                                "count     integer\n";

static const char HEALTH[] =
    "status                string   ok\nversion  string\n"
    "open_conflicts_count  integer\n"
    "disputed_count        integer  those that still disagree\n"
    "compared              #Compared  what was compared\n"
    "signoff               integer  open ones that no longer do\n"
    "settled_later         integer  of these, settled by a later statement\n"
    "settled_later_ids     [string] their ids\n"
    "findings  integer  not acknowledged\nreported  integer  of these by readers\n" PENDING
    "resolved  integer\ndismissed  integer\n"
    "vectors               #Vectors\n"
    "last_run              #Sweep?  null: there was no sweep yet\n";
static const char ROWS[] =
    "rows   [#ListedMemory|#ListedEntity|#ListedState|#ListedRelation]\n"
    "count  integer  of this page\n"
    "more   integer  that follow\n"
    "next?  string   what to give as after for the next page; absent: there is none\n";
static const char LISTED[] =
    "ref           string   kind:id\n" STANDING
    "read?         [#ReadValue]     of a candidate: what was read of it; empty: see unread\n"
    "unread?       string?          why nothing was read of it\n"
    "contradicts?  [#Contradicted]  of a candidate: what it would contradict if it were promoted\n";
static const char CONTRADICTED[] = "row    string  kind:id\n"
                                   "slot   string\n"
                                   "value  string\n"
                                   "own    string  what it says itself\n";
static const char PROJECTS[] = "projects  [#Project]\ncount     integer\n";
static const char PROJECT[] = "id           string   empty: the global project\n"
                              "name         string\n"
                              "description  string\n"
                              "aliases      [string]\n"
                              "declared     boolean  false: only rows name it\n"
                              "rows         integer  active ones\n";
static const char READ_VALUE[] = "slot   string  what it is a value of, for people\n"
                                 "value  string  as written\n"
                                 "words  string  the text from which it was read\n";
static const char COMPARED[] = "values    integer  that rows state\n"
                               "places    integer  of which they state them\n"
                               "memories  integer  active ones\n"
                               "unread    integer  of these: nothing in them could be read\n";
static const char VECTORS[] = "on     boolean    a model makes them; false: they are built in\n"
                              "why    string?    why no model makes them\n"
                              "model  string?    the one that is configured\n"
                              "kept   [#VectorModel]  what the store has, by model\n";
static const char VECTOR_MODEL[] = "model     string\n"
                                   "texts     integer  of which there is a vector\n"
                                   "withheld  integer  texts that were not sent\n";
static const char LATEST_SWEEP[] = "sweep  #Sweep?  null: there was none yet\n";
static const char SWEPT[] =
    "recorded              boolean  false: a dry run\n"
    "scope                 string   all, entity:ID, project:ID or era:ERA\n"
    "opened                [string]   conflicts that it opened, or would\n"
    "disputed              [string]   conflicts of the scope whose claims disagree\n"
    "disputed_count        integer\n"
    "compared              #Compared  in the whole store\n"
    "findings              [#Finding]  of the scope, without acknowledged ones\n"
    "count                 integer  of findings\n"
    "acknowledged          integer\n"
    "cut                   boolean  a list has more than 100: see /conflicts and /findings\n";
static const char RULES[] = "rules  [#Rule]\ncount  integer\n";
static const char RULE[] =
    "id           string\n"
    "severity     string   error, warn or info\n"
    "on           boolean  false: the mirror switched it off\n"
    "source       string   built in, shipped, or the file that it comes from\n"
    "yields       conflict|finding\n"
    "kind         string   of what it finds\n"
    "description  string\n"
    "settled      integer  conflicts of it that people settled\n"
    "dismissed    integer  of these, what was no conflict\n"
    "reads?       [string]  of a rule in SQL: its tables\n"
    "section?     string?   of a rule in SQL: where overviews show it\n";
static const char SWEEP[] = "started_at        string?\n"
                            "finished_at       string?\n"
                            "duration_us       integer  microseconds\n"
                            "rules             integer  how many ran\n"
                            "rows              integer\n"
                            "claims            integer\n"
                            "slots             integer\n"
                            "opened            integer  conflicts\n"
                            "updated           integer  conflicts\n"
                            "disputed_count    integer  open conflicts whose claims disagree\n"
                            "findings          integer\n"
                            "acknowledged      integer  of the findings\n"
                            "findings_by_kind  {integer}  how many of each kind\n";

#define REACHED                                                                                    \
  "row        string  kind:id\n"                                                                   \
  "type       string\n"                                                                            \
  "name       string\n"                                                                            \
  "status     candidate|active|superseded|invalid|graduated|other\n" STANDING
#define STEP                                                                                       \
  "depth      integer  how far it is away\n"                                                       \
  "from       string   the row by which it was reached\n"                                          \
  "relation   string   type of the relation or link, or the column\n"                              \
  "direction  incoming|outgoing  incoming: it is the subject, and not from\n"                      \
  "via        string?  the relation; null: a link or a column\n"
#define GROUNDS                                                                                    \
  "sources         [string]\n"                                                                     \
  "hand_authored?  boolean\n"                                                                      \
  "conflicts       [#Stance]  in which it is a member, open and settled\n"
static const char TOUCHED[] = REACHED STEP;
static const char IMPACT[] = REACHED "depth    integer\n"
                                     "touches  [#Touched]  nearest first\n"
                                     "count    integer\n"
                                     "cut      boolean     there was more than 1000\n";
static const char GROUND[] = "meaning  supports|contradicts|basis|replaced\n" REACHED STEP GROUNDS;
static const char STANCE[] = "id           string\n"
                             "status       open|resolved|dismissed|merged\n"
                             "winner       string?  kind:id\n"
                             "resolution   string?\n"
                             "resolved_by  string?\n";
static const char EVIDENCE[] = REACHED GROUNDS "depth     integer\n"
                                               "rests_on  [#Ground]  nearest first\n"
                                               "count     integer\n"
                                               "cut       boolean    there was more than 1000\n";
static const char ANSWER[] = "query     requirements|decisions|claims\n"
                             "question  string\n"
                             "findings  [#Finding]  as in findings.json\n"
                             "count     integer\n";

static const char VERDICT[] =
    "verb        resolve|dismiss|reopen|supersede|restore\n"
    "dry_run     boolean          nothing was stored\n"
    "conflict    string?\n"
    "slot_key?   [string]\n"
    "status      open|resolved|dismissed?  of the conflict, after\n"
    "by          string\n"
    "at          string\n"
    "notes       string\n"
    "winner      string?          null also where several stand\n"
    "winners     [string]\n"
    "action      supersede_opponents|supersede_others|no_action?\n"
    "scope       whole_row|field_only?  as it was asked for\n"
    "changes     [#RowChange]\n"
    "left        [#RowLeft]       members that are not changed, and why; of a reopen that keeps "
    "rows: values of sources that stay over\n"
    "opened      [string]         conflicts that the changes open\n"
    "revived     [string]         open conflicts that are disputed again\n"
    "quieted     [string]         other open conflicts that now await sign-off\n"
    "restorable  [string]         of a reopen: rows that the verdict superseded and that stay so\n"
    "removed     [#RowField]      of a reopen: fields that the verdict took out and that stay "
    "out\n"
    "links       [#Link]          between sides that stay, that were written\n"
    "warnings    [string]         live secrets in what was written\n"
    "withdrawn?  [#Withdrawal]    of a dry run: what superseded rows say in other slots\n"
    "others?     [#Assertion]     of a dry run: other rows that say a value that loses\n"
    "markers?    [#MarkerChange]  of a dry run: pages that lose or gain a marker\n";
static const char ROW_FIELD[] = "row    string\nfield  string\n";
static const char LINK[] = "src  string\n"
                           "dst  string\n"
                           "rel  string\n";
static const char LINK_REPORT[] =
    "changed   boolean  false: it was so already\n"
    "dry_run   boolean\n"
    "links     [#Link]  that one, or those that were removed\n"
    "count     integer\n"
    "by        string\n"
    "at        string\n"
    "notes     string\n"
    "warnings  [string]  on a row that is not there, a mistyped relation, a live secret\n";
#define LINKED                                                                                     \
  "row     string  kind:id\n"                                                                      \
  "type    string\n"                                                                               \
  "text    string  name, content, or key and value; cut\n"                                         \
  "status  candidate|active|superseded|invalid|graduated|other\n"                                  \
  "depth   integer  links away\n" STANDING
#define WAY(may)                                                                                   \
  "from" may "       string  the row by which it was reached\n"                                    \
  "rel" may "        string  of the link\n"                                                        \
  "direction" may "  in|out  in: the link leads from it to that row\n"                             \
  "drawn_by?  string  who drew it\ndrawn_at?  string  when\n"
static const char NEIGHBOR[] = LINKED WAY("");
static const char NODE[] = LINKED WAY("?");
#define WALKED                                                                                     \
  "count     integer\n"                                                                            \
  "dangling  [string]  ends of links that are no row\n"                                            \
  "cut       boolean   there was more than the cap\n"
static const char NEIGHBORS[] = "row        string  kind:id\n" STANDING "depth      integer\n"
                                "neighbors  [#Neighbor]  nearest first, each row once\n" WALKED;
static const char SUBGRAPH[] = "depth  integer\n"
                               "nodes  [#GraphNode]  the row, then nearest first\n"
                               "edges  [#Link]  all links between them\n" WALKED;
static const char REFLECTED[] = WROTE "sources   [string]  kind:id, superseded now\n"
                                      "redacted?  #SourcesRedacted  where it was hard\n";
static const char SOURCES_REDACTED[] =
    "rows           [string]  in which a text changed\n"
    "others         [string]  that hold what one of them said, and stay\n"
    "journal_lines  integer   that were rewritten\n"
    "compacted      boolean   the file was rewritten\n";
static const char ROW_CHANGE[] = "row     string\n"
                                 "before  string\n"
                                 "after   string\n";
static const char ROW_LEFT[] = "row  string\nwhy  string\n";
static const char WITHDRAWAL[] = "row    string\n"
                                 "slot   string\n"
                                 "value  string\n"
                                 "alone  boolean  no row that stays active says the same there\n";
static const char ASSERTION[] =
    "row        string\n"
    "status     string\n"
    "slot       string\n"
    "value      string\n"
    "elsewhere  boolean  in another slot whose name ends in the same word\n";
static const char MARKER_CHANGE[] = "page      string\n"
                                    "conflict  string\n"
                                    "gained    boolean\n";

static const char RECALLED[] =
    "query      string\n"
    "mode       likeness|hybrid\n"
    "clock      string?   by which ages count\n"
    "as_of      string?\n"
    "was_true_at  string?   asked for, or a year of the question, for relations\n"
    "vectors    string    the model that made them, and how long they are\n"
    "note       string?   why they are not those of the model that is configured\n"
    "weights    #RecallWeights\n"
    "hits       [#Hit]    best first\n"
    "count      integer   of hits\n"
    "neighbors  [#RecalledNeighbor]  what links of the hits lead to, with expand\n" PENDING;
static const char CONTEXT[] = "task    string\n"
                              "lines   [string]  a row each, best first; a disputed one with what "
                              "its other sides say\n"
                              "tokens  integer   of the lines, four bytes each\n"
                              "left    integer   rows that did not fit\n";
static const char RECALL_WEIGHTS[] = "likeness    number\n"
                                     "semantic    number  the old name of likeness\n"
                                     "lexical     number\n"
                                     "recency     number\n"
                                     "importance  number\n";
#define RECALLED_ROW                                                                               \
  "ref            string    kind:id\n"                                                             \
  "layer          memory|entity|project_state|relation\n"                                          \
  "layer_trust    integer   from 1 to 3\n"                                                         \
  "type           string\n"                                                                        \
  "project        string\n"                                                                        \
  "status         string\n"                                                                        \
  "text           string    of an entity its name, description and values; of a state its key "    \
  "and value\n"                                                                                    \
  "tags?          [string]\n"                                                                      \
  "created_at     string?\n"                                                                       \
  "superseded_by  string?\n"                                                                       \
  "from_ref?      string    of a relation: its ends\n"                                             \
  "to_ref?        string\n"                                                                        \
  "valid_from?    string?\n"                                                                       \
  "valid_until?   string?\n"                                                                       \
  "conflicts      [string]  ids of its disputes\n" STANDING "links          [#RowLink]\n"
static const char HIT[] = RECALLED_ROW "score  number\n"
                                       "parts  #RecallWeights  from 0 to 1, likeness from -1\n";
static const char RECALLED_NEIGHBOR[] =
    RECALLED_ROW "score      number   0.7, which it did not earn\n"
                 "rel        string\n"
                 "direction  in|out\n"
                 "from       string   the row that the link was followed from\n"
                 "depth      integer\n";
static const char ROW_LINK[] = "rel        string\n"
                               "direction  in|out\n"
                               "ref        string  the other end\n";

static const hm_api_shape ANSWERS[] = {
  { "Error", NULL, "Why a request was refused.", ERROR },
  { "ErrorDetail", NULL, "What, why, and what to do.", ERROR_DETAIL },
  { "Conflict", NULL, "Claims on one slot that contradict each other.", CONFLICT },
  { "Member", NULL, "One claim.", MEMBER },
  { "Context", NULL, "The facts for a task.", CONTEXT },
  { "TakenBack", NULL, "A verdict that was taken back.", TAKEN_BACK },
  { "ArcLine", NULL, "One claim in the story of a slot.", ARC_LINE },
  { "Conflicts", NULL, "By slot key, then id.", CONFLICTS },
  { "MemoryRow", "#Memory", "A memory and its conflicts.", ROW },
  { "EntityRow", "#Entity", "An entity and its conflicts.", ROW },
  { "StateRow", "#ProjectState", "A project state and its conflicts.", ROW },
  { "RelationRow", "#Relation", "A relation, its conflicts, and what it contradicts.",
    RELATION_ROW },
  { "Pairs", NULL, "Pairs to judge.", PAIRS },
  { "Pair", NULL, "Two rows about the same thing.", PAIR },
  { "Reported", NULL, "What was said of rows.", REPORTED },
  { "ReportsDismissed", NULL, "Reports that are dismissed.", WITHDRAWN },
  { "AlikeRows", NULL, "The rows about the same thing.", ALIKE_ROWS },
  { "AlikeRow", NULL, "A row about the same thing as another.", ALIKE_ROW },
  { "MemoryWritten", "#Memory", "A memory as it is after the write.", WRITTEN },
  { "EntityWritten", "#Entity", "An entity as it is after the write.", WRITTEN },
  { "RelationWritten", "#Relation", "A relation as it is after the write.", WRITTEN },
  { "StateWritten", "#ProjectState", "A project state as it is after the write.", WRITTEN },
  { "Health", NULL, "Whether somebody should look.", HEALTH },
  { "Rows", NULL, "Rows by kind and id.", ROWS },
  { "ListedMemory", "#Memory", "A memory of a list.", LISTED },
  { "ListedEntity", "#Entity", "An entity of a list.", LISTED },
  { "ListedState", "#ProjectState", "A project state of a list.", LISTED },
  { "ListedRelation", "#Relation", "A relation of a list.", LISTED },
  { "Contradicted", NULL, "What a candidate would contradict.", CONTRADICTED },
  { "Projects", NULL, "Projects by id.", PROJECTS },
  { "Project", NULL, "A project.", PROJECT },
  { "ReadValue", NULL, "A value that was read of a row.", READ_VALUE },
  { "Compared", NULL, "What was compared, beside a number of disputes.", COMPARED },
  { "Vectors", NULL, "By which vectors recall compares.", VECTORS },
  { "VectorModel", NULL, "Vectors of a model that the store has.", VECTOR_MODEL },
  { "LatestSweep", NULL, "The last sweep that was recorded.", LATEST_SWEEP },
  { "Swept", NULL, "What a sweep found just now.", SWEPT },
  { "Rules", NULL, "The rules of the mirror.", RULES },
  { "Rule", NULL, "A rule, and what people said of its conflicts.", RULE },
  { "Sweep", NULL, "A sweep, and what it found.", SWEEP },
  { "Verdict", NULL, "What a verdict did, or would do.", VERDICT },
  { "RowChange", NULL, "A row's status, or its field, before and after.", ROW_CHANGE },
  { "RowField", NULL, "A field of a row.", ROW_FIELD },
  { "Link", NULL, "A link between two rows.", LINK },
  { "LinkReport", NULL, "What became of links.", LINK_REPORT },
  { "Neighbor", NULL, "A row that another is linked with.", NEIGHBOR },
  { "Neighbors", NULL, "The rows that a row is linked with.", NEIGHBORS },
  { "GraphNode", NULL, "A row of a graph.", NODE },
  { "Subgraph", NULL, "Rows, and all links between them.", SUBGRAPH },
  { "Reflected", "#Memory", "The summary as it is after the write.", REFLECTED },
  { "SourcesRedacted", NULL, "What was taken out of the sources.", SOURCES_REDACTED },
  { "Finding", NULL, "What a rule found besides conflicts.", FINDING },
  { "RowDispute", NULL, "A dispute, as it concerns a row.", ROW_DISPUTE },
  { "RowFinding", NULL, "A finding, as it concerns a row.", ROW_FINDING },
  { "PastValue", NULL, "What a value of a row was before.", PAST_VALUE },
  { "OtherSide", NULL, "What another side of a dispute says.", OTHER_SIDE },
  { "Findings", NULL, "Findings of a sweep.", FINDINGS },
  { "ConflictExplained", NULL, "Why it is a conflict.", CONFLICT_EXPLAINED },
  { "FindingExplained", NULL, "Why a finding was found.", FINDING_EXPLAINED },
  { "Met", NULL, "A row that an added one met.", MET },
  { "Confirmed", NULL, "A finding that was made a conflict.", CONFIRMED },
  { "Remark", NULL, "What somebody said of a finding or a row.", REMARK },
  { "Recall", NULL, "What answers a question.", RECALLED },
  { "RecallWeights", NULL, "The four parts of a score.", RECALL_WEIGHTS },
  { "Hit", NULL, "A row that answers.", HIT },
  { "RecalledNeighbor", NULL, "A row that a link leads to.", RECALLED_NEIGHBOR },
  { "RowLink", NULL, "A link of a row.", ROW_LINK },
  { "RowLeft", NULL, "A member that stays as it is.", ROW_LEFT },
  { "Withdrawal", NULL, "What a superseded row says no more.", WITHDRAWAL },
  { "Assertion", NULL, "Another row that says a value that loses.", ASSERTION },
  { "Impact", NULL, "What a change of a row touches.", IMPACT },
  { "Touched", NULL, "A row that it touches.", TOUCHED },
  { "Evidence", NULL, "What a row rests on.", EVIDENCE },
  { "Ground", NULL, "A row that is evidence, or a basis, of another.", GROUND },
  { "Stance", NULL, "A conflict of a row, and what was decided.", STANCE },
  { "Answer", NULL, "The rows that a question is about.", ANSWER },
  { "MarkerChange", NULL, "A page that gains or loses the marker of a conflict.", MARKER_CHANGE },
};

void hm_api_write_schemas(hm_jw *w) {
  static const struct {
    hm_layer layer;
    const char *stored, *new, *patch;
  } records[] = {
    { HM_MEMORY, "Memory", "NewMemory", "MemoryPatch" },
    { HM_ENTITY, "Entity", "NewEntity", "EntityPatch" },
    { HM_STATE, "ProjectState", "NewProjectState", "ProjectStatePatch" },
    { HM_RELATION, "Relation", "NewRelation", "RelationPatch" },
  };
  for (size_t i = 0; i < HM_COUNT(records); i++) {
    hm_record_schema(w, records[i].stored, records[i].layer, HM_SCHEMA_STORED);
    hm_record_schema(w, records[i].new, records[i].layer, HM_SCHEMA_NEW);
    hm_record_schema(w, records[i].patch, records[i].layer, HM_SCHEMA_PATCH);
  }
  hm_api_write_body_schemas(w);
  for (size_t i = 0; i < HM_COUNT(ANSWERS); i++)
    hm_shape_write_schema(w, &ANSWERS[i], hm_api_cut_members(&ANSWERS[i]));
}
