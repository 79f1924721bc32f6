/* The text of schema.sql, part of the program. */
#ifndef HM_SCHEMA_H
#define HM_SCHEMA_H

/* NUL-terminated. Statements that may run again where they have run before. */
extern const char hm_schema_sql[];
#endif
