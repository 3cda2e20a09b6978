/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_OUTPUT_H
#define KLAT_OUTPUT_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

#include "result.h"

enum output_format {
	OUTPUT_TEXT,
	OUTPUT_JSON,
	OUTPUT_CSV,
	OUTPUT_HIST,
	OUTPUT_ECI,
	OUTPUT_KTAP,
};

/* By number, NULL at the end: for the table of options */
extern const char *const output_names[];

void output_result(const struct result *r, unsigned int format, FILE *to);
void output_skip(const char *command, const char *why, unsigned int format, FILE *to);
FILE *output_open(const char *path);
void output_begin(FILE *to);
bool output_same(FILE *a, FILE *b);
int output_close(FILE *to);

void out_text(const struct result *r, FILE *to);
void out_json(const struct result *r, FILE *to);
void out_csv(const struct result *r, FILE *to);
void out_hist(const struct result *r, FILE *to);
void out_eci(const struct result *r, FILE *to);
void out_ktap(const struct result *r, FILE *to);
void out_ktap_skip(const char *command, const char *why, FILE *to);

extern const struct result_kind msi_jitter_kind;
extern const struct result_kind mmio_kind;

json_t *json_u64(uint64_t value);
json_t *json_text(const char *text);
json_t *json_machine(const struct machine *m);
json_t *json_disturb(const struct klat_disturb *d, bool with_steal);
json_t *json_conditions(const struct conditions *c);

#endif
