// SPDX-License-Identifier: GPL-2.0
/* What rtnetlink knows of links, addresses and routes, as it says it. */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "exit_code.h"
#include "rtnl.h"

#define ANSWER_MAX	(64 * 1024)

void rtnl_add(struct rtnl_dump *dump, const struct nlmsghdr *msg)
{
	size_t len = NLMSG_ALIGN(msg->nlmsg_len);
	char *data = realloc(dump->data, dump->len + len);

	if (!data)
		err(EXIT_DOUBT, "out of memory");
	memset(data + dump->len, 0, len);
	memcpy(data + dump->len, msg, msg->nlmsg_len);
	dump->data = data;
	dump->len += len;
}

/* The message after @msg, the first one after NULL; NULL at the end */
const struct nlmsghdr *rtnl_next(const struct rtnl_dump *dump, const struct nlmsghdr *msg)
{
	const char *at = dump->data, *end = dump->data + dump->len;

	if (msg)
		at = (const char *)msg + NLMSG_ALIGN(msg->nlmsg_len);
	return at && at < end ? (const struct nlmsghdr *)at : NULL;
}

/* @header: the size of what comes before the attributes */
const struct rtattr *rtnl_attribute(const struct nlmsghdr *msg, size_t header, int type)
{
	const struct rtattr *attr =
		(const struct rtattr *)((const char *)NLMSG_DATA(msg) + NLMSG_ALIGN(header));
	int left = (int)msg->nlmsg_len - (int)NLMSG_SPACE(header);

	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if (attr->rta_type == type)
			return attr;
	return NULL;
}

static int socket_open(void)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	int ret;

	if (fd < 0)
		return -errno;
	if (!connect(fd, (const struct sockaddr *)&kernel, sizeof(kernel)))
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

/* A dump that failed on its way ends like any other, but with an errno */
static int end_of_dump(const struct nlmsghdr *msg)
{
	if (msg->nlmsg_len < NLMSG_LENGTH(sizeof(int)))
		return 1;
	return *(const int *)NLMSG_DATA(msg) < 0 ? *(const int *)NLMSG_DATA(msg) : 1;
}

/* 0 to go on, 1 at the end of the dump; -EAGAIN if it has to be asked for again */
int rtnl_answer(struct rtnl_dump *dump, const char *buf, size_t len)
{
	const struct nlmsghdr *msg = (const struct nlmsghdr *)buf;

	for (; NLMSG_OK(msg, len); msg = NLMSG_NEXT(msg, len)) {
		/*
		 * it changed while we looked: what we have may have holes; the
		 * last message may be the only one that says so
		 */
		if (msg->nlmsg_flags & NLM_F_DUMP_INTR)
			return -EAGAIN;
		if (msg->nlmsg_type == NLMSG_DONE)
			return end_of_dump(msg);
		if (msg->nlmsg_type == NLMSG_ERROR)
			return ((const struct nlmsgerr *)NLMSG_DATA(msg))->error;
		rtnl_add(dump, msg);
	}
	return 0;
}

static int receive_dump(int fd, struct rtnl_dump *dump)
{
	char *buf = malloc(ANSWER_MAX);
	int ret = 0;

	if (!buf)
		return -ENOMEM;
	while (!ret) {
		ssize_t got = recv(fd, buf, ANSWER_MAX, 0);

		if (got < 0 && errno == EINTR)
			continue;
		ret = got < 0 ? -errno : rtnl_answer(dump, buf, (size_t)got);
	}
	free(buf);
	return ret < 0 ? ret : 0;
}

static int dump_once(struct rtnl_dump *dump, uint16_t type)
{
	struct {
		struct nlmsghdr msg;
		struct rtmsg body;	/* the longest of the three kinds' heads */
		char room[8];
	} request = {
		.msg = {
			.nlmsg_len = NLMSG_LENGTH(sizeof(struct ifinfomsg)),
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP,
		},
	};
	int fd = socket_open(), ret;

	if (fd < 0)
		return fd;
	ret = send(fd, &request, request.msg.nlmsg_len, 0) < 0 ? -errno : receive_dump(fd, dump);
	close(fd);
	return ret;
}

static int dump(struct rtnl_dump *dump, uint16_t type)
{
	int ret = -EAGAIN;

	for (int tries = 0; tries < 10 && ret == -EAGAIN; tries++) {
		free(dump->data);
		memset(dump, 0, sizeof(*dump));
		ret = dump_once(dump, type);
	}
	return ret;
}

int rtnl_read(struct rtnl *rtnl)
{
	int ret;

	memset(rtnl, 0, sizeof(*rtnl));
	ret = dump(&rtnl->links, RTM_GETLINK);
	if (!ret)
		ret = dump(&rtnl->addresses, RTM_GETADDR);
	if (!ret)
		ret = dump(&rtnl->routes, RTM_GETROUTE);
	return ret;
}

