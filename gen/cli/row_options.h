/* Makes a record, one JSON object, from options, words and a file of the command line. */
#ifndef HM_ROW_OPTIONS_H
#define HM_ROW_OPTIONS_H
#include "core/base/json.h"
#include "core/record/row.h"
#include "gen/cli/cli.h"

/* Options of the columns that rows of these layers have, for tables of options. */
#define HM_ROW_OPTIONS_COMMON                                                                      \
  { "id", 0, "ID", "its id; made from the record unless given" },                                  \
      { "project", 'p', "P", "project, by id or alias" },                                          \
      { "status", 0, "active|candidate", "active; a candidate claims nothing until promoted" },    \
      { "confidence", 0, "N", "from 0 to 1" },                                                     \
      { "source", 0, "REF", "where it is from; repeatable, but of a state" },                      \
      { "valid-from", 0, "TIME", "when it began to hold" },                                        \
      { "valid-until", 0, "TIME", "when it ceases to hold" },                                      \
      { "created-at", 0, "TIME", "when it was said; now" }, {                                      \
    "json", 0, "FILE|-", "the record as a JSON object, or what options leave out of it"            \
  }
#define HM_ROW_OPTIONS_ENTITY                                                                      \
  { "type", 't', "TYPE", "memory_type, entity_type" },                                             \
      { "name", 0, "TEXT", "entity: its name; else the words" },                                   \
      { "description", 0, "TEXT", "entity" },                                                      \
      { "property", 'P', "NAME=VALUE", "entity, relation; repeatable; NAME:=JSON for no text" }, { \
    "hand-authored", 0, NULL, "entity: a person wrote it"                                          \
  }

/* Makes a new record of this layer. The words of the command line after the first are the content
 * of a memory, the name of an entity, KEY VALUE of a state, FROM TYPE TO of a relation. Errors:
 * HM_E_USAGE for an option that is no column of the layer, a NAME without value, a column given
 * twice; HM_E_INPUT for the file. */
int hm_build_record_from_options(hm_cli *cli, hm_layer layer, const hm_json **out);
/* Makes the patch of `edit`: --set NAME=VALUE or NAME:=JSON for columns, --property likewise for
 * properties, --json FILE. */
int hm_build_patch_from_options(hm_cli *cli, const hm_json **out);
/* Adds --source to such a patch, once the layer of its row is known. */
int hm_add_source_to_patch(hm_cli *cli, hm_layer layer, const hm_json *patch);
#endif
