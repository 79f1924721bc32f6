/* What records of decisions say of themselves, in the forms that teams use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "core/decision/decision.h"

static const struct {
  const char *path, *text, *says;
} cases[] = {
  /* Nygard, adr-tools */
  { "doc/adr/0007-use-redis.md",
    "# 7. Use Redis\n\nDate: 2021-03-04\n\n## Status\n\nAccepted\n\n## Context\n\nx\n\n## Decision\n\ny\n",
    "doc/adr/ 0007|7 'Use Redis' accepted@7 in force 2021-03-04@3" },
  { "doc/adr/0008-use-valkey.md",
    "# 8. Use Valkey\n\nDate: 2024-03-04\n\n## Status\n\nAccepted\n\nSupersedes [7. Use Redis]"
    "(0007-use-redis.md)\n\n## Decision\n\ny\n",
    "doc/adr/ 0008|8 'Use Valkey' accepted@7 in force 2024-03-04@3 over 7 0007-use-redis.md@9" },
  { "doc/adr/0009-x.md",
    "# 9. X\n\n## Status\n\nSuperseded by [12](0012-y.md)\n\nAmended by [11](0011-z.md)\n",
    "doc/adr/ 0009|9 'X' superseded@5 over by 12 0012-y.md@5" },
  /* The checked box and the end of an arrow are the status; a heading is one */
  { "doc/adr/0041-x.md", "# 41. X\n\n## Status\n\n- [ ] Proposed\n- [x] Accepted\n- [ ] Rejected\n",
    "doc/adr/ 0041|41 'X' accepted@6 in force" },
  { "doc/adr/0042-x.md", "# 42. X\n\n- Status: [ ] Proposed / [x] Rejected / [ ] Accepted\n",
    "doc/adr/ 0042|42 'X' rejected@3 dropped" },
  { "doc/adr/0043-x.md", "# 43. X\n\n## Status\n\n- [ ] Proposed\n- [ ] Accepted\n",
    "doc/adr/ 0043|43 'X'" },
  { "doc/adr/0044-x.md", "# 44. X\n\nStatus: Proposed -> Accepted\n",
    "doc/adr/ 0044|44 'X' accepted@3 in force" },
  { "doc/adr/0045-x.md", "---\ntitle: X\n---\n\n# Status: accepted\n\n## Decision\n\ny\n",
    "doc/adr/ 0045| 'X' accepted@5 in force" },
  /* Records elsewhere */
  { "doc/adr/0046-x.md", "# 46. X\n\n## Status\n\nSuperseded by acme/platform ADR-0014\n",
    "doc/adr/ 0046|46 'X' superseded@5 over" },
  { "doc/adr/0047-x.md", "# 47. X\n\n## Status\n\nSuperseded by ADR-0012 of the platform team\n",
    "doc/adr/ 0047|47 'X' superseded@5 over" },
  { "doc/adr/0048-x.md", "# 48. X\n\n## Status\n\nSuperseded by [ADR 12](https://wiki.example.org/12)\n",
    "doc/adr/ 0048|48 'X' superseded@5 over" },
  /* The status stands in a notice above the sections */
  { "doc/adr/0003-x.md",
    "# 3. X\n\n> **Superseded by [0015](0015-y.md).** Links were used once.\n\n## Context\n\nx\n\n## Decision\n\ny\n",
    "doc/adr/ 0003|3 'X' superseded@3 over by 15 0015-y.md@3" },
  { "doc/adr/0004-x.md",
    "# 4. X\n\n> Superseded in part by [0015](0015-y.md).\n\n## Decision\n\ny\n",
    "doc/adr/ 0004|4 'X' by part 15 0015-y.md@3" },
  /* MADR, old and new */
  { "docs/decisions/0003-logs.md",
    "---\nstatus: \"proposed\"\ndate: 2023-01-02\ndecision-makers: Ann, Bo\n---\n# Logs as JSON\n\n"
    "## Decision Outcome\n\nJSON.\n",
    "docs/decisions/ 0003| 'Logs as JSON' proposed@2 open 2023-01-02@3 by Ann, Bo@4" },
  { "docs/decisions/0004-x.md",
    "# X\n\n* Status: accepted\n* Deciders: Ann, Bo <!-- optional -->\n* Date: 3 May 2022\n\n"
    "## Context and Problem Statement\n\nThe status: unclear.\n",
    "docs/decisions/ 0004| 'X' accepted@3 in force 2022-05-03@5 by Ann, Bo@4" },
  { "docs/decisions/0005-x.md",
    "# X\n\n* Status: {proposed | accepted}\n", "none" },
  { "docs/decisions/0006-x.md", "# X\n\n## Considered Options\n\n## Decision Outcome\n\nA.\n",
    "docs/decisions/ 0006| 'X'" },
  /* log4brains */
  { "docs/adr/20200102-use-a.md",
    "# Use A\n\n- Status: superseded by [20210102-use-b](20210102-use-b.md)\n- Date: 2020-01-03\n",
    "docs/adr/ | 'Use A' superseded@3 over 2020-01-03@4 by  20210102-use-b.md@3" },
  { "docs/adr/20210102-use-b.md",
    "# Use B\n\n- Status: accepted\n\n## Decision Outcome\n\nB\n\n## Links\n\n- Supersedes "
    "[20200102-use-a](20200102-use-a.md)\n- Replaces nothing else\n",
    "docs/adr/ | 'Use B' accepted@3 in force 2021-01-02@1 over  20200102-use-a.md@11" },
  /* Backstage: front matter, a table with its head above the values */
  { "docs/architecture-decisions/adr004-x.md",
    "---\nid: adrs-adr004\ntitle: 'ADR004: X'\n---\n\n| Created | Status |\n| --- | --- |\n"
    "| 2020-04-26 | Open |\n\n## Decision\n\ny\n",
    "docs/architecture-decisions/ 004|004 'X' open@8 open 2020-04-26@8" },
  /* Fields in rows; two in one line; behind the date */
  { "adr/TEAM-ADR-Api-0002-x.md",
    "# X\n\n| | |\n| --- | --- |\n| Date | 2023-02-20 |\n| **Status** | Approved |\n"
    "| Supersedes | N/A |\n| Superseded by: | TEAM-ADR-Api-0009 |\n",
    "adr/team-adr-api 0002| 'X' approved@6 in force 2023-02-20@5" },
  { "docs/adr/ADR-0012.md",
    "# ADR-0012: Queue\n\n**Status**: Accepted\n**Date**: 2026-02-22\n**Supersedes**: ADR-0003, ADR-0005\n",
    "docs/adr/ 0012|0012 'Queue' accepted@3 in force 2026-02-22@4 over 3 @5 over 5 @5" },
  { "docs/adr/2023-05-06_014-one-queue.md", "---\ntags: [a]\n---\n\n## Status\n\nAccepted\n\n## Decision\n\nOne queue.\n",
    "docs/adr/ 014| 'one queue' accepted@7 in force 2023-05-06@1" },
  { "docs/adr/2023-05-06-10-queues.md", "# Ten queues\n\n## Status\n\nAccepted\n",
    "docs/adr/ | 'Ten queues' accepted@5 in force 2023-05-06@1" },
  { "x/architecture-decision-record/022-mail.md", "# Mail\n\nDate: 2024-11-09\n\n## Status\n\nAccepted\n",
    "x/architecture-decision-record/ 022| 'Mail' accepted@7 in force 2024-11-09@3" },
  { "docs/adr/0013-x.md", "# 13 - X\n\n## Status\n\n2024-05-06: Rejected\n",
    "docs/adr/ 0013|13 'X' rejected@5 dropped 2024-05-06@5" },
  { "docs/adr/0014-x.md", "# ADR 14: X\n\n## Status: On hold\n\n## Decision\n",
    "docs/adr/ 0014|14 'X' on hold@3 open" },
  { "docs/adr/0015-x.md", "# X\r\n\r\n> Status: Deprecated\r\n> Date: 2020-01-01\r\n",
    "docs/adr/ 0015| 'X' deprecated@3 dropped 2020-01-01@4" },
  { "docs/adr/0016-x.md", "# 16. X\n\n## Status\n\n**Accepted (2026-07-05).** See issue 17.\n",
    "docs/adr/ 0016|16 'X' accepted@5 in force 2026-07-05@5" },
  { "docs/adr/0017-x.md", "# X\n\nDate: 26/03/2018\n\n## Status\n\nAccepted\n",
    "docs/adr/ 0017| 'X' accepted@7 in force 2018-03-26@3" },
  { "docs/adr/0018-x.md", "# X\n\nDate: 6/25/2018\n\n## Status\n\nAccepted\n",
    "docs/adr/ 0018| 'X' accepted@7 in force 2018-06-25@3" },
  { "docs/adr/0019-x.md", "# X\n\nDate: 05/03/2018\n\n## Status\n\nAccepted\n",
    "docs/adr/ 0019| 'X' accepted@7 in force 05/03/2018@3" },
  { "docs/adr/0040-x.md", "# X\n\n* Status: approved\n* Date: 2020-Nov-09\n",
    "docs/adr/ 0040| 'X' approved@3 in force 2020-11-09@4" },
  /* Struck */
  { "docs/adr/0041-x.md", "# X\n\n**Date:** 2024-11-09  \n**Status:** ~~Accepted~~ Changed by later ones  \n**Tags:** #a\n\n---\n",
    "docs/adr/ 0041| 'X' @4 over 2024-11-09@3" },
  { "docs/adr/0042-x.md", "# X\n\n- Status: ~~Proposed~~ Accepted\n",
    "docs/adr/ 0042| 'X' accepted@3 in force" },
  { "docs/adr/0043-x.md", "# X\n\n## Status\n\n~~Accepted~~ Rejected\n",
    "docs/adr/ 0043| 'X' rejected@5 dropped" },
  { "docs/adr/0044-x.md", "# X\n\n| Status | ~~Proposed~~ Accepted |\n|-|-|\n| Date | 2024-01-01 |\n",
    "docs/adr/ 0044| 'X' accepted@3 in force 2024-01-01@5" },
  { "docs/adr/0045-x.md", "# X\n\n## Status\n\n~~Superseded by ADR-0009~~ Accepted\n",
    "docs/adr/ 0045| 'X' accepted@5 in force" },
  { "docs/adr/0046-x.md", "# X\n\n## Status\n\n~~Accepted~~\n", "docs/adr/ 0046| 'X' @5 over" },
  /* A part, a condition, or what is to come leaves the record as it was */
  { "docs/adr/0050-x.md", "# 50. X\n\n## Status\n\nSuperseded in part by ADR-0002\n",
    "docs/adr/ 0050|50 'X' @5 in force by part 2 @5" },
  { "docs/adr/0051-x.md", "# 51. X\n\n## Status\n\nIn part superseded by [2](0002-b.md)\n",
    "docs/adr/ 0051|51 'X' @5 in force by part 2 0002-b.md@5" },
  { "docs/adr/0052-x.md", "# 52. X\n\n## Status\n\nPartially superseded by ADR-0002\n",
    "docs/adr/ 0052|52 'X' @5 in force by part 2 @5" },
  { "docs/adr/0053-x.md", "# 53. X\n\n## Status\n\nSuperseded by ADR-0002 (in part)\n",
    "docs/adr/ 0053|53 'X' @5 in force by part 2 @5" },
  { "docs/adr/0054-x.md", "# 54. X\n\nStatus: superseded by ADR-0002 once it is accepted\n",
    "docs/adr/ 0054|54 'X' @3 in force by part 2 @3" },
  { "docs/adr/0055-x.md", "# 55. X\n\n## Status\n\nTo be superseded by ADR-0002\n",
    "docs/adr/ 0055|55 'X' @5 in force by 2 @5" },
  { "docs/adr/0056-x.md", "# 56. X\n\n## Status\n\nSuperseded by [2. When to accept part payments](0002-b.md)\n",
    "docs/adr/ 0056|56 'X' superseded@5 over by 2 0002-b.md@5" },
  /* A number alone is that of a record in a status, and nowhere else */
  { "docs/adr/0060-x.md", "# 60. X\n\n## Status\n\nSuperseded by 3.\n",
    "docs/adr/ 0060|60 'X' superseded@5 over by 3 @5" },
  { "docs/adr/0061-x.md", "# 61. X\n\n## Status\n\nSuperseded by #3, 10 and 12 on 2024-01-02\n",
    "docs/adr/ 0061|61 'X' superseded@5 over 2024-01-02@5 by 3 @5 by 10 @5 by 12 @5" },
  { "docs/adr/0062-x.md", "# 62. X\n\n## Status\n\nSuperseded by 3 newer records\n",
    "docs/adr/ 0062|62 'X' superseded@5 over" },
  { "docs/adr/0063-x.md", "# 63. X\n\n## Status\n\nReplaced by Postgres 15\n",
    "docs/adr/ 0063|63 'X' replaced@5 over" },
  { "docs/adr/0064-x.md", "# 64. X\n\n## Status\n\nSuperseded by Phase 7 (2026-07).\n",
    "docs/adr/ 0064|64 'X' superseded@5 over" },
  { "docs/adr/0065-x.md", "# 65. X\n\nStatus: Accepted\n\n## Context\n\nThis ADR supersedes 3.\n",
    "docs/adr/ 0065|65 'X' accepted@3 in force" },
  { "docs/adr/0066-x.md", "# 66. X\n\nStatus: Superseded by 2024-01-02\n",
    "docs/adr/ 0066|66 'X' superseded@3 over 2024-01-02@3" },
  { "docs/adr/0067-x.md", "# 67. X\n\nStatus: Superseded by 3 (see below)\nSupersedes: 7, 8\n",
    "docs/adr/ 0067|67 'X' superseded@3 over by 3 @3 over 7 @4 over 8 @4" },
  { "docs/adr/0068-x.md", "# 68. X\n\nStatus: Accepted\nReplaces: 3 servers\n",
    "docs/adr/ 0068|68 'X' accepted@3 in force" },
  /* Lists of front matter, and of a section */
  { "docs/adr/0070-x.md",
    "---\nstatus: accepted\ndeciders: [Ann, Bob]\nsupersedes: [6, 12]\nsuperseded-by: 71\n---\n# X\n",
    "docs/adr/ 0070| 'X' accepted@2 in force by Ann, Bob@3 over 6 @4 over 12 @4 by 71 @5" },
  { "docs/adr/0071-x.md", "---\nstatus: accepted\ndeciders:\n  - Ann\n  - Bob\n---\n# X\n",
    "docs/adr/ 0071| 'X' accepted@2 in force by Ann, Bob@4" },
  { "docs/adr/0072-x.md", "# X\n\n## Status\n\nAccepted\n\n## Deciders\n\n- Ann\n- Bob\n\nBy vote.\n",
    "docs/adr/ 0072| 'X' accepted@5 in force by Ann, Bob@9" },
  { "docs/adr/0073-x.md", "---\ndeciders: Ann\n---\n# X\n\n## Status\n\nAccepted\n\n## Deciders\n\n- Ann\n- Bob\n",
    "docs/adr/ 0073| 'X' accepted@8 in force by Ann@2" },
  /* A history: the latest counts */
  { "docs/adr/0080-x.md",
    "# 80. X\n\n## Status\n\n2024-01-01 proposed\n\n2024-02-02 accepted\n\n2024-03-01 deprecated\n",
    "docs/adr/ 0080|80 'X' deprecated@9 dropped 2024-03-01@9" },
  { "docs/adr/0081-x.md", "# 81. X\n\n## Status\n\n- 2024-02-02: Accepted\n- 2024-01-01: Proposed\n",
    "docs/adr/ 0081|81 'X' accepted@5 in force 2024-02-02@5" },
  { "docs/adr/0082-x.md", "# 82. X\n\n## Status\n\n2024-01-01 proposed\n2024-02-02 accepted\n",
    "docs/adr/ 0082|82 'X' accepted@5 in force 2024-02-02@5" },
  { "docs/adr/0083-x.md",
    "# 83. X\n\n## Status\n\n- Proposed (2024-01-01)\n- Accepted (2024-02-02)\n- Amended (2024-03-01)\n- Review on 2025-01-01\n",
    "docs/adr/ 0083|83 'X' accepted@6 in force 2024-02-02@6" },
  { "docs/adr/0084-x.md", "# 84. X\n\n- Status: Proposed 2024-01-01, Accepted 2024-02-02\n",
    "docs/adr/ 0084|84 'X' accepted@3 in force 2024-02-02@3" },
  { "docs/adr/0085-x.md",
    "# 85. X\n\n## Status\n\nAccepted 2024-02-02\n\nThe draft of 2024-05-05 was rejected.\n",
    "docs/adr/ 0085|85 'X' accepted@5 in force 2024-02-02@5" },
  { "docs/adr/0086-x.md", "# 86. X\n\n## Status\n\nAccepted\n\n2020-01-01 proposed\n",
    "docs/adr/ 0086|86 'X' accepted@5 in force" },
  /* Without a status: the name, or the form, says that it is one */
  { "docs/arch/adr-005-queues.md", "# Decision Record: One queue\n\n## Context\n\nx\n",
    "docs/arch/ 005| 'Decision Record: One queue'" },
  { "adr/0013-pools.md", "# Pools\n\n## Context and Problem Statement\n\nx\n", "adr/ 0013| 'Pools'" },
  { "decisions/001-bassins.md", "# ADR 001: Bassins\n\n## Contexte\n\nx\n",
    "decisions/ 001|001 'Bassins'" },
  { "docs/architecture/adr-draft-lanes.md", "# ADR: Lanes\n\n## Status\n\nDraft\n\n## Decision\n\nx\n",
    "docs/architecture/ | 'ADR: Lanes' draft@5 open" },
  { "adr/20201028-links.md", "# Links\n\n- Date: 2020-10-28\n\n## Tests\n\nx\n",
    "adr/ | 'Links' 2020-10-28@3" },
  /* Requests for comments */
  { "toc/rfc/rfc-0020-health-checks.md",
    "# Meta\n[meta]: #meta\n- Name: Health checks\n- Start Date: 2023-06-26\n- Status: Accepted\n\n## Summary\n\nx\n",
    "toc/rfc/rfc 0020| 'health checks' accepted@5 in force 2023-06-26@4" },
  { "rfc-013-drafts.md", "---\nstatus: accepted\n---\n# RFC 13: Drafts\n\n## Problem\n\nx\n",
    "rfc 013|13 'Drafts' accepted@2 in force" },
  /* What supersedes in part, under a condition, or nothing */
  { "docs/adr/0020-x.md",
    "# 20. X\n\n## Status\n\nAccepted. Supersedes nothing. Extends ADR 0004.\n",
    "docs/adr/ 0020|20 'X' accepted@5 in force" },
  { "docs/adr/0020-y.md",
    "# 20. Y\n\n## Status\n\nAccepted\n\n## Supersedes\n\nExtends [ADR 4](0004-y.md).\n",
    "docs/adr/ 0020|20 'Y' accepted@5 in force" },
  { "docs/adr/0021-x.md",
    "# 21. X\n\n## Status\n\nAccepted. Partially supersedes [ADR 4](0004-y.md). Does not supersede "
    "ADR 0005.\n",
    "docs/adr/ 0021|21 'X' accepted@5 in force over part 4 0004-y.md@5" },
  { "docs/adr/0022-x.md",
    "# 22. X\n\n## Status\n\nAccepted. The retry limits are superseded by ADR 0030.\n\nADR 0031 is now "
    "superseded by ADR 0060.\n",
    "docs/adr/ 0022|22 'X' accepted@5 in force by part 30 @5" },
  { "docs/adr/0023-x.md",
    "# 23. X\n\n## Status\n\nProposed\n\nSupersedes ADR-0006 when accepted.\n",
    "docs/adr/ 0023|23 'X' proposed@5 open over part 6 @7" },
  { "docs/adr/0024-x.md",
    "# 24. X\n\nStatus: Accepted\n\n## Context\n\nThis ADR supersedes ADR-0002 and ADR-0003. The queue "
    "replaces ADR-0001's polling.\n",
    "docs/adr/ 0024|24 'X' accepted@3 in force over 2 @7 over 3 @7" },
  { "docs/adr/0025-x.md", "# 25. X\n\nPartly superseded by [26](0026-y.md) for storage.\n\n## Decision\n",
    "docs/adr/ 0025|25 'X'" },
  { "docs/adr/0026-x.md",
    "# 26. X\n\nStatus: Accepted\nSupersedes: ADR 0003 \u00A77\n",
    "docs/adr/ 0026|26 'X' accepted@3 in force over part 3 @4" },
  { "docs/adr/0027-x.md",
    "# 27. X\n\n## Status\n\nAccepted. **Supersedes the naming rationale** in ADR [0003](0003-y.md).\n",
    "docs/adr/ 0027|27 'X' accepted@5 in force over part 3 0003-y.md@5" },
  { "docs/adr/0028-x.md", "# 28. X\n\n## Status\n\nAccepted. Supersedes ADR 0003's second clause.\n",
    "docs/adr/ 0028|28 'X' accepted@5 in force over part 3 @5" },
  /* What is none */
  { "docs/adr/README.md", "# Decisions\n\n## Status\n\nAccepted\n", "none" },
  { "docs/adr/adr-template.md", "# X\n\n## Status\n\nAccepted\n", "none" },
  { "docs/adr/0010-django-templates.md", "# n. Templates\n\n## Status\n\nApproved\n",
    "docs/adr/ 0010| 'n. Templates' approved@5 in force" },
  { "docs/guide.md", "# Guide\n\nStatus: draft\n", "none" },
  { "rfc-000-template.md", "---\nstatus: proposed\n---\n# Title\n\n## Problem\n", "none" },
  { "docs/adr/0000-ladr-template.md", "# 1. Title\n\n## Status\n\nAccepted\n", "none" },
  { "docs/adr/notes-on-adrs.md", "# Notes\n\n## Context\n\nx\n", "none" },
  { "docs/adrian.md", "# Adrian\n\n## Status\n\nHappy\n", "none" },
  { "docs/adr/notes.md", "Some text.\n", "none" },
  { "docs/adr/0001-x.md", "", "none" },
};

