/* SPDX-License-Identifier: GPL-2.0 */
/* What rtnetlink knows of links, addresses and routes, as it says it. */
#ifndef KLAT_RTNL_H
#define KLAT_RTNL_H

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stddef.h>

/* Messages one after the other, each padded as NLMSG_NEXT() wants it */
struct rtnl_dump {
	char *data;
	size_t len;
};

struct rtnl {
	struct rtnl_dump links;
	struct rtnl_dump addresses;
	struct rtnl_dump routes;
};

int rtnl_read(struct rtnl *rtnl);
void rtnl_free(struct rtnl *rtnl);
void rtnl_add(struct rtnl_dump *dump, const struct nlmsghdr *msg);
int rtnl_answer(struct rtnl_dump *dump, const char *buf, size_t len);
void rtnl_prepare(struct nlmsghdr *msg);
int rtnl_send(struct nlmsghdr *msg);
const struct nlmsghdr *rtnl_next(const struct rtnl_dump *dump, const struct nlmsghdr *msg);
const struct rtattr *rtnl_attribute(const struct nlmsghdr *msg, size_t header, int type);

bool rtnl_has_link(const struct rtnl *rtnl, int index);
bool rtnl_address_is_of(const struct nlmsghdr *msg, int index);
bool rtnl_route_is_of(const struct nlmsghdr *msg, int index);
bool rtnl_route_is_default(const struct nlmsghdr *msg);
void rtnl_address_print(const struct nlmsghdr *msg, char *buf, size_t len);
void rtnl_route_print(const struct nlmsghdr *msg, char *buf, size_t len);

#endif
