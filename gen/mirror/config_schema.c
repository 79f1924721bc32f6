#include "gen/mirror/config_impl.h"

#define MAY_BE_NULL (CYAML_FLAG_POINTER_NULL_STR | CYAML_FLAG_OPTIONAL)
#define TEXT(key, type, member) CYAML_FIELD_STRING_PTR(key, MAY_BE_NULL, type, member, 0, 4096)
#define NUMBER(key, type, member) CYAML_FIELD_UINT(key, CYAML_FLAG_OPTIONAL, type, member)
#define LIST(key, type, member)                                                                    \
  CYAML_FIELD_SEQUENCE_COUNT(key, MAY_BE_NULL, type, member.v, member.n, &word, 0, 10000)
#define GROUP(key, type, member, fields)                                                           \
  CYAML_FIELD_MAPPING_PTR(key, MAY_BE_NULL, type, member, fields)

static const cyaml_schema_value_t word = { CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, 4096) };

static const cyaml_schema_field_t tolerance[] = {
  CYAML_FIELD_STRING_PTR("slot", CYAML_FLAG_POINTER, hm_raw_tolerance, slot, 0, 4096),
  CYAML_FIELD_STRING_PTR("value", CYAML_FLAG_POINTER, hm_raw_tolerance, value, 0, 4096),
  CYAML_FIELD_END
};
static const cyaml_schema_value_t tolerance_entry = {
  CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, hm_raw_tolerance, tolerance)
};

static const cyaml_schema_field_t map[] = {
  CYAML_FIELD_STRING_PTR("layer", CYAML_FLAG_POINTER, hm_raw_map, layer, 0, 4096),
  TEXT("table", hm_raw_map, table),
  CYAML_FIELD_STRING_PTR("select", MAY_BE_NULL, hm_raw_map, select, 0, 65536),
  LIST("columns", hm_raw_map, columns),
  CYAML_FIELD_END
};
static const cyaml_schema_value_t map_entry = { CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, hm_raw_map,
                                                                    map) };

static const cyaml_schema_field_t rules[] = {
  LIST("prose", hm_raw_rules, prose),
  LIST("text_fields", hm_raw_rules, text_fields),
  LIST("silence", hm_raw_rules, silence),
  CYAML_FIELD_SEQUENCE_COUNT("tolerance", MAY_BE_NULL, hm_raw_rules,
                             tolerance, n_tolerance, &tolerance_entry, 0, 10000),
  CYAML_FIELD_END
};

static const cyaml_schema_field_t author[] = {
  TEXT("name", hm_raw_author, name),
  TEXT("email", hm_raw_author, email),
  CYAML_FIELD_END
};

static const cyaml_schema_field_t exclude[] = {
  LIST("projects", hm_raw_exclude, projects),
  LIST("types", hm_raw_exclude, types),
  LIST("statuses", hm_raw_exclude, statuses),
  LIST("tags", hm_raw_exclude, tags),
  LIST("properties", hm_raw_exclude, properties),
  CYAML_FIELD_END
};

static const cyaml_schema_field_t publish[] = {
  TEXT("repo", hm_raw_publish, repo),
  TEXT("branch", hm_raw_publish, branch),
  TEXT("message", hm_raw_publish, message),
  TEXT("pages", hm_raw_publish, pages),
  TEXT("push", hm_raw_publish, push),
  NUMBER("push_timeout", hm_raw_publish, push_timeout),
  TEXT("ssh_key", hm_raw_publish, ssh_key),
  TEXT("credentials", hm_raw_publish, credentials),
  GROUP("author", hm_raw_publish, author, author),
  LIST("keep", hm_raw_publish, keep),
  GROUP("exclude", hm_raw_publish, exclude, exclude),
  CYAML_FIELD_END
};

static const cyaml_schema_field_t check[] = {
  LIST("public", hm_raw_check, published),
  CYAML_FIELD_END
};

static const cyaml_schema_field_t top[] = { TEXT("title", hm_raw_config, title),
                                            TEXT("store", hm_raw_config, store),
                                            CYAML_FIELD_SEQUENCE_COUNT("store.map", MAY_BE_NULL,
                                                                       hm_raw_config, map, n_map,
                                                                       &map_entry, 0, 100),
                                            TEXT("review", hm_raw_config, review),
                                            TEXT("output", hm_raw_config, output),
                                            TEXT("base_url", hm_raw_config, base_url),
                                            TEXT("theme", hm_raw_config, theme),
                                            TEXT("templates", hm_raw_config, templates),
                                            TEXT("static", hm_raw_config, statics),
                                            NUMBER("threads", hm_raw_config, threads),
                                            NUMBER("list_limit", hm_raw_config, list_limit),
                                            NUMBER("value_limit", hm_raw_config, value_limit),
                                            GROUP("rules", hm_raw_config, rules, rules),
                                            GROUP("publish", hm_raw_config, publish, publish),
                                            GROUP("check", hm_raw_config, check, check),
                                            CYAML_FIELD_END };

const cyaml_schema_value_t hm_config_schema = { CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER,
                                                                    hm_raw_config, top) };
