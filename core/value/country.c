/* Countries by their codes of two and three letters, and by name: ISO 3166-1 has them all, under
 * the names that CLDR shows. "UK" is reserved there for the United Kingdom.
 *
 * A code is one only where the slot is about countries: "no" and "in" are words elsewhere. Cost: a
 * walk through the table. */
#include "core/value/value_impl.h"

/* clang-format off */
/* Sorted by the first code. */
static const struct {
  const char *two, *three, *name;
} countries[] = {
  { "ad", "and", "andorra" }, { "ae", "are", "united arab emirates" },
  { "af", "afg", "afghanistan" }, { "ag", "atg", "antigua and barbuda" },
  { "ai", "aia", "anguilla" }, { "al", "alb", "albania" }, { "am", "arm", "armenia" },
  { "ao", "ago", "angola" }, { "aq", "ata", "antarctica" }, { "ar", "arg", "argentina" },
  { "as", "asm", "american samoa" }, { "at", "aut", "austria" }, { "au", "aus", "australia" },
  { "aw", "abw", "aruba" }, { "ax", "ala", "\u00E5land islands" }, { "az", "aze", "azerbaijan" },
  { "ba", "bih", "bosnia and herzegovina" }, { "bb", "brb", "barbados" },
  { "bd", "bgd", "bangladesh" }, { "be", "bel", "belgium" }, { "bf", "bfa", "burkina faso" },
  { "bg", "bgr", "bulgaria" }, { "bh", "bhr", "bahrain" }, { "bi", "bdi", "burundi" },
  { "bj", "ben", "benin" }, { "bl", "blm", "saint barth\u00E9lemy" }, { "bm", "bmu", "bermuda" },
  { "bn", "brn", "brunei" }, { "bo", "bol", "bolivia" }, { "bq", "bes", "bonaire" },
  { "br", "bra", "brazil" }, { "bs", "bhs", "bahamas" }, { "bt", "btn", "bhutan" },
  { "bv", "bvt", "bouvet island" }, { "bw", "bwa", "botswana" }, { "by", "blr", "belarus" },
  { "bz", "blz", "belize" }, { "ca", "can", "canada" }, { "cc", "cck", "cocos" },
  { "cd", "cod", "democratic republic of the congo" }, { "cf", "caf", "central african republic" },
  { "cg", "cog", "congo" }, { "ch", "che", "switzerland" }, { "ci", "civ", "c\u00F4te d'ivoire" },
  { "ck", "cok", "cook islands" }, { "cl", "chl", "chile" }, { "cm", "cmr", "cameroon" },
  { "cn", "chn", "china" }, { "co", "col", "colombia" }, { "cr", "cri", "costa rica" },
  { "cu", "cub", "cuba" }, { "cv", "cpv", "cape verde" }, { "cw", "cuw", "cura\u00E7ao" },
  { "cx", "cxr", "christmas island" }, { "cy", "cyp", "cyprus" }, { "cz", "cze", "czechia" },
  { "de", "deu", "germany" }, { "dj", "dji", "djibouti" }, { "dk", "dnk", "denmark" },
  { "dm", "dma", "dominica" }, { "do", "dom", "dominican republic" }, { "dz", "dza", "algeria" },
  { "ec", "ecu", "ecuador" }, { "ee", "est", "estonia" }, { "eg", "egy", "egypt" },
  { "eh", "esh", "western sahara" }, { "er", "eri", "eritrea" }, { "es", "esp", "spain" },
  { "et", "eth", "ethiopia" }, { "fi", "fin", "finland" }, { "fj", "fji", "fiji" },
  { "fk", "flk", "falkland islands" }, { "fm", "fsm", "micronesia" },
  { "fo", "fro", "faroe islands" }, { "fr", "fra", "france" }, { "ga", "gab", "gabon" },
  { "gb", "gbr", "united kingdom" }, { "gd", "grd", "grenada" }, { "ge", "geo", "georgia" },
  { "gf", "guf", "french guiana" }, { "gg", "ggy", "guernsey" }, { "gh", "gha", "ghana" },
  { "gi", "gib", "gibraltar" }, { "gl", "grl", "greenland" }, { "gm", "gmb", "gambia" },
  { "gn", "gin", "guinea" }, { "gp", "glp", "guadeloupe" }, { "gq", "gnq", "equatorial guinea" },
  { "gr", "grc", "greece" }, { "gs", "sgs", "south georgia and the south sandwich islands" },
  { "gt", "gtm", "guatemala" }, { "gu", "gum", "guam" }, { "gw", "gnb", "guinea-bissau" },
  { "gy", "guy", "guyana" }, { "hk", "hkg", "hong kong" },
  { "hm", "hmd", "heard island and mcdonald islands" }, { "hn", "hnd", "honduras" },
  { "hr", "hrv", "croatia" }, { "ht", "hti", "haiti" }, { "hu", "hun", "hungary" },
  { "id", "idn", "indonesia" }, { "ie", "irl", "ireland" }, { "il", "isr", "israel" },
  { "im", "imn", "isle of man" }, { "in", "ind", "india" },
  { "io", "iot", "british indian ocean territory" }, { "iq", "irq", "iraq" },
  { "ir", "irn", "iran" }, { "is", "isl", "iceland" }, { "it", "ita", "italy" },
  { "je", "jey", "jersey" }, { "jm", "jam", "jamaica" }, { "jo", "jor", "jordan" },
  { "jp", "jpn", "japan" }, { "ke", "ken", "kenya" }, { "kg", "kgz", "kyrgyzstan" },
  { "kh", "khm", "cambodia" }, { "ki", "kir", "kiribati" }, { "km", "com", "comoros" },
  { "kn", "kna", "saint kitts and nevis" }, { "kp", "prk", "north korea" },
  { "kr", "kor", "south korea" }, { "kw", "kwt", "kuwait" }, { "ky", "cym", "cayman islands" },
  { "kz", "kaz", "kazakhstan" }, { "la", "lao", "laos" }, { "lb", "lbn", "lebanon" },
  { "lc", "lca", "saint lucia" }, { "li", "lie", "liechtenstein" }, { "lk", "lka", "sri lanka" },
  { "lr", "lbr", "liberia" }, { "ls", "lso", "lesotho" }, { "lt", "ltu", "lithuania" },
  { "lu", "lux", "luxembourg" }, { "lv", "lva", "latvia" }, { "ly", "lby", "libya" },
  { "ma", "mar", "morocco" }, { "mc", "mco", "monaco" }, { "md", "mda", "moldova" },
  { "me", "mne", "montenegro" }, { "mf", "maf", "saint martin" }, { "mg", "mdg", "madagascar" },
  { "mh", "mhl", "marshall islands" }, { "mk", "mkd", "north macedonia" }, { "ml", "mli", "mali" },
  { "mm", "mmr", "myanmar" }, { "mn", "mng", "mongolia" }, { "mo", "mac", "macao" },
  { "mp", "mnp", "northern mariana islands" }, { "mq", "mtq", "martinique" },
  { "mr", "mrt", "mauritania" }, { "ms", "msr", "montserrat" }, { "mt", "mlt", "malta" },
  { "mu", "mus", "mauritius" }, { "mv", "mdv", "maldives" }, { "mw", "mwi", "malawi" },
  { "mx", "mex", "mexico" }, { "my", "mys", "malaysia" }, { "mz", "moz", "mozambique" },
  { "na", "nam", "namibia" }, { "nc", "ncl", "new caledonia" }, { "ne", "ner", "niger" },
  { "nf", "nfk", "norfolk island" }, { "ng", "nga", "nigeria" }, { "ni", "nic", "nicaragua" },
  { "nl", "nld", "netherlands" }, { "no", "nor", "norway" }, { "np", "npl", "nepal" },
  { "nr", "nru", "nauru" }, { "nu", "niu", "niue" }, { "nz", "nzl", "new zealand" },
  { "om", "omn", "oman" }, { "pa", "pan", "panama" }, { "pe", "per", "peru" },
  { "pf", "pyf", "french polynesia" }, { "pg", "png", "papua new guinea" },
  { "ph", "phl", "philippines" }, { "pk", "pak", "pakistan" }, { "pl", "pol", "poland" },
  { "pm", "spm", "saint pierre and miquelon" }, { "pn", "pcn", "pitcairn" },
  { "pr", "pri", "puerto rico" }, { "ps", "pse", "palestine" }, { "pt", "prt", "portugal" },
  { "pw", "plw", "palau" }, { "py", "pry", "paraguay" }, { "qa", "qat", "qatar" },
  { "re", "reu", "r\u00E9union" }, { "ro", "rou", "romania" }, { "rs", "srb", "serbia" },
  { "ru", "rus", "russia" }, { "rw", "rwa", "rwanda" }, { "sa", "sau", "saudi arabia" },
  { "sb", "slb", "solomon islands" }, { "sc", "syc", "seychelles" }, { "sd", "sdn", "sudan" },
  { "se", "swe", "sweden" }, { "sg", "sgp", "singapore" }, { "sh", "shn", "saint helena" },
  { "si", "svn", "slovenia" }, { "sj", "sjm", "svalbard and jan mayen" },
  { "sk", "svk", "slovakia" }, { "sl", "sle", "sierra leone" }, { "sm", "smr", "san marino" },
  { "sn", "sen", "senegal" }, { "so", "som", "somalia" }, { "sr", "sur", "suriname" },
  { "ss", "ssd", "south sudan" }, { "st", "stp", "sao tome and principe" },
  { "sv", "slv", "el salvador" }, { "sx", "sxm", "sint maarten" }, { "sy", "syr", "syria" },
  { "sz", "swz", "eswatini" }, { "tc", "tca", "turks and caicos islands" }, { "td", "tcd", "chad" },
  { "tf", "atf", "french southern territories" }, { "tg", "tgo", "togo" },
  { "th", "tha", "thailand" }, { "tj", "tjk", "tajikistan" }, { "tk", "tkl", "tokelau" },
  { "tl", "tls", "timor-leste" }, { "tm", "tkm", "turkmenistan" }, { "tn", "tun", "tunisia" },
  { "to", "ton", "tonga" }, { "tr", "tur", "turkey" }, { "tt", "tto", "trinidad and tobago" },
  { "tv", "tuv", "tuvalu" }, { "tw", "twn", "taiwan" }, { "tz", "tza", "tanzania" },
  { "ua", "ukr", "ukraine" }, { "ug", "uga", "uganda" },
  { "um", "umi", "united states minor outlying islands" }, { "us", "usa", "united states" },
  { "uy", "ury", "uruguay" }, { "uz", "uzb", "uzbekistan" }, { "va", "vat", "vatican city" },
  { "vc", "vct", "saint vincent and the grenadines" }, { "ve", "ven", "venezuela" },
  { "vg", "vgb", "british virgin islands" }, { "vi", "vir", "us virgin islands" },
  { "vn", "vnm", "vietnam" }, { "vu", "vut", "vanuatu" }, { "wf", "wlf", "wallis and futuna" },
  { "ws", "wsm", "samoa" }, { "ye", "yem", "yemen" }, { "yt", "myt", "mayotte" },
  { "za", "zaf", "south africa" }, { "zm", "zmb", "zambia" }, { "zw", "zwe", "zimbabwe" },
};
/* clang-format on */

