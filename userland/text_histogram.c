// SPDX-License-Identifier: GPL-2.0
/* A histogram as bars: rows of neighbouring buckets, empty rows left out. */
#include <inttypes.h>

#include "out_text.h"

#define ROWS	20
#define WIDTH	50

struct rows {
	uint32_t first;
	uint32_t last;
	uint32_t per_row;
	uint64_t largest;
};

static uint64_t row_count(const struct series *s, const struct rows *rows, uint32_t at)
{
	uint64_t count = 0;

	for (uint32_t i = at; i < at + rows->per_row && i <= rows->last; i++)
		count += s->buckets[i];
	return count;
}

static void rows_cut(struct rows *rows, const struct series *s)
{
	uint32_t buckets;

	rows->first = klat_hist_index(s->stats.min);
	rows->last = klat_hist_index(s->stats.max);
	buckets = rows->last - rows->first + 1;
	rows->per_row = (buckets + ROWS - 1) / ROWS;
	rows->largest = 0;
	for (uint32_t i = rows->first; i <= rows->last; i += rows->per_row) {
		uint64_t count = row_count(s, rows, i);

		if (count > rows->largest)
			rows->largest = count;
	}
}

static void print_bar(uint64_t count, uint64_t largest, FILE *to)
{
	int length = (int)((unsigned __int128)count * WIDTH / largest);

	for (int i = 0; i < (length ? length : 1); i++)
		fputc('#', to);
}

void text_histogram(const struct result *r, const struct series *s, FILE *to)
{
	struct rows rows;

	if (!s->stats.count)
		return;
	rows_cut(&rows, s);
	fprintf(to, "\n%s, ns\n", s->name);
	for (uint32_t i = rows.first; i <= rows.last; i += rows.per_row) {
		uint64_t count = row_count(s, &rows, i);
		uint32_t end = i + rows.per_row - 1;

		if (!count)
			continue;
		fprintf(to, "%10" PRIu64 " ..%10" PRIu64 " %10" PRIu64 " ",
			result_ns(r, klat_hist_lower(i)),
			result_ns(r, klat_hist_upper(end < rows.last ? end : rows.last)), count);
		print_bar(count, rows.largest, to);
		fputs("\n", to);
	}
}
