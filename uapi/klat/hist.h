/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The log-linear histogram of klat: which value lies in which bucket.
 *
 * Values below 128 have a bucket of their own. Above that each octave
 * [2^n, 2^(n+1)) is cut into 64 buckets of equal width, so a bucket is never
 * wider than 1/64 (1.6 %) of the values in it. All of 64 bits is covered: no
 * value is out of range, there is no overflow bucket, and a percentile read
 * from the histogram is never cut short.
 *
 * The mapping is part of the ABI: a bucket's index means the same to the kernel
 * module that counts and to the program that reads. These functions are the one
 * definition of it, compiled by both.
 */
#ifndef _UAPI_KLAT_HIST_H
#define _UAPI_KLAT_HIST_H

#include <linux/types.h>

/* log2 of the buckets in an octave */
#define KLAT_HIST_SUB_BITS	6
#define KLAT_HIST_SUB		(1U << KLAT_HIST_SUB_BITS)
/* values below this are counted exactly */
#define KLAT_HIST_LINEAR	(2U * KLAT_HIST_SUB)
/* 128 exact buckets and 64 for each of the octaves 2^7 .. 2^63: 3,776 */
#define KLAT_HIST_BUCKETS \
	(KLAT_HIST_LINEAR + (63U - KLAT_HIST_SUB_BITS) * KLAT_HIST_SUB)

/* The bucket that counts @value: 0 .. KLAT_HIST_BUCKETS - 1 */
static inline __u32 klat_hist_index(__u64 value)
{
	/*
	 * Keep the leading one and the SUB_BITS bits below it. In the linear
	 * part there is nothing to shift out: the bit that is or'ed in makes
	 * all of it look like its last octave.
	 */
	__u32 shift = (63U - KLAT_HIST_SUB_BITS) -
		      (__u32)__builtin_clzll(value | KLAT_HIST_SUB);

	return shift * KLAT_HIST_SUB + (__u32)(value >> shift);
}

/* The smallest value that bucket @index counts */
static inline __u64 klat_hist_lower(__u32 index)
{
	__u32 shift;

	if (index < KLAT_HIST_LINEAR)
		return index;
	shift = index / KLAT_HIST_SUB - 1;
	return (__u64)(index - shift * KLAT_HIST_SUB) << shift;
}

/* The largest value that bucket @index counts */
static inline __u64 klat_hist_upper(__u32 index)
{
	if (index < KLAT_HIST_LINEAR)
		return index;
	return klat_hist_lower(index) +
	       (((__u64)1 << (index / KLAT_HIST_SUB - 1)) - 1);
}

#endif /* _UAPI_KLAT_HIST_H */
