/* Rules in SQL: those that come with the program, and the files rules/NAME.sql of the mirror.
 *
 * The folder lies beside mirror.yml and travels with it. A file of the mirror with the id of a
 * shipped rule takes its place. */
#ifndef HM_RULE_FILES_H
#define HM_RULE_FILES_H
#include "core/base/err.h"
#include "core/detect/sql_rule.h"

/* Reads the folder (absent: none) and the shipped rules into out, by id, all of it in a; what the
 * config says of rules.off and rules.severity holds. Errors name file and line: a bad header, two
 * files with one id, too many files. The SQL is not looked at. */
int hm_rule_files_load(hm_arena *a, const char *folder, const hm_rules *config, hm_sql_rules **out,
                       hm_err *err);
/* The path of a rule's file in that folder: "a/b" is in a-b.sql. In a. */
const char *hm_rule_file_path(hm_arena *a, const char *folder, hm_str id);
#endif
