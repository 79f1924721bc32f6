/* Words that mean nearly the same, so that "Our online store" meets "The web shop": a group a line.
 * Of a question they widen what a row has of it (query.c). For rows that are alike they only widen
 * which rows are looked at and how much they share; whether two rows contradict each other is for
 * who reads them. A word counts by its first bytes, as in alike_index.c; one that has several
 * meanings may be in several groups. */
#include "core/recall/alike_impl.h"

#include "core/base/text.h"

static const char *const GROUPS[] = {
  /* people */
  "client|customer|buyer",
  "colleague|employee|personnel|staff|worker",
  "boss|head|manager|supervisor",
  "provider|supplier|vendor",
  "apprentice|intern|trainee",
  "applicant|candidate",
  "business|company|enterprise|firm",
  "department|division|team",
  "doctor|physician",
  "guest|visitor",
  "instructor|teacher|trainer",
  "child|children|kid",
  "mom|mother|mum",
  "dad|father",
  "husband|married|partner|spouse|wife",
  "charge|maintainer|own|owner|responsible",
  /* money */
  "bill|invoice",
  "paid|pay|payment|settle",
  "charge|cost|fee|price|tariff",
  "earnings|pay|salary|wage",
  "estimate|offer|quotation|quote",
  "refund|reimburse|repay",
  "discount|rebate|reduction",
  "cash|money",
  "agreement|contract",
  "dunned|dunning|reminder",
  "bought|buy|order|procure|purchase",
  "sale|sell|sold",
  "hire|lease|rent",
  "free|gratis",
  /* things */
  "shop|store",
  "internet|online|site|web|website",
  "app|application|program|software",
  "image|photo|picture",
  "automobile|car|van|vehicle",
  "lorry|truck",
  "tire|tyre|wheel",
  "bicycle|bike|cycle",
  "rail|railway|train",
  "aircraft|flight|fly|plane",
  "boat|ferry|ship|vessel",
  "computer|laptop|macbook|notebook",
  "mobile|phone|telephone",
  "display|monitor|screen",
  "rack|shelf|shelves",
  "bug|defect|error|failure|fault",
  "host|machine|server",
  "data|information|record",
  "document|file|paper",
  "directory|folder",
  "email|letter|mail",
  "credential|passphrase|password",
  "apartment|building|flat|home|house",
  "chamber|hall|room",
  "floor|level|storey",
  "allotment|garden|yard",
  "garbage|rubbish|trash|waste",
  "chemical|reagent|solvent|substance",
  "drug|medication|medicine|pill",
  "disease|ill|illness|sick",
  "dish|food|lunch|meal|menu",
  "beef|chicken|meat|pork|sausage|schnitzel|steak",
  "beverage|drink",
  "door|entrance|gate",
  "color|colour|paint",
  "cat|kitten",
  "dog|puppy",
  "count|inventory|stock|stocktaking",
  "issue|request|ticket",
  "job|occupation|position|work",
  "college|school|university",
  "conversation|chat|talk",
  "appointment|meeting|session|visit",
  /* what is done */
  "delete|discard|erase|purge|remove|wipe",
  "held|hold|keep|kept|preserve|retain|retention|store",
  "deliver|delivery|dispatch|post|send|sent|ship",
  "fix|mend|repair",
  "build|built|construct",
  "made|make|manufacture|produce",
  "began|begin|commence|launch|start",
  "cease|end|expire|expiry|finish|lapse|stop|terminate|valid",
  "allow|may|permit|permission",
  "ban|banned|disallow|forbid|forbidden|prohibit",
  "compulsory|mandatory|obligatory|require",
  "answer|reply|respond|response",
  "abort|cancel|revoke|withdraw",
  "change|exchange|replace|swap|switch",
  "audit|check|examine|inspect|inspection|review|verify",
  "drill|evacuation|exercise|practise|rehearse",
  "collect|fetch|gather|pick",
  "clean|tidy|wash",
  "move|relocate|transfer",
  "backup|copied|copy|duplicate|mirror|replicate",
  "issue|publish|release",
  "author|draft|write|written|wrote",
  "approval|approve|consent|sign|signature",
  "localize|translate",
  "close|lock|shut",
  "enjoy|favour|like|love|prefer",
  "avoid|dislike|hate",
  "dwell|home|live|reside",
  "birth|birthday|born",
  "encrypt|encryption|plaintext",
  "cool|freeze|frozen|cold",
  "heat|hot|warm|celsius|degree|temperature",
  "heavy|mass|weigh|weight",
  "cap|ceiling|limit|maximum|most",
  "least|minimum",
  "fast|quick|rapid|speed|velocity",
  "holiday|leave|vacation",
  "extra|overtime",
  /* places and rooms */
  "elevator|lift",
  "bathroom|lavatory|restroom|toilet",
  "cafeteria|canteen|kitchen",
  "basement|cellar",
  "garage|parking",
  "depot|storage|storehouse|warehouse",
  "city|town|village",
  "road|street",
  "clinic|hospital",
  "exhibition|gallery|museum",
  "lab|laboratory",
  "cinema|film|movie",
  "area|region|zone",
  "stage|theatre",
  /* work */
  "bonus|premium|supplement",
  "rollout|deploy|deployment|install|installation",
  "patch|update|upgrade",
  "account|member|user",
  "admin|administrator|root",
  "branch|trunk",
  "attempt|retry",
  "alarm|alert|siren|warning",
  "guideline|policy|regulation|rule",
  "law|lawyer|legal|statute",
  "fine|penalty",
  "ballot|election|vote",
  "chairman|chairperson|chair|preside",
  "minutes|protocol",
  "bulletin|newsletter",
  "advert|advertisement|advertising",
  "newspaper|press",
  "poll|questionnaire|survey",
  "class|course|lecture|lesson|seminar|training",
  "exam|examination|quiz",
  "certificate|degree|diploma",
  "learner|pupil|student",
  "elderly|pensioner|retired|senior",
  "teenager|young|youth",
  "experiment|study|trial",
  "sample|specimen",
  "adjust|calibrate|calibration",
  "accuracy|deviation|tolerance",
  "accident|crash",
  "injury|wound",
  "cover|insurance|insured",
  "credit|loan",
  "budget|funds",
  "licence|license",
  "courier|carrier|forwarder|haulier",
  "cargo|consignment|freight|goods|package|parcel|shipment",
  "box|carton|container|crate|pallet",
  "customs|duty",
  "badge|label|sticker|tag",
  "apparatus|device|equipment|machine|tool",
  "component|part|piece",
  "concert|gig|performance",
  "music|song|tune",
  "game|match",
  "club|squad|team",
  "coach|trainer",
  "member|membership",
  /* materials and goods */
  "diesel|fuel|gasoline|petrol",
  "electric|electricity|power",
  "lamp|light",
  "desk|table",
  "chair|seat",
  "accumulator|battery",
  "cable|cord|wire",
  "lan|network|wifi|wlan",
  "iron|metal|steel",
  "lumber|oak|pine|timber|wood",
  "plastic|polymer",
  "cardboard|paper",
  "lacquer|paint|varnish",
  "adhesive|glue",
  "grease|lubricant|oil",
  "compressor|pump",
  "detector|gauge|meter|probe|sensor",
  "bolt|screw",
  "cooler|freezer|fridge|refrigerator",
  "oven|stove",
  "glasses|goggles|spectacles",
  "mask|respirator",
  "helmet|hat",
  "boot|footwear|shoe",
  "clothes|clothing|dress|uniform|workwear",
  "fish|seafood",
  "dairy|milk",
  "alcohol|beer|wine",
  "bakery|bread",
  "cigarette|smoke|smoking|tobacco",
  "allergic|allergy|intolerance",
  "jab|vaccination|vaccine",
  "book|novel|volume",
  /* land and weather */
  "bush|flower|plant",
  "irrigate|irrigation|water",
  "crop|harvest|reap",
  "seed|sow",
  "earth|ground|soil",
  "compost|fertiliser|fertilizer|manure",
  "insect|pest",
  "apiary|bee|hive",
  "cattle|cow",
  "hen|poultry",
  "frost|ice|snow",
  "storm|wind",
  "burn|fire|flame",
  "flood|leak",
  /* coming and going */
  "arrival|arrive|land",
  "depart|departure|leave",
  "delay|late|overdue",
  "exclusive|only|sole",
  /* when */
  "daily|day",
  "week|weekly",
  "month|monthly",
  "quarter|quarterly",
  "annual|year|yearly",
  "night|nightly|overnight",
  "hour|hourly",
  "deadline|due",
  "saturday|sunday|weekend",
};

