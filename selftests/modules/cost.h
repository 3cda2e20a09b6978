/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_SELFTESTS_COST_H
#define KLAT_SELFTESTS_COST_H

struct seq_file;

/* The rows of hwlat_detector */
int cost_hwlat_show(struct seq_file *file);

#endif /* KLAT_SELFTESTS_COST_H */
