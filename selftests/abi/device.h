/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The device under test. Functions without "try" end the test if the device
 * does not do what they ask; the others give 0 or an errno.
 */
#ifndef KLAT_ABI_DEVICE_H
#define KLAT_ABI_DEVICE_H

#include <stdbool.h>
#include <linux/types.h>

#include <klat/hist.h>
#include <klat/klat.h>

#include "module.h"

/* a sample of any module fits */
#define SAMPLE_ROOM	128

#define US	1000ULL
#define MS	1000000ULL

const char *device_path(void);
int device_open(void);
int device_open_nonblock(void);

int try_command(int fd, unsigned int number, void *arg);
/* START, STOP or RESET */
int try_simple(int fd, unsigned int number);
int try_config(int fd, const struct abi_run *run);
int try_stats(int fd, __u32 series, __u32 cpu, struct klat_stats *stats);
int try_hist(int fd, __u32 series, __u32 cpu, __u32 nr, __u64 *buckets,
	     __u64 *count);

/* CONFIG and START */
void start_run(int fd, const struct abi_run *run);
/* START without end, at a period that leaves the machine time for other things */
void start_endless(int fd);
/* START, and nothing comes of it but what comes at once */
void start_idle(int fd);
void stop_run(int fd);
struct klat_info get_info(int fd);
struct klat_status get_status(int fd);
struct klat_stats get_stats(int fd, __u32 series);

/* How many bytes a sample has */
size_t sample_size(void);
bool is_sample_series(__u32 series);
/* How many values there are in all series that samples may be of */
__u64 count_values(int fd);
/* Numbers of events that no value has: nothing was requested, or nothing came */
__u64 left_out(const struct klat_status *status);
/* The run is over, and all that was asked for was measured, or left out */
bool is_complete(const struct klat_status *status);

/* Waits, at most @seconds, until the run is over; its final status */
struct klat_status wait_for_end(int fd, int seconds);
/* Waits, at most 30 s, until @seen events can be read, or could be */
void wait_for_seen(int fd, __u64 seen);
/* Likewise until there is a sample to read */
void wait_for_sample(int fd);

#endif
