/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_UNIT_LINUX_COMPILER_H
#define KLAT_UNIT_LINUX_COMPILER_H

/* glibc may have defined it already, to the same effect */
#ifndef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#endif
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)

#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value)	(*(volatile __typeof__(x) *)&(x) = (value))

#endif
