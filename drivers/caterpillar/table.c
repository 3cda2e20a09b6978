// SPDX-License-Identifier: GPL-2.0
#include <linux/debugfs.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/seq_buf.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "caterpillar.h"

#define LINE_SIZE	160

#define HEADER									\
	"  SampleMin  SampleMax   SmplJitter  SessionMin SessionMax SessionJitter" \
	"  Sample  SmplSpread SessionSpread"

static void format_row(const struct caterpillar_row *row, char *line)
{
	snprintf(line, LINE_SIZE, "%11llu%11llu%13llu%12llu%11llu%14llu%8llu%12llu%14llu",
		 row->min, row->max, row->deviation, row->session_min, row->session_max,
		 row->session_deviation, row->number, row->max - row->min,
		 row->session_max - row->session_min);
}

/* The latest @most, oldest first; gives their number */
static u32 copy_rows(struct caterpillar_table *table, struct caterpillar_row *into, u32 most)
{
	u32 nr, i;

	spin_lock(&table->lock);
	nr = min_t(u64, table->nr, most);
	for (i = 0; i < nr; i++)
		into[i] = table->row[(table->nr - nr + i) % CATERPILLAR_ROWS];
	spin_unlock(&table->lock);
	return nr;
}

static bool copy_latest(struct caterpillar_table *table, struct caterpillar_row *into)
{
	return copy_rows(table, into, 1);
}

static void say_work(struct work_struct *work)
{
	struct caterpillar_table *table = container_of(work, struct caterpillar_table,
						       say_work);
	struct caterpillar *cater = container_of(table, struct caterpillar, table);
	const struct klat_bench_ops *ops = cater->bench.ops;
	char line[LINE_SIZE], said[LINE_SIZE + KLAT_NAME_LEN];
	struct caterpillar_row row;

	if (!copy_latest(table, &row))
		return;
	if (!table->headed)
		ops->say(KBUILD_MODNAME ": " HEADER);
	table->headed = true;
	format_row(&row, line);
	snprintf(said, sizeof(said), "%s: %s", ops->name, line);
	ops->say(said);
}

void caterpillar_table_init(struct caterpillar_table *table)
{
	spin_lock_init(&table->lock);
	INIT_WORK(&table->say_work, say_work);
}

void caterpillar_table_prepare(struct caterpillar_table *table)
{
	/* of the run before */
	cancel_work_sync(&table->say_work);
	table->headed = false;
	table->say_at = jiffies;
	caterpillar_sums_init(&table->sample);
	caterpillar_sums_init(&table->session);
	spin_lock(&table->lock);
	table->nr = 0;
	spin_unlock(&table->lock);
}

static void make_row(struct caterpillar_table *table, struct caterpillar_row *row)
{
	const struct caterpillar_sums *sample = &table->sample, *session = &table->session;

	row->min = sample->min;
	row->max = sample->max;
	row->deviation = caterpillar_sums_deviation(sample);
	row->session_min = session->min;
	row->session_max = session->max;
	row->session_deviation = caterpillar_sums_deviation(session);
}

void caterpillar_table_add(struct caterpillar *cater)
{
	struct caterpillar_table *table = &cater->table;
	struct klat_bench *bench = &cater->bench;
	struct caterpillar_row row;

	caterpillar_sums_merge(&table->session, &table->sample);
	make_row(table, &row);
	caterpillar_sums_init(&table->sample);
	spin_lock(&table->lock);
	row.number = table->nr + 1;
	table->row[table->nr++ % CATERPILLAR_ROWS] = row;
	spin_unlock(&table->lock);

	if (bench->report.verbosity < KLAT_SAY_SECONDS ||
	    time_before(jiffies, table->say_at))
		return;
	table->say_at = jiffies + HZ;
	queue_work(bench->workqueue, &table->say_work);
}

void caterpillar_table_report(struct caterpillar *cater, struct seq_buf *text)
{
	struct caterpillar_row row;
	char line[LINE_SIZE];

	seq_buf_printf(text, "* Cycles above 10 ms: %llu\n",
		       READ_ONCE(cater->worker.nr_too_long));
	if (!copy_latest(&cater->table, &row))
		return;
	format_row(&row, line);
	seq_buf_printf(text, "* Timings are in TSC ticks, %llu a second\n",
		       cater->bench.clock.hz);
	seq_buf_printf(text, "* " HEADER "\n* %s\n", line);
}

static int table_show(struct seq_file *file, void *unused)
{
	struct caterpillar *cater = file->private;
	struct caterpillar_row *rows;
	char line[LINE_SIZE];
	u32 nr = 0, i;

	rows = kcalloc(CATERPILLAR_ROWS, sizeof(*rows), GFP_KERNEL);
	if (!rows)
		return -ENOMEM;
	mutex_lock(&cater->bench.lock);
	/* RESET has forgotten them, too */
	if (cater->bench.run.state != KLAT_IDLE)
		nr = copy_rows(&cater->table, rows, CATERPILLAR_ROWS);
	mutex_unlock(&cater->bench.lock);
	seq_printf(file, "Timings are in TSC ticks, %llu a second\n" HEADER "\n",
		   cater->bench.clock.hz);
	for (i = 0; i < nr; i++) {
		format_row(&rows[i], line);
		seq_printf(file, "%s\n", line);
	}
	kfree(rows);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(table);

void caterpillar_table_publish(struct caterpillar *cater)
{
	debugfs_create_file("table", 0444, cater->bench.debugfs, cater, &table_fops);
}
