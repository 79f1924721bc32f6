/* The journal and the commits that saw it, for verify. */
#ifndef HM_VERIFY_JOURNAL_H
#define HM_VERIFY_JOURNAL_H
#include "gen/check/seen_journal.h"
#include "gen/cli/branch.h"

/* Opens the store and compares its journal with what the commits up to that of branch say of it. */
int hm_verify_journal(hm_cli *cli, const hm_branch *branch, hm_seen_journal *out);
/* On standard output, in lines. */
void hm_verify_journal_print(hm_cli *cli, const hm_seen_journal *j);
/* As the object "journal" of the one that is open; j NULL: null. */
void hm_verify_journal_json(hm_cli *cli, hm_jw *w, const hm_seen_journal *j);
#endif
