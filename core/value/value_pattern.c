/* Values that are written in several patterns, and the one that is read: a table.
 *
 * A pattern is letters, which match in any case, and
 *
 *   %d %w  digits, letters               %2 %3 %4  so many digits; %1: one or two
 *   %n     digits . , '                  %s     anything, also nothing
 *   a blank: one or more                 _      blanks or none
 *
 * The result has $1 for the text of the first of these. A line that names a reading counts only in
 * slots that support it (slot_reading.h). A line names two independent sources that write so;
 * tests/data/values.txt has its cases. At most PASSES lines are followed. Cost: a comparison of the
 * first and the last character with each line, for texts of at most LONGEST. */
#include <string.h>

#include "core/base/ascii.h"
#include "core/value/value_impl.h"

enum { LONGEST = 96, CAPTURES = 4, PASSES = 3 };

enum {
  ADDRESS = HM_READ_ADDRESS,
  CODE = HM_READ_CODE,
  COLOUR = HM_READ_COLOUR,
  DATE = HM_READ_DATE,
  IMAGE = HM_READ_IMAGE,
  GROUPED = HM_READ_GROUPED,
  PATH = HM_READ_PATH,
  PLACE = HM_READ_PLACE,
  PORT = HM_READ_PORT,
  RATIO = HM_READ_RATIO,
  SCORE = HM_READ_SCORE,
  VERSION = HM_READ_VERSION,
  YEAR = HM_READ_YEAR
};

/* supported: 0 in any slot. */
typedef struct {
  const char *pattern, *result;
  hm_reading supported;
  const char *sources;
} form;

