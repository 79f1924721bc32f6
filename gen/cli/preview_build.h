/* Builds for the preview: what `build` would write, from the files as they are now. */
#ifndef HM_PREVIEW_BUILD_H
#define HM_PREVIEW_BUILD_H
#include "gen/cli/cli.h"
#include "gen/http/preview.h"

/* A builder of what this run's options ask for, which says on standard error when a build fails.
 * cli must outlive it, and is only read. Store and rules stay those of the run: a config that now
 * has others is an error, HM_E_USAGE. */
hm_preview_builder hm_preview_builder_of(hm_cli *cli);
#endif
