/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_CACHE_H
#define KLAT_UNIT_LINUX_CACHE_H

#define ____cacheline_aligned	__attribute__((aligned(64)))

#endif
