/* What rules in SQL may read and call: the sweep's rows as tables (core/sqlite/sandbox.h), and
 * functions on times and properties. hmirror-config(5) documents both. */
#ifndef HM_SQL_TABLES_H
#define HM_SQL_TABLES_H
#include "core/detect/sql_times.h"

/* The tables by name; table i is bit i of hm_sql_rule.reads. */
enum { HM_SQL_TABLES = 10 };
/* NULL after the last. */
const char *hm_sql_table_name(size_t i);
/* Name of the i-th column of a table; NULL after the last. */
const char *hm_sql_column_name(size_t table, size_t i);
/* HM_SQL_TABLES if there is none of that name. */
size_t hm_sql_table_named(hm_str name);

/* The HM_SQL_TABLES tables of these facts, which they borrow. reads: bit set of the tables that
 * have rows. In a. */
const hm_sandbox_table *hm_sql_tables_new(const hm_sql_facts *facts, uint32_t reads, hm_arena *a);

/* A column of the table `rows` for the row that a reference names; NULL if there is none. */
hm_sandbox_cell hm_sql_row_cell(const hm_sql_facts *f, hm_str ref, hm_str name, hm_arena *a);

/* --- functions of rules: sql_functions.c ----------------------------------------------------- */

/* The sandbox world of these facts, which it borrows: the tables, and the functions. In a. */
const hm_sandbox_world *hm_sql_world_new(const hm_sql_facts *facts, uint32_t reads, hm_arena *a);

const char *hm_sql_function_name_at(size_t i); /* NULL after the last */
#endif
