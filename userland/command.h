/* SPDX-License-Identifier: GPL-2.0 */
#ifndef KLAT_COMMAND_H
#define KLAT_COMMAND_H

#include "exit_code.h"

enum exit_code cmd_msi_lat(int argc, char **argv);
enum exit_code cmd_msi_jitter(int argc, char **argv);
enum exit_code cmd_mmio(int argc, char **argv);
enum exit_code cmd_hwlat(int argc, char **argv);
enum exit_code cmd_caterpillar(int argc, char **argv);
enum exit_code cmd_devices(int argc, char **argv);
enum exit_code cmd_doctor(int argc, char **argv);
enum exit_code cmd_info(int argc, char **argv);

#endif
