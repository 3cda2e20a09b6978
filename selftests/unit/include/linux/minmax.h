/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_MINMAX_H
#define KLAT_UNIT_LINUX_MINMAX_H

#define min(a, b)	((a) < (b) ? (a) : (b))
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max(a, b)	((a) > (b) ? (a) : (b))

#endif
