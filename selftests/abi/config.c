// SPDX-License-Identifier: GPL-2.0
/* CONFIG: every member at and beyond the ends of its range. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "ktap.h"
#include "tests.h"

static const struct abi_run usual = { .count = 10, .period_ns = 100 * US };

static void spoil(char *config, const struct abi_member *member)
{
	if (member->text)
		/* also without the final NUL, if it is that long */
		strncpy(config + member->offset, member->text, member->size);
	else
		memcpy(config + member->offset, &member->value, member->size);
}

static void what_it_must_say(const struct abi_member *member, char *text, size_t size)
{
	__u64 value = member->size == 4 ? (__u32)member->value : member->value;

	if (member->says)
		snprintf(text, size, "%s", member->says);
	else if (member->text)
		snprintf(text, size, "%s = %s:", member->name, member->text);
	else
		snprintf(text, size, "%s = %llu:", member->name, value);
}

static void check_member(const struct abi_member *member)
{
	char config[CONFIG_ROOM] = { 0 };
	struct klat_status status;
	char text[KLAT_TEXT_LEN];
	/* one of its own, that has not been refused anything yet */
	int fd = device_open(), error;

	module->good(config, &usual);
	spoil(config, member);
	what_it_must_say(member, text, sizeof(text));
	error = try_command(fd, KLAT_CONFIG, config);
	status = get_status(fd);
	close(fd);
	check(error == member->error, "%s: %s (%s)", text, strerror(error), status.refusal);
	if (!member->error) {
		check(!status.refusal[0], "%s: '%s'", text, status.refusal);
		return;
	}
	check(strstr(status.refusal, text), "'%s' does not say '%s'", status.refusal, text);
	check(memchr(status.refusal, '\0', sizeof(status.refusal)), "%s: no NUL", text);
}

void test_config_members(void)
{
	size_t i;

	for (i = 0; i < module->nr_members; i++)
		check_member(&module->members[i]);
}

void test_refused_config_changes_nothing(void)
{
	char config[CONFIG_ROOM] = { 0 };
	int fd = device_open();
	struct klat_status status;
	size_t i;

	require(!try_config(fd, &(struct abi_run){ .count = 7, .period_ns = 100 * US }),
		"CONFIG");
	for (i = 0; i < module->nr_members; i++) {
		if (!module->members[i].error)
			continue;
		module->good(config, &usual);
		spoil(config, &module->members[i]);
		check(try_command(fd, KLAT_CONFIG, config) == module->members[i].error,
		      "%s was not refused", module->members[i].name);
	}
	require(!try_simple(fd, KLAT_START), "START: %s", get_status(fd).refusal);
	status = wait_for_end(fd, 30);
	check((module->timed || status.asked == 7) && is_complete(&status),
	      "asked %llu, seen %llu", status.asked, status.seen);
}
