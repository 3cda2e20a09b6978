/* SPDX-License-Identifier: GPL-2.0 */
/* nothing of it is needed here */