void rtnl_free(struct rtnl *rtnl)
{
	free(rtnl->links.data);
	free(rtnl->addresses.data);
	free(rtnl->routes.data);
	memset(rtnl, 0, sizeof(*rtnl));
}

/*
 * An address of ours may have come back by itself, with other flags. A route with
 * the same destination and metric may be somebody else's by now, over another
 * interface: it stays, and ours goes beside it.
 */
void rtnl_prepare(struct nlmsghdr *msg)
{
	const bool address = msg->nlmsg_type == RTM_NEWADDR;

	msg->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE |
			   (address ? NLM_F_REPLACE : NLM_F_APPEND);
	msg->nlmsg_pid = 0;
}

/* Adds an address or a route; the kernel's answer, a negative errno if it refused */
int rtnl_send(struct nlmsghdr *msg)
{
	struct {
		struct nlmsghdr msg;
		struct nlmsgerr error;
		char rest[1024];
	} answer;
	int fd = socket_open(), ret = 0;

	if (fd < 0)
		return fd;
	rtnl_prepare(msg);
	if (send(fd, msg, msg->nlmsg_len, 0) < 0 || recv(fd, &answer, sizeof(answer), 0) < 0)
		ret = -errno;
	else if (answer.msg.nlmsg_type == NLMSG_ERROR)
		ret = answer.error.error;
	close(fd);
	/* that very route is there already */
	return ret == -EEXIST && msg->nlmsg_type == RTM_NEWROUTE ? 0 : ret;
}

bool rtnl_has_link(const struct rtnl *rtnl, int index)
{
	const struct nlmsghdr *msg = NULL;

	while ((msg = rtnl_next(&rtnl->links, msg)))
		if (((const struct ifinfomsg *)NLMSG_DATA(msg))->ifi_index == index)
			return true;
	return false;
}

/* Not those of IPv6 that every interface has when it is up */
bool rtnl_address_is_of(const struct nlmsghdr *msg, int index)
{
	const struct ifaddrmsg *head = NLMSG_DATA(msg);

	return (int)head->ifa_index == index &&
	       !(head->ifa_family == AF_INET6 && head->ifa_scope == RT_SCOPE_LINK);
}

static bool multipath_leads_to(const struct rtattr *paths, int index)
{
	const struct rtnexthop *hop = RTA_DATA(paths);
	size_t left = RTA_PAYLOAD(paths);

	while (left >= sizeof(*hop) && hop->rtnh_len >= sizeof(*hop) && hop->rtnh_len <= left) {
		if (hop->rtnh_ifindex == index)
			return true;
		left -= left < (size_t)RTNH_ALIGN(hop->rtnh_len) ? left :
			(size_t)RTNH_ALIGN(hop->rtnh_len);
		hop = RTNH_NEXT(hop);
	}
	return false;
}

/* Not those that the kernel makes by itself, for an address or a link */
bool rtnl_route_is_of(const struct nlmsghdr *msg, int index)
{
	const struct rtmsg *head = NLMSG_DATA(msg);
	const struct rtattr *attr;

	if (head->rtm_type != RTN_UNICAST || head->rtm_protocol == RTPROT_KERNEL ||
	    head->rtm_flags & RTM_F_CLONED)
		return false;
	attr = rtnl_attribute(msg, sizeof(*head), RTA_OIF);
	if (attr && *(const int *)RTA_DATA(attr) == index)
		return true;
	attr = rtnl_attribute(msg, sizeof(*head), RTA_MULTIPATH);
	return attr && multipath_leads_to(attr, index);
}

bool rtnl_route_is_default(const struct nlmsghdr *msg)
{
	return !((const struct rtmsg *)NLMSG_DATA(msg))->rtm_dst_len;
}

static void print_prefix(int family, const struct rtattr *attr, unsigned int prefix, char *buf,
			 size_t len)
{
	char text[INET6_ADDRSTRLEN] = "?";

	if (attr && RTA_PAYLOAD(attr) >= (family == AF_INET ? 4 : 16))
		inet_ntop(family, RTA_DATA(attr), text, sizeof(text));
	snprintf(buf, len, "%s/%u", text, prefix);
}

void rtnl_address_print(const struct nlmsghdr *msg, char *buf, size_t len)
{
	const struct ifaddrmsg *head = NLMSG_DATA(msg);
	const struct rtattr *attr = rtnl_attribute(msg, sizeof(*head), IFA_LOCAL);

	if (!attr)
		attr = rtnl_attribute(msg, sizeof(*head), IFA_ADDRESS);
	print_prefix(head->ifa_family, attr, head->ifa_prefixlen, buf, len);
}

void rtnl_route_print(const struct nlmsghdr *msg, char *buf, size_t len)
{
	const struct rtmsg *head = NLMSG_DATA(msg);

	if (rtnl_route_is_default(msg)) {
		snprintf(buf, len, "default");
		return;
	}
	print_prefix(head->rtm_family, rtnl_attribute(msg, sizeof(*head), RTA_DST),
		     head->rtm_dst_len, buf, len);
}
