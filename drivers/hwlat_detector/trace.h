/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM hwlat_detector

#if !defined(KLAT_HWLAT_DETECTOR_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KLAT_HWLAT_DETECTOR_TRACE_H

#include <linux/tracepoint.h>

/*
 * A gap on this CPU, after the window that it was seen in; @stamp, which closed it,
 * and @value in ticks. @smi and @nmi since the gap before, 0 if not known.
 */
TRACE_EVENT(hwlat_detector_gap,
	TP_PROTO(u64 stamp, u64 value, bool outer, u32 smi, u32 nmi),
	TP_ARGS(stamp, value, outer, smi, nmi),
	TP_STRUCT__entry(
		__field(u64, stamp)
		__field(u64, value)
		__field(bool, outer)
		__field(u32, smi)
		__field(u32, nmi)
	),
	TP_fast_assign(
		__entry->stamp = stamp;
		__entry->value = value;
		__entry->outer = outer;
		__entry->smi = smi;
		__entry->nmi = nmi;
	),
	TP_printk("stamp=%llu value=%llu %s smi=%u nmi=%u", __entry->stamp, __entry->value,
		  __entry->outer ? "outer" : "inner", __entry->smi, __entry->nmi)
);

/*
 * A window on this CPU is over: where on the grid it was due, from what stamp to what
 * stamp it lasted, and how much of that was looked at; all in ticks.
 */
TRACE_EVENT(hwlat_detector_window,
	TP_PROTO(u64 due, u64 begin, u64 end, u64 looked),
	TP_ARGS(due, begin, end, looked),
	TP_STRUCT__entry(
		__field(u64, due)
		__field(u64, begin)
		__field(u64, end)
		__field(u64, looked)
	),
	TP_fast_assign(
		__entry->due = due;
		__entry->begin = begin;
		__entry->end = end;
		__entry->looked = looked;
	),
	TP_printk("due=%llu begin=%llu end=%llu looked=%llu", __entry->due, __entry->begin,
		  __entry->end, __entry->looked)
);

#endif /* KLAT_HWLAT_DETECTOR_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH hwlat_detector
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