/* clang-format off */
static const form forms[] = {
  /* numbers and money */
  { "%s%d.%3%s", "$1$2$3$4", HM_READ_WITHOUT_POINTS, "Duden; RAE" },
  { "%s%d,%3%s", "$1$2.$3$4", HM_READ_DECIMAL_COMMA, "Duden; RAE" },
  { "minus %d%s", "-$1$2", 0, "Duden; Oxford English Dictionary" },
  { "%n,-", "$1", 0, "Duden; Belgian price lists" },
  { "%n,--", "$1", 0, "Duden; Belgian price lists" },
  { "%n,- %s", "$1 $2", 0, "Duden; Belgian price lists" },
  { "%w %n.-", "$1 $2", 0, "Swiss Federal Chancellery; Swiss Post" },
  { "%w %n.--", "$1 $2", 0, "Swiss Federal Chancellery; Swiss Post" },
  { "fr._%d%s", "CHF $1$2", 0, "Swiss Federal Chancellery; Duden" },
  { "%n fr.", "CHF $1", 0, "Swiss Federal Chancellery; Duden" },
  { "%n mio%s", "$1 million$2", 0, "Duden; Swiss Federal Chancellery" },
  { "%n mrd%s", "$1 billion$2", 0, "Duden; Swiss Federal Chancellery" },
  { "%n tsd%s", "$1 thousand$2", 0, "Duden; Statistisches Bundesamt" },
  { "%n million. %s", "$1 million $2", 0, "Duden; Swiss Federal Chancellery" },
  { "%n billion. %s", "$1 billion $2", 0, "Duden; Swiss Federal Chancellery" },
  { "%n thousand. %s", "$1 thousand $2", 0, "Duden; Statistisches Bundesamt" },
  { "%n millionen%s", "$1 million$2", 0, "Duden; Wahrig" },
  { "%n milliarden%s", "$1 billion$2", 0, "Duden; Wahrig" },
  { "%n millions d'%s", "$1 million $2", 0, "Larousse; Robert" },
  { "%n millions de %s", "$1 million $2", 0, "Larousse; Robert" },
  { "%n milliards d'%s", "$1 billion $2", 0, "Larousse; Robert" },
  { "%n milliards de %s", "$1 billion $2", 0, "Larousse; Robert" },
  { "%n millones de %s", "$1 million $2", 0, "RAE; Fund\u00E9u" },
  { "%n\u4E07%s", "$1 x 10^4$2", 0, "GB/T 15835; Unicode Unihan" },
  { "%n\u842C%s", "$1 x 10^4$2", 0, "GB/T 15835; Unicode Unihan" },
  { "%n\u5104%s", "$1 x 10^8$2", 0, "Unicode Unihan; CLDR" },
  { "%n\u4EBF%s", "$1 x 10^8$2", 0, "GB/T 15835; CLDR" },
  /* times */
  { "%1_-_%1_uhr", "$1:00-$2:00", 0, "Duden; DIN 5008" },
  { "%1 bis %1 uhr", "$1:00-$2:00", 0, "Duden; DIN 5008" },
  { "%s %1_-_%1_uhr", "$1 $2:00-$3:00", 0, "Duden; DIN 5008" },
  { "%1:%2_-_%1:%2 uhr", "$1:$2-$3:$4", 0, "Duden; DIN 5008" },
  { "%1.%2_-_%1.%2 uhr", "$1:$2-$3:$4", 0, "Duden; DIN 5008" },
  { "%1_-_%1", "$1:00-$2:00", HM_READ_HOURS, "Chicago Manual of Style; DIN 5008" },
  { "%1 to %1", "$1:00-$2:00", HM_READ_HOURS, "Chicago Manual of Style; OpenStreetMap" },
  { "%s %1_-_%1", "$1 $2:00-$3:00", HM_READ_HOURS, "Chicago Manual of Style; DIN 5008" },
  { "%d uhr", "$1:00", 0, "Duden; DIN 5008" },
  { "%d:%d uhr", "$1:$2", 0, "Duden; DIN 5008" },
  { "%d.%d uhr", "$1:$2", 0, "Duden; DIN 5008" },
  { "%dh0%d", "$1 h $2 min", 0, "Imprimerie nationale; Larousse" },
  { "le %d%s", "$1$2", 0, "Imprimerie nationale; Larousse" },
  { "am %d. %s", "$1. $2", 0, "Duden; DIN 5008" },
  { "q%d/%2", "Q$1 20$2", 0, "Reuters; Deutsche Bundesbank" },
  { "%4%2%2", "$1-$2-$3", DATE, "ISO 8601; RFC 5545" },
  { "%1.%1.%2", "$1.$2.20$3", DATE, "DIN 5008; CLDR" },
  { "fy%4", "$1", YEAR, "US Treasury; SEC filings" },
  { "fy%2", "20$1", YEAR, "US Treasury; SEC filings" },
  { "12:00_noon", "12:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "12:00_midnight", "0:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "noon", "12:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "12 noon", "12:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%s noon", "$1 12:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "midnight", "0:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%s midnight", "$1 0:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%s-midnight", "$1-0:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%ngbe", "$1 Gbit/s", 0, "IEEE 802.3; Intel" },
  { "%s&nbsp;%s", "$1 $2", 0, "HTML; WHATWG" },
  { "%s&nbsp%s", "$1 $2", 0, "HTML; WHATWG" },
  { "%s (estimated)", "$1", 0, "Eurostat; US Energy Information Administration" },
  { "%s (est.)", "$1", 0, "US Census Bureau; CIA World Factbook" },
  { "%s - 12:00_noon", "$1 - 12:00", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%d?", "$1", 0, "Chicago Manual of Style; Library of Congress" },
  { "%w?", "$1", 0, "Chicago Manual of Style; Library of Congress" },
  { "%s - not available", "$1", 0, "Eurostat; US Census Bureau" },
  { "%s - contact airline", "$1", 0, "FlightView; Orbitz" },
  { "%w-%d", "$1$2", PLACE, "IATA; FAA" },
  { "-%d-", "$1", HM_READ_GATE, "FlightView; Orbitz" },
  { "-%d", "$1", HM_READ_GATE, "FlightView; Orbitz" },
  { "%w%d$", "$1$2", HM_READ_GATE, "FlightView; Orbitz" },
  { "%s - %s lvl - %s", "$3, $1", PLACE, "FlightView; Orbitz" },
  { "term%s - %s", "$2, term$1", PLACE, "IATA; FAA" },
  { "%s term - %s", "$2, $1 term", PLACE, "IATA; FAA" },
  { "%4\u5E74_%1\u6708_%1\u65E5", "$1-$2-$3", 0, "GB/T 7408; JIS X 0301" },
  { "%4\u5E74_%2\u6708", "$1-$2", 0, "GB/T 7408; JIS X 0301" },
  { "%4\u5E74_%d\u6708", "$1-0$2", 0, "GB/T 7408; JIS X 0301" },
  { "\u2713", "yes", 0, "Unicode; GitHub" },
  { "\u2714", "yes", 0, "Unicode; GitHub" },
  { "\u2714\uFE0F", "yes", 0, "Unicode; GitHub" },
  { "\u2705", "yes", 0, "Unicode; GitHub" },
  { "\u2611", "yes", 0, "Unicode; GitHub" },
  { "\u2717", "no", 0, "Unicode; GitHub" },
  { "\u2718", "no", 0, "Unicode; GitHub" },
  { "\u274C", "no", 0, "Unicode; GitHub" },
  { "\u2610", "no", 0, "Unicode; GitHub" },
  /* how long */
  { "pt%nh", "$1 h", 0, "ISO 8601; RFC 5545" },
  { "pt%nm", "$1 min", 0, "ISO 8601; RFC 5545" },
  { "pt%ns", "$1 s", 0, "ISO 8601; RFC 5545" },
  { "pt%dh%dm", "$1 h $2 min", 0, "ISO 8601; RFC 5545" },
  { "pt%dm%ds", "$1 min $2 s", 0, "ISO 8601; RFC 5545" },
  { "pt%dh%dm%ds", "$1 h $2 min $3 s", 0, "ISO 8601; RFC 5545" },
  { "p%nd", "$1 d", 0, "ISO 8601; RFC 5545" },
  { "p%nw", "$1 weeks", 0, "ISO 8601; RFC 5545" },
  { "p%ddt%dh", "$1 d $2 h", 0, "ISO 8601; RFC 5545" },
  { "p%ddt%dh%dm", "$1 d $2 h $3 min", 0, "ISO 8601; RFC 5545" },
  { "p%ddt%dm", "$1 d $2 min", 0, "ISO 8601; RFC 5545" },
  { "%d:0%d_h%s", "$1 h$3 $2 min", 0, "Duden; Microsoft Excel" },
  { "%d:%2_h%s", "$1 h$3 $2 min", 0, "Duden; Microsoft Excel" },
  { "%d:0%d_min%s", "$1 min$3 $2 s", 0, "Duden; Microsoft Excel" },
  { "%d:%2_min%s", "$1 min$3 $2 s", 0, "Duden; Microsoft Excel" },
  { "ph_%n", "$1 pH", 0, "IUPAC; NIST SP 811" },
  { "ph:_%n", "$1 pH", 0, "IUPAC; NIST SP 811" },
  { "ph_=_%n", "$1 pH", 0, "IUPAC; NIST SP 811" },
  { "an hour", "1 hour", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a second", "1 second", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a minute", "1 minute", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a day", "1 day", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a fortnight", "2 weeks", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a week", "1 week", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a month", "1 month", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "a year", "1 year", 0, "Oxford English Dictionary; Merriam-Webster" },
  /* how often */
  { "0 %1 * * *", "daily at $1:00", 0, "crontab(5); GitHub Actions" },
  { "%2 %1 * * *", "daily at $2:$1", 0, "crontab(5); GitHub Actions" },
  { "%d %1 * * *", "daily at $2:0$1", 0, "crontab(5); GitHub Actions" },
  { "*/%d * * * *", "$1 minutes", 0, "crontab(5); GitHub Actions" },
  { "0 */%d * * *", "$1 hours", 0, "crontab(5); GitHub Actions" },
  { "0 * * * *", "1 hour", 0, "crontab(5); GitHub Actions" },
  { "@hourly", "1 hour", 0, "crontab(5); systemd.time(7)" },
  { "@daily", "daily at 0:00", 0, "crontab(5); systemd.time(7)" },
  { "every day at %s", "daily at $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "daily at 0%d:%s", "daily at $1:$2", 0, "ISO 8601; Chicago Manual of Style" },
  { "every %n %w", "$1 $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every %n%w", "$1$2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every %w %ws", "$1 $2s", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every second", "1 second", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every minute", "1 minute", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every hour", "1 hour", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every day", "1 day", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every week", "1 week", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every month", "1 month", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every year", "1 year", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every quarter", "3 months", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "every other %w", "2 $1s", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "each %w", "every $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "hourly", "1 hour", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "daily", "1 day", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "weekly", "1 week", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "fortnightly", "2 weeks", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "monthly", "1 month", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "quarterly", "3 months", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "yearly", "1 year", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "annually", "1 year", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "once a %w", "every $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "once an %w", "every $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "once per %w", "every $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "once every %s", "every $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "once daily", "1 day", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "once weekly", "1 week", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "twice %s", "2 times $1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%n times a %w", "$1 per $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%w times a %w", "$1 per $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%n times an %w", "$1 per $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%w times an %w", "$1 per $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%n times per %w", "$1 per $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%w times per %w", "$1 per $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%n times daily", "$1 per day", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%w times daily", "$1 per day", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "one every %n %w", "1 every $1 $2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%n every %n %w", "$1/$2 per $3", 0, "Oxford English Dictionary; Merriam-Webster" },
  /* addresses, paths, what is served there */
  { "mailto:%s", "$1", 0, "RFC 6068; HTML" },
  { "tel:_%s", "$1", 0, "RFC 3966; HTML" },
  { "tel._%s", "$1", 0, "Duden; DIN 5008" },
  { "./%s/", "$1", 0, "POSIX; Node.js" },
  { "./%s", "$1", 0, "POSIX; Node.js" },
  { "$home/%s", "~/$1", PATH, "POSIX shell; systemd" },
  { "localhost%s", "127.0.0.1$1", ADDRESS, "RFC 6761; hosts(5)" },
  { "git@%w.%w:%s", "https://$1.$2/$3", ADDRESS, "GitHub; GitLab" },
  { "https://%s.git", "https://$1", ADDRESS, "GitHub; GitLab" },
  { "%d/tcp", "$1", PORT, "Docker; services(5)" },
  { "docker.io/library/%s", "$1", IMAGE, "Docker; containerd" },
  { "docker.io/%s", "$1", IMAGE, "Docker; containerd" },
  { "%s:latest", "$1", IMAGE, "Docker; Kubernetes" },
  { "%s:%d%s", "$1 $2$3", IMAGE, "Docker; Kubernetes" },
  { "%w:%d%s", "$1 $2$3", VERSION, "Docker; Kubernetes" },
  { "%s-alpine", "$1", VERSION, "Docker; Kubernetes" },
  { "%s-slim", "$1", VERSION, "Docker; Kubernetes" },
  { "*", "0.0.0.0", ADDRESS, "PostgreSQL; nginx" },
  { "https://doi.org/%s", "$1", 0, "Crossref; DataCite" },
  { "http://dx.doi.org/%s", "$1", 0, "Crossref; DataCite" },
  { "doi:_%s", "$1", 0, "ISO 26324; BibTeX" },
  { "https://orcid.org/%s", "$1", 0, "ORCID; Crossref" },
  { "d-%d", "$1", GROUPED, "Deutsche Post; Universal Postal Union" },
  { "(%s)", "$1", PLACE, "PostgreSQL; GeoPandas" },
  { "%n\u00B0", "$1", PLACE, "ISO 6709; Google Maps" },
  { "-%n\u00B0", "-$1", PLACE, "ISO 6709; Google Maps" },
  { "%n\u00B0_n", "$1", PLACE, "ISO 6709; GeoHack" },
  { "%n\u00B0_e", "$1", PLACE, "ISO 6709; GeoHack" },
  { "%n\u00B0_s", "-$1", PLACE, "ISO 6709; GeoHack" },
  { "%n\u00B0_w", "-$1", PLACE, "ISO 6709; GeoHack" },
  { "%d.%d_n", "$1.$2", PLACE, "ISO 6709; GeoHack" },
  { "%d.%d_e", "$1.$2", PLACE, "ISO 6709; GeoHack" },
  { "%d.%d_s", "-$1.$2", PLACE, "ISO 6709; GeoHack" },
  { "%d.%d_w", "-$1.$2", PLACE, "ISO 6709; GeoHack" },
  { "0x%s", "#$1", COLOUR, "Android; Arduino" },
  /* versions, codes */
  { "%s lts", "$1", VERSION, "Ubuntu; Node.js" },
  { "%n (%s)", "$1", VERSION, "Debian; macOS" },
  { "%w %n (%s)", "$1 $2", VERSION, "Debian; macOS" },
  { "go%n", "$1", VERSION, "Go; GitHub Actions" }, { "php%n", "$1", VERSION, "Debian; Alpine" },
  { "python%n", "$1", VERSION, "Debian; Heroku" }, { "jdk%n", "$1", VERSION, "OpenJDK; Debian" },
  { "m%n_x_%n_mm", "M$1x$2", 0, "ISO 4014; DIN 933" }, { "node%n", "$1", VERSION, "Heroku; AWS" },
  { "%nesr", "$1", VERSION, "Firefox; Thunderbird" },
  { "tlsv%n", "TLS $1", 0, "OpenSSL; nginx" },
  { "fw %d%s", "$1$2", VERSION, "AVM; Ubiquiti" },
  { "rev._%s", "$1", CODE, "ASME Y14.35; KiCad" },
  { "rev %s", "$1", CODE, "ASME Y14.35; KiCad" },
  { "revision %s", "$1", CODE, "ASME Y14.35; KiCad" },
  { "no._%d%s", "$1$2", CODE, "Oxford English Dictionary; Chicago Manual of Style" },
  { "nr._%d%s", "$1$2", CODE, "Duden; DIN 5008" },
  { "#%d", "$1", CODE, "GitHub; Chicago Manual of Style" },
  { "sn:_%s", "$1", CODE, "Cisco; Dell" },
  { "sn %s", "$1", CODE, "Cisco; Dell" },
  { "s/n:_%s", "$1", CODE, "Cisco; Dell" },
  { "%s.utf8", "$1.UTF-8", 0, "glibc; POSIX" },
  { "apache license%sversion 2.0", "Apache-2.0", 0, "SPDX; Apache Software Foundation" },
  { "apache license 2.0", "Apache-2.0", 0, "SPDX; GitHub" },
  { "apache 2.0", "Apache-2.0", 0, "SPDX; GitHub" },
  { "apache 2", "Apache-2.0", 0, "Debian; GitHub" },
  { "mit license", "MIT", 0, "SPDX; Open Source Initiative" },
  { "the mit license", "MIT", 0, "SPDX; Open Source Initiative" },
  { "isc license", "ISC", 0, "SPDX; Open Source Initiative" },
  { "bsd %d-clause", "BSD-$1-Clause", 0, "SPDX; Open Source Initiative" },
  { "bsd %d-clause license", "BSD-$1-Clause", 0, "SPDX; Open Source Initiative" },
  { "%d-clause bsd", "BSD-$1-Clause", 0, "SPDX; Debian" },
  { "%d-clause bsd license", "BSD-$1-Clause", 0, "SPDX; Debian" },
  { "mozilla public license 2.0", "MPL-2.0", 0, "SPDX; Mozilla" },
  { "gnu general public license v%s", "GPLv$1", 0, "SPDX; GNU" },
  { "gnu lesser general public license v%s", "LGPLv$1", 0, "SPDX; GNU" },
  { "gnu affero general public license v%s", "AGPLv$1", 0, "SPDX; GNU" },
  { "gpl v%s", "GPLv$1", 0, "GNU; Debian" },
  { "gplv%d", "GPL-$1.0", 0, "GNU; Debian" },
  { "gplv%d.0", "GPL-$1.0", 0, "SPDX; GNU" },
  { "gplv%d+", "GPL-$1.0-or-later", 0, "GNU; Fedora" },
  { "gplv%d.0 or later", "GPL-$1.0-or-later", 0, "SPDX; GNU" },
  { "gplv%d.0 only", "GPL-$1.0", 0, "SPDX; GNU" },
  { "gpl-%d.0-only", "GPL-$1.0", 0, "SPDX; GNU" },
  { "gpl-%d.0+", "GPL-$1.0-or-later", 0, "SPDX; Debian" },
  { "lgplv%d", "LGPL-$1.0", 0, "GNU; Debian" },
  { "lgplv%n", "LGPL-$1", 0, "SPDX; GNU" },
  { "lgpl-%n-only", "LGPL-$1", 0, "SPDX; GNU" },
  { "agplv%d", "AGPL-$1.0", 0, "GNU; Debian" },
  { "agplv%n", "AGPL-$1", 0, "SPDX; GNU" },
  { "agpl-%n-only", "AGPL-$1", 0, "SPDX; GNU" },
  { "m%d_x_%d,%d", "M$1x$2.$3", 0, "ISO 965; DIN 13" },
  { "4k uhd", "3840x2160", 0, "CTA; ITU-R BT.2020" },
  { "uhd", "3840x2160", 0, "CTA; ITU-R BT.2020" },
  { "full hd", "1920x1080", 0, "CTA; EBU" },
  { "1080p", "1920x1080", 0, "SMPTE 274M; EBU" },
  { "urn:uuid:%s", "$1", 0, "RFC 9562; Python uuid" },
  { "\x7B%s-%s\x7D", "$1-$2", 0, "Microsoft GUID; Python uuid" },
  { "isbn_%d%s", "$1$2", 0, "ISO 2108; BibTeX" },
  { "isbn:_%d%s", "$1$2", 0, "ISO 2108; BibTeX" },
  { "\u00D8_%d%s", "$1$2", 0, "ISO 129; DIN 406" },
  { "\u2300_%d%s", "$1$2", 0, "ISO 129; ASME Y14.5" },
  { "%d_awg", "AWG $1", 0, "ASTM B258; UL" },
  { "@%w", "$1", 0, "GitHub; Mastodon" },
  /* ratios, scores, answers */
  { "%d:%d %d", "$1:$2$3", RATIO, "Swisstopo; IGN" },
  { "%d to %d", "$1:$2", RATIO, "Oxford English Dictionary; Merriam-Webster" },
  { "%d/%d", "$1:$2", RATIO, "CSS; Merriam-Webster" },
  { "%dx%d", "$1:$2", RATIO, "HDMI; ITU-R" },
  { "%d-%d", "$1:$2", SCORE, "FIFA; IOC" },
  { "%n out of %d", "$1/$2", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%d/%d mmhg", "$1/$2", 0, "World Health Organization; American Heart Association" },
  { "%d over %d", "$1/$2", 0, "Merriam-Webster; American Heart Association" },
  { "ja", "yes", 0, "Duden; Van Dale" },
  { "nein", "no", 0, "Duden; CLDR" },
  { "oui", "yes", 0, "Larousse; CLDR" },
  { "non", "no", 0, "Larousse; CLDR" },
  { "s\u00ED", "yes", 0, "RAE; CLDR" },
  { "[x]", "yes", 0, "GitHub; Org mode" },
  { "[ ]", "no", 0, "GitHub; Org mode" },
  { "not active", "inactive", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "not valid", "invalid", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "y", "yes", HM_READ_FLAG, "YAML 1.1; RFC 5424" },
  { "n", "no", HM_READ_FLAG, "YAML 1.1; RFC 5424" },
  { "1", "yes", HM_READ_FLAG, "YAML 1.1; RFC 5424" },
  { "0", "no", HM_READ_FLAG, "YAML 1.1; RFC 5424" },
  { "inactive", "no", HM_READ_FLAG, "Oxford English Dictionary; Merriam-Webster" },
  { "invalid", "no", HM_READ_FLAG, "Oxford English Dictionary; Merriam-Webster" },
  { "un%w", "no", HM_READ_FLAG, "Oxford English Dictionary; Merriam-Webster" },
  { "not %w", "no", HM_READ_FLAG, "Oxford English Dictionary; Merriam-Webster" },
  { "not %w", "un$1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "todo", "to do", HM_READ_STATE, "GitHub Projects; Jira" },
  { "to-do", "to do", HM_READ_STATE, "GitHub Projects; Jira" },
  { "not started", "to do", HM_READ_STATE, "GitHub Projects; Jira" },
  { "in-progress", "in progress", HM_READ_STATE, "GitHub Projects; Jira" },
  { "in_progress", "in progress", HM_READ_STATE, "GitHub Projects; Jira" },
  { "ongoing", "in progress", HM_READ_STATE, "GitHub Projects; Jira" },
  { "under way", "in progress", HM_READ_STATE, "GitHub Projects; Jira" },
  { "underway", "in progress", HM_READ_STATE, "GitHub Projects; Jira" },
  { "wip", "in progress", HM_READ_STATE, "GitHub Projects; Jira" },
  { "complete", "done", HM_READ_STATE, "GitHub Projects; Jira" },
  { "completed", "done", HM_READ_STATE, "GitHub Projects; Jira" },
  { "finished", "done", HM_READ_STATE, "GitHub Projects; Jira" },
  { "p%d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "p-%d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "prio%d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "prio-%d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "prio %d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "priority %d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "priority-%d", "$1", HM_READ_PRIORITY, "PagerDuty; Jira" },
  { "s%d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "sev%d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "sev-%d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "sev %d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "severity %d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "level %d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "t%d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "l%d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "tier %d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "tier-%d", "$1", HM_READ_LEVEL, "PagerDuty; Jira" },
  { "gmt%s", "utc$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "z", "utc", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc +%s", "utc+$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc -%s", "utc-$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc+0", "utc", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc+0%d", "utc+$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc+%d:00", "utc+$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc-0%d", "utc-$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc-%d:00", "utc-$1", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "+0%1:%2", "utc+$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "+%2:%2", "utc+$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "+0%1%2", "utc+$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "+%2%2", "utc+$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "-0%1:%2", "utc-$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "-%2:%2", "utc-$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "-0%1%2", "utc-$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "-%2%2", "utc-$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc+0%d:%2", "utc+$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "utc-0%d:%2", "utc-$1:$2", HM_READ_ZONE, "ISO 8601; IANA time zone database" },
  { "north", "0 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "northeast", "45 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "north-east", "45 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "east", "90 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "southeast", "135 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "south-east", "135 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "south", "180 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "southwest", "225 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "south-west", "225 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "west", "270 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "northwest", "315 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "north-west", "315 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "360\u00B0", "0 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "360", "0 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "%n", "$1 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "%n_\u00B0", "$1 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "%n_degrees", "$1 deg", HM_READ_HEADING, "ISO 19030; WMO manual on codes" },
  { "f", "female", HM_READ_SEX, "ISO 5218; ICAO 9303" },
  { "m", "male", HM_READ_SEX, "ISO 5218; ICAO 9303" },
  { "%d pp", "$1 pages", 0, "Chicago Manual of Style; MLA Handbook" },
  { "%d pp.", "$1 pages", 0, "Chicago Manual of Style; MLA Handbook" },
  { "%dst", "$1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%dnd", "$1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%drd", "$1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%dth", "$1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "%s times", "$1", 0, "Oxford English Dictionary; Merriam-Webster" },
  { "refs/heads/%s", "$1", 0, "Git; GitHub" },
  { "refs/tags/%s", "$1", 0, "Git; GitHub" },
  { "origin/%s", "$1", HM_READ_CASED, "Git; GitHub" },
  { "no known allergies", "none known", 0, "HL7 FHIR; NHS" },
  { "no known drug allergies", "none known", 0, "HL7 FHIR; NHS" },
  { "nkda", "none known", 0, "HL7 FHIR; NHS" },
  { "english", "en", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "german", "de", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "french", "fr", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "spanish", "es", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "italian", "it", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "portuguese", "pt", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "dutch", "nl", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "swedish", "sv", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "danish", "da", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "norwegian", "no", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "finnish", "fi", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "polish", "pl", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "czech", "cs", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "russian", "ru", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "ukrainian", "uk", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "turkish", "tr", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "japanese", "ja", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "chinese", "zh", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "korean", "ko", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "arabic", "ar", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "hebrew", "he", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "greek", "el", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "hungarian", "hu", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "romanian", "ro", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "deutsch", "de", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "englisch", "en", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "fran\u00E7ais", "fr", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "franz\u00F6sisch", "fr", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "espa\u00F1ol", "es", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "italiano", "it", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "eng", "en", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "deu", "de", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "fra", "fr", HM_READ_LANGUAGE, "ISO 639; CLDR" },
  { "warning", "warn", 0, "Python logging; Log4j" },
  { "c/ %s", "calle $1", 0, "RAE; Correos" },
};
/* clang-format on */

typedef struct {
  hm_str v[CAPTURES];
  size_t n;
} captures;

/* How much of s the kind of letter takes at most. */
static size_t run_of(hm_str s, char kind) {
  size_t i = 0;
  if (kind == 's')
    return s.n;
  while (i < s.n &&
         (kind == 'w'       ? hm_is_letter(s.p[i])
              : kind == 'n' ? memchr("0123456789.,'", s.p[i], 13) != NULL
                            : hm_is_digit(s.p[i])))
    i++;
  return i;
}

/* May s go on with this of a pattern? By its blanks and one character. */
static bool goes_on(hm_str s, const char *p) {
  size_t blanks = hm_skip_spaces(s, 0);
  if (*p == '_' || (*p == ' ' && blanks)) {
    s = hm_str_sub(s, blanks, s.n);
    p++;
  }
  if (*p == '%')
    return true;
  return *p ? s.n && hm_ascii_lower(s.p[0]) == *p : !s.n;
}

static bool match(const char *p, hm_str s, captures *c) {
  for (; *p && *p != '%'; p++) {
    size_t blanks = hm_skip_spaces(s, 0);
    if (*p == '_' || (*p == ' ' && blanks))
      s = hm_str_sub(s, blanks, s.n);
    else if (s.n && hm_ascii_lower(s.p[0]) == *p)
      s = hm_str_sub(s, 1, s.n);
    else
      return false;
  }
  if (!*p)
    return !s.n;
  size_t most = run_of(s, p[1]), least = p[1] != 's', at = c->n++;
  if (hm_is_digit(p[1])) {
    least = (size_t)(p[1] - '0');
    size_t limit = least == 1 ? 2 : least;
    most = most < limit ? most : limit;
  }
  for (size_t n = most + 1; n-- > least;) {
    hm_str rest = hm_str_sub(s, n, s.n);
    c->n = at + 1;
    c->v[at] = hm_str_sub(s, 0, n);
    if (goes_on(rest, p + 2) && match(p + 2, rest, c))
      return true;
  }
  return false;
}

/* How far the digits, the letters, and a digit with digits and . , ' go at the beginning of s, and
 * its first character in lower case. */
typedef struct {
  size_t digits, letters, number;
  char first;
} beginning;

/* May s begin, or end, with this of a pattern? Behind a run comes what the pattern has there,
 * unless that could be of the run. */
static bool begins(hm_str s, const char *p, const beginning *b) {
  if (*p != '%')
    return b->first == *p;
  if (p[1] == 's')
    return true;
  if (hm_is_digit(p[1]))
    return b->digits;
  size_t n = p[1] == 'w' ? b->letters : p[1] == 'd' ? b->digits : b->number;
  return n && (goes_on(hm_str_sub(s, n, s.n), p + 2) || run_of((hm_str){ p + 2, 1 }, p[1]));
}

static bool ends(hm_str s, const char *p) {
  size_t n = strlen(p);
  return (n > 1 && p[n - 2] == '%') || hm_ascii_lower(s.p[s.n - 1]) == p[n - 1];
}

static hm_str result_of(const char *result, const captures *c, hm_arena *a) {
  hm_buf b = { 0 };
  for (; *result; result++) {
    if (*result == '$')
      hm_buf_str(&b, c->v[*++result - '1']);
    else
      hm_buf_ch(&b, *result);
  }
  return hm_buf_take(&b, a);
}

/* The result of the first line that matches, or s. */
static hm_str pass(hm_str s, hm_reading supports, hm_arena *a) {
  const beginning b = { run_of(s, 'd'), run_of(s, 'w'), hm_is_digit(s.p[0]) ? run_of(s, 'n') : 0,
                        hm_ascii_lower(s.p[0]) };
  captures c;
  for (size_t i = 0; i < HM_COUNT(forms); i++) {
    const form *f = &forms[i];
    c.n = 0;
    if (begins(s, f->pattern, &b) && (!f->supported || f->supported & supports) &&
        ends(s, f->pattern) && match(f->pattern, s, &c))
      return hm_str_trim(result_of(f->result, &c, a));
  }
  return s;
}

hm_str hm_value_by_pattern(hm_str s, hm_reading supports, hm_arena *a) {
  for (size_t i = 0; i < PASSES && s.n && s.n <= LONGEST; i++) {
    hm_str before = s;
    s = pass(s, supports, a);
    if (s.p == before.p)
      break;
  }
  return s;
}
