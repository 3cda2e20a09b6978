/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM msi_jitter

#if !defined(KLAT_MSI_JITTER_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define KLAT_MSI_JITTER_TRACE_H

#include <linux/tracepoint.h>

/* One measured interrupt, after it was counted; ticks, below 0: early */
TRACE_EVENT(msi_jitter_sample,
	TP_PROTO(u64 seq, u64 stamp, s64 deviation),
	TP_ARGS(seq, stamp, deviation),
	TP_STRUCT__entry(
		__field(u64, seq)
		__field(u64, stamp)
		__field(s64, deviation)
	),
	TP_fast_assign(
		__entry->seq = seq;
		__entry->stamp = stamp;
		__entry->deviation = deviation;
	),
	TP_printk("seq=%llu stamp=%llu deviation=%lld", __entry->seq, __entry->stamp,
		  __entry->deviation)
);

#endif /* KLAT_MSI_JITTER_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH msi_jitter
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
