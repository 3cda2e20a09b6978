// SPDX-License-Identifier: GPL-2.0
/* Durations with units: "10us", "1.5ms", "2h". */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "duration.h"

static const struct unit {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "d", NS_PER_DAY },
	{ "h", NS_PER_H },
	{ "m", NS_PER_MIN },
	{ "s", NS_PER_S },
	{ "ms", NS_PER_MS },
	{ "us", NS_PER_US },
	{ "ns", 1 },
};

#define NR_UNITS	(sizeof(units) / sizeof(units[0]))
#define MAX_DIGITS	20

static const struct unit *unit_find(const char *name)
{
	for (size_t i = 0; i < NR_UNITS; i++)
		if (!strcmp(units[i].name, name))
			return &units[i];
	return NULL;
}

/* Decimal digits at @text into @value, their number as the result */
static int digits(const char *text, unsigned __int128 *value)
{
	int n = 0;

	for (; isdigit((unsigned char)text[n]); n++) {
		if (n == MAX_DIGITS)
			return -ERANGE;
		*value = *value * 10 + (unsigned int)(text[n] - '0');
	}
	return n;
}

/*
 * -EINVAL: no duration, or without a unit, or no whole number of nanoseconds;
 * -ERANGE: beyond 64 bits. A bare 0 needs no unit.
 */
int duration_parse(const char *text, uint64_t *ns)
{
	unsigned __int128 value = 0, scale = 1;
	const struct unit *unit;
	int whole, part;

	whole = digits(text, &value);
	if (whole <= 0)
		return whole ? whole : -EINVAL;
	text += whole;

	if (*text == '.') {
		part = digits(++text, &value);
		if (part <= 0)
			return part ? part : -EINVAL;
		if (whole + part > MAX_DIGITS)
			return -ERANGE;
		text += part;
		while (part--)
			scale *= 10;
	}
	if (!value && !*text) {
		*ns = 0;
		return 0;
	}

	unit = unit_find(text);
	if (!unit || value * unit->ns % scale)
		return -EINVAL;
	value = value * unit->ns / scale;
	if (value > UINT64_MAX)
		return -ERANGE;
	*ns = (uint64_t)value;
	return 0;
}

/* Exact, in the largest unit that needs no fraction: can be parsed again */
void duration_format(uint64_t ns, char *buf, size_t len)
{
	for (size_t i = 0; i < NR_UNITS; i++) {
		if (ns % units[i].ns || !ns)
			continue;
		snprintf(buf, len, "%" PRIu64 "%s", ns / units[i].ns, units[i].name);
		return;
	}
	snprintf(buf, len, "0s");
}

/* For the eye, three digits behind the point at most */
void duration_rough(uint64_t ns, char *buf, size_t len)
{
	if (ns < NS_PER_US)
		snprintf(buf, len, "%" PRIu64 " ns", ns);
	else if (ns < NS_PER_MS)
		snprintf(buf, len, "%.3f us", (double)ns / NS_PER_US);
	else if (ns < NS_PER_S)
		snprintf(buf, len, "%.3f ms", (double)ns / NS_PER_MS);
	else
		snprintf(buf, len, "%.3f s", (double)ns / NS_PER_S);
}
