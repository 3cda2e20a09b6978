/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KTAP output, and tests that cannot hang it: each runs in a process of its own
 * that is killed when it shows no sign of life, and whose files, and so its
 * ownership of the device, end with it.
 */
#ifndef KLAT_ABI_KTAP_H
#define KLAT_ABI_KTAP_H

#include <stdbool.h>
#include <stddef.h>

#define KTAP_PASS	0
#define KTAP_FAIL	1
#define KTAP_SKIP	4

struct ktap_test {
	const char *name;
	void (*run)(void);
};

/* Runs all of @tests, or the one named @only; the program's exit status */
int ktap_run(const struct ktap_test *tests, size_t count, const char *only);

/* For tests: a sign of life, for those that take long */
void ktap_alive(void);

__attribute__((format(printf, 1, 2)))
void ktap_say(const char *fmt, ...);

/* Ends the test as skipped */
__attribute__((noreturn, format(printf, 1, 2)))
void ktap_skip(const char *fmt, ...);

/* Ends the test as failed if a check before failed, or if @failed */
void ktap_end_if(bool failed);

__attribute__((format(printf, 4, 5)))
bool ktap_check(bool good, const char *file, int line, const char *fmt, ...);

/* Says what is wrong and goes on */
#define check(good, ...)	ktap_check(good, __FILE__, __LINE__, __VA_ARGS__)

/* Says what is wrong and ends the test */
#define require(good, ...) \
	ktap_end_if(!ktap_check(good, __FILE__, __LINE__, __VA_ARGS__))

#endif
