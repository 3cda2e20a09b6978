/* SPDX-License-Identifier: GPL-2.0 */
/* Failures of building and loading modules that are known by what they print. */
#ifndef KLAT_DOCTOR_CLASSES_H
#define KLAT_DOCTOR_CLASSES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct failure_class - one way to fail; several may have the same name
 * @name: of the class
 * @pattern: an extended regular expression that a line, or two, of the log matches
 * @two_lines: the pattern is for a line and the next, with '\n' between them
 * @harmless: it is no failure, and not worth a word beside one
 * @nameless: in the kernel log such a line does not say of which module it is
 * @text: what happened; @advice: the next step. The "{}" in either stands for what
 *	the pattern's first group matched.
 */
struct failure_class {
	const char *name;
	const char *pattern;
	bool two_lines;
	bool harmless;
	bool nameless;
	const char *text;
	const char *advice;
};

extern const struct failure_class failure_classes[];
extern const size_t failure_classes_nr;

#endif