static bool is_there(uint32_t hash, const uint32_t *asked, size_t n, const hm_alike_word *out,
                     size_t found) {
  for (size_t i = 0; i < n; i++)
    if (asked[i] == hash)
      return true;
  for (size_t i = 0; i < found; i++)
    if (out[i].hash == hash)
      return true;
  return false;
}

size_t hm_alike_synonyms(const uint32_t *asked, size_t n, hm_alike_word *out, size_t most) {
  size_t found = 0;
  for (size_t g = 0; g < HM_COUNT(GROUPS); g++) {
    uint32_t all[16];
    size_t of_group = 0, k = n;
    hm_str rest = hm_str_c(GROUPS[g]);
    while (rest.n && of_group < HM_COUNT(all)) {
      ptrdiff_t bar = hm_str_find(rest, "|");
      hm_str word = hm_str_sub(rest, 0, bar < 0 ? rest.n : (size_t)bar);
      rest = hm_str_sub(rest, bar < 0 ? rest.n : word.n + 1, rest.n);
      all[of_group++] = hm_alike_stem_hash(word);
    }
    for (size_t i = 0; i < of_group && k == n; i++)
      for (k = 0; k < n && asked[k] != all[i];)
        k++;
    for (size_t i = 0; k < n && i < of_group && found < most; i++)
      if (!is_there(all[i], asked, n, out, found))
        out[found++] = (hm_alike_word){ all[i], (uint8_t)k };
  }
  return found;
}

size_t hm_alike_words_like(hm_str word, hm_str *out, size_t most) {
  uint32_t hash = hm_alike_stem_hash(word);
  size_t found = 0;
  for (size_t g = 0; g < HM_COUNT(GROUPS); g++) {
    size_t first = found;
    bool has = false;
    for (hm_str rest = hm_str_c(GROUPS[g]); rest.n && found < most;) {
      ptrdiff_t bar = hm_str_find(rest, "|");
      out[found] = hm_str_sub(rest, 0, bar < 0 ? rest.n : (size_t)bar);
      rest = hm_str_sub(rest, bar < 0 ? rest.n : out[found].n + 1, rest.n);
      has |= hm_alike_stem_hash(out[found++]) == hash;
    }
    if (!has)
      found = first;
  }
  return found;
}
