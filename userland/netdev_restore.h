/* SPDX-License-Identifier: GPL-2.0 */
/* An interface that came back is made what it was. */
#ifndef KLAT_NETDEV_RESTORE_H
#define KLAT_NETDEV_RESTORE_H

#include <stdbool.h>

#include "state.h"

#define MESSAGE_MAX	2048	/* of rtnetlink, in bytes */

void netdev_remember(struct taken *t, const struct netdev *n, const struct rtnl *rtnl);
void netdev_restore(const struct taken *t, const char *sys, struct strlist *said);
bool netdev_route(const char *text, int index, char *buf);

#endif
