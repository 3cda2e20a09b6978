/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM caterpillar

#if !defined(KLAT_CATERPILLAR_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KLAT_CATERPILLAR_TRACE_H

#include <linux/tracepoint.h>

/* One test cycle, after it; @stamp and @value in ticks */
TRACE_EVENT(caterpillar_cycle,
	TP_PROTO(u64 seq, u64 stamp, u64 value),
	TP_ARGS(seq, stamp, value),
	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, stamp)
		__field(u64, value)
	),
	TP_fast_assign(
		__entry->seq = seq;
		__entry->stamp = stamp;
		__entry->value = value;
	),
	TP_printk("seq=%llu stamp=%llu value=%llu", __entry->seq, __entry->stamp,
		  __entry->value)
);

#endif /* KLAT_CATERPILLAR_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH caterpillar
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