static const char *standing_words(hm_decision_standing s) {
  static const char *const words[] = { "in force", "open", "over", "dropped" };
  return words[s];
}

static void write_field(hm_buf *b, const char *before, const hm_decision_field *f) {
  if (f->line) hm_buf_fmt(b, " %s%.*s@%u", before, HM_FMT(f->text), f->line);
}

static hm_str told(const char *path, hm_str text, hm_arena *a, hm_arena *work) {
  hm_document doc;
  hm_decision d;
  hm_buf b = { 0 };
  hm_doc_read(&doc, text, a, work);
  if (!hm_decision_read(&d, &doc, text, hm_str_c(path), a)) return HM_STR("none");
  hm_buf_fmt(&b, "%.*s %.*s|%.*s '%.*s'", HM_FMT(d.series), HM_FMT(d.number.text),
             HM_FMT(d.heading.text), HM_FMT(d.title.text));
  if (d.status.line)
    hm_buf_fmt(&b, " %.*s@%u %s", HM_FMT(d.word), d.status.line, standing_words(d.standing));
  write_field(&b, "", &d.date);
  write_field(&b, "by ", &d.deciders);
  for (size_t i = 0; i < d.n_says; i++)
    hm_buf_fmt(&b, " %s %s%.*s %.*s@%u", d.says[i].by ? "by" : "over",
               d.says[i].in_part ? "part " : "", HM_FMT(d.says[i].number), HM_FMT(d.says[i].file),
               d.says[i].line);
  return hm_buf_take(&b, a);
}

static void records_in_many_forms(void **state) {
  (void)state;
  hm_arena *a = hm_arena_new(), *work = hm_arena_new();
  size_t failed = 0;
  for (size_t i = 0; i < HM_COUNT(cases); i++) {
    hm_str got = told(cases[i].path, hm_str_c(cases[i].text), a, work);
    if (hm_str_is(got, cases[i].says)) continue;
    print_error("%s\n  is:    %.*s\n  wants: %s\n", cases[i].path, HM_FMT(got), cases[i].says);
    failed++;
  }
  assert_int_equal(failed, 0);
  hm_arena_free(a);
  hm_arena_free(work);
}

int main(void) {
  const struct CMUnitTest tests[] = { cmocka_unit_test(records_in_many_forms) };
  return cmocka_run_group_tests_name("decision_read", tests, NULL, NULL);
}
