/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_ABI_TESTS_H
#define KLAT_ABI_TESTS_H

/* command.c: numbers, flags */
void test_info(void);
void test_unknown_commands(void);
void test_flags(void);

/* size.c */
void test_sizes(void);
void test_absurd_sizes(void);

/* pointer.c */
void test_bad_pointers(void);
void test_read_only_memory(void);
void test_bad_buckets(void);

/* config.c */
void test_config_members(void);
void test_refused_config_changes_nothing(void);

/* state.c */
void test_idle(void);
void test_running(void);
void test_run_to_the_end(void);
void test_stop_beside_the_end(void);
void test_reset(void);
void test_start_without_privilege(void);

/* owner.c */
void test_two_owners(void);
void test_ownership_ends_at_close(void);
void test_configuration_ends_with_ownership(void);
void test_asking_needs_no_ownership(void);
void test_fork_and_close(void);
void test_killed_owner(void);

/* stats.c */
void test_snapshots(void);
void test_hist_nr(void);
void test_series_and_cpu(void);

/* cpu.c */
void test_cpu(void);

/* read.c */
void test_read_small_buffer(void);
void test_read_before_a_run(void);
void test_read_samples(void);
void test_read_nonblock(void);
void test_read_bad_pointer(void);
void test_read_of_others(void);
void test_two_readers(void);
void test_interrupted_read(void);

/* records.c */
void test_records(void);
void test_records_that_are_lost(void);

/* poll.c */
void test_poll(void);
void test_poll_beside_a_reader(void);

/* ring.c */
void test_ring_overrun(void);

/* fuzz.c */
void test_fuzz(void);

#endif
