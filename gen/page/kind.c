/* The entity types of the specification, as pages call them. */
#include "view_private.h"

static const hm_page_type kinds[] = {
  { "analysismodel", "analysis-model", "Analysis model", "Analysis models" },
  { "artifact", "artifact", "Artifact", "Artifacts" },
  { "component", "component", "Component", "Components" },
  { "constraint", "constraint", "Constraint", "Constraints" },
  { "decision", "decision", "Decision", "Decisions" },
  { "material", "material", "Material", "Materials" },
  { "parameter", "parameter", "Parameter", "Parameters" },
  { "project", "project", "Project", "Project entities" },
  { "requirement", "requirement", "Requirement", "Requirements" },
  { "result", "result", "Result", "Results" },
  { "subsystem", "subsystem", "Subsystem", "Subsystems" },
  { "validationclaim", "validation-claim", "Validation claim", "Validation claims" },
};

const hm_page_type *hm_page_kind(hm_str type_key) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (hm_str_is(type_key, kinds[i].key)) return &kinds[i];
  return NULL;
}