/* As their people write them, and other names; sorted. Source: CLDR. */
static const struct {
  const char *other, *two;
} own_names[] = {
  { "america", "us" },         { "belgie", "be" },
  { "belgien", "be" },         { "belgique", "be" },
  { "belgi\u00EB", "be" },     { "brasil", "br" },
  { "burma", "mm" },           { "cesko", "cz" },
  { "czech republic", "cz" },  { "danmark", "dk" },
  { "deutschland", "de" },     { "eire", "ie" },
  { "espana", "es" },          { "espa\u00F1a", "es" },
  { "frankreich", "fr" },      { "great britain", "gb" },
  { "griechenland", "gr" },    { "holland", "nl" },
  { "hrvatska", "hr" },        { "italia", "it" },
  { "italien", "it" },         { "magyarorsz\u00E1g", "hu" },
  { "nederland", "nl" },       { "niederlande", "nl" },
  { "norge", "no" },           { "norwegen", "no" },
  { "oesterreich", "at" },     { "osterreich", "at" },
  { "pays-bas", "nl" },        { "polen", "pl" },
  { "polska", "pl" },          { "rossiya", "ru" },
  { "schweden", "se" },        { "schweiz", "ch" },
  { "slovenija", "si" },       { "slovensko", "sk" },
  { "spanien", "es" },         { "suisse", "ch" },
  { "suomi", "fi" },           { "sverige", "se" },
  { "svizzera", "ch" },        { "t\u00FCrkei", "tr" },
  { "t\u00FCrkiye", "tr" },    { "uk", "gb" },
  { "ungarn", "hu" },          { "\u00D6sterreich", "at" },
  { "\u00F6sterreich", "at" }, { "\u010Desko", "cz" },
};

/* HM_COUNT(countries): it is none. */
static size_t country_of(hm_str s) {
  size_t i = 0;
  hm_str two = HM_LOOK_UP(s, own_names);
  if (two.n)
    s = two;
  while (i < HM_COUNT(countries) && !hm_str_is(s, countries[i].two) &&
         !hm_str_is(s, countries[i].three) && !hm_str_is(s, countries[i].name))
    i++;
  return i;
}

bool hm_countries_are_one(hm_str x, hm_str y) {
  size_t country = country_of(x);
  return country < HM_COUNT(countries) && country == country_of(y);
}
