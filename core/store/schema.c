#include "core/store/schema.h"

/* The path is from the top folder, where make runs: one text for the program,
 * the reader and the sqlite3 shell, and no generated file. */
__asm__(".pushsection .rodata\n"
        ".global hm_schema_sql\n"
        ".type hm_schema_sql, @object\n"
        "hm_schema_sql:\n"
        ".incbin \"core/store/schema.sql\"\n"
        ".byte 0\n"
        ".size hm_schema_sql, . - hm_schema_sql\n"
        ".popsection\n");
