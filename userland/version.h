/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_VERSION_H
#define KLAT_VERSION_H

#define KLAT_VERSION	"0.1.0"

#endif
