/* SPDX-License-Identifier: GPL-2.0 */
/* An interface that came back is made what it was. */
#ifndef KLAT_NETDEV_RESTORE_H
#define KLAT_NETDEV_RESTORE_H

#include "state.h"

void netdev_remember(struct taken *t, const struct netdev *n, const struct rtnl *rtnl);
void netdev_restore(const struct taken *t, const char *sys, struct strlist *said);

#endif
