/* Rows that claim nothing, in words. */
#ifndef HM_SILENCE_TEXT_H
#define HM_SILENCE_TEXT_H
#include "core/claim/silence.h"
#include "gen/cli/cli.h"

/* A line of `health`, where a row is silent. */
void hm_silence_line(hm_cli *cli, const hm_silence *s);
/* A line on standard error where hardly a memory claims. */
void hm_silence_note(hm_cli *cli, const hm_silence *s);
#endif
