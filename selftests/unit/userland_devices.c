// SPDX-License-Identifier: GPL-2.0
/* PCI devices as klat reads them, and what it makes of what it reads. */
#include <stdio.h>
#include <unistd.h>

#include "fake_machine.h"
#include "klog.h"
#include "unit.h"

#define COMMAND		0x04
#define STATUS		0x06
#define BAR(n)		(0x10 + 4 * (n))
#define CAP_POINTER	0x34

#define IO_MEM_MASTER	0x0007
#define MEM_ONLY	0x0002
#define CAP_LIST	0x0010

/* As the resource file has them, of <linux/ioport.h> */
#define IO		0x40101
#define MEM		0x40200
#define MEM64_PREFETCH	0x14220c
#define UNSET		0x20000000

#define NIC		0x0200

static void put_msi(uint8_t *config, unsigned int at, unsigned int next, unsigned int flags)
{
	config_put(config, at, 1, 0x05);
	config_put(config, at + 1, 1, next);
	config_put(config, at + 2, 2, flags);
}

static void put_msix(uint8_t *config, unsigned int at, unsigned int flags, unsigned int bar)
{
	config_put(config, at, 1, 0x11);
	config_put(config, at + 2, 2, flags);
	config_put(config, at + 4, 4, bar);
}

/* lspci -vvv of a plain I210 that igb has */
static void add_plain_i210(struct fake_machine *m)
{
	struct fake_device dev = {
		.bdf = "0000:02:00.0",
		.vendor = 0x8086,
		.device = 0x1533,
		.class = NIC,
		.irq = 17,
		.regions = {
			[0] = { 0xd0700000, 0x100000, MEM },
			[2] = { 0xc000, 32, IO },
			[3] = { 0xd0800000, 0x4000, MEM },
			[6] = { 0xd0600000, 0x100000, 0x46200 },
		},
		.driver = "igb",
		.netdev = "enp2s0",
		.index = 2,
	};

	config_put(dev.config, COMMAND, 2, IO_MEM_MASTER);
	config_put(dev.config, STATUS, 2, CAP_LIST);
	config_put(dev.config, BAR(0), 4, 0xd0700000);
	config_put(dev.config, BAR(2), 4, 0xc001);
	config_put(dev.config, BAR(3), 4, 0xd0800000);
	config_put(dev.config, 0x30, 4, 0xd0600000);
	config_put(dev.config, CAP_POINTER, 1, 0x50);
	put_msi(dev.config, 0x50, 0x70, 0x0180);
	put_msix(dev.config, 0x70, 0x8004, 3);
	machine_add(m, &dev);
}

static void bar_is(const struct pci_bar *bar, enum pci_bar_state state, bool io, uint64_t base,
		   uint64_t size)
{
	assert_int_equal(bar->state, state);
	assert_int_equal(bar->io, io);
	assert_int_equal(bar->base, base);
	assert_int_equal(bar->size, size);
}

static void test_plain_i210(void **state)
{
	const struct pci_device *dev;

	add_plain_i210(*state);
	machine_scan(*state, NULL);
	dev = machine_device(*state, "0000:02:00.0");
	assert_string_equal(dev->model->family, "I210");
	assert_string_equal(dev->driver, "igb");
	assert_string_equal(dev->override, "");
	bar_is(&dev->bars[0], PCI_BAR_ENABLED, false, 0xd0700000, 0x100000);
	assert_false(dev->bars[0].wide || dev->bars[0].prefetchable);
	assert_null(pci_bar_refusal(&dev->bars[0]));
	assert_null(pci_bar_warning(&dev->bars[0]));
	assert_int_equal(dev->bars[1].state, PCI_BAR_NONE);
	bar_is(&dev->bars[2], PCI_BAR_ENABLED, true, 0xc000, 32);
	assert_non_null(pci_bar_refusal(&dev->bars[2]));
	bar_is(&dev->bars[3], PCI_BAR_ENABLED, false, 0xd0800000, 0x4000);
	/* the ROM is no region */
	assert_int_equal(dev->bars[4].state, PCI_BAR_NONE);
	assert_int_equal(dev->bars[5].state, PCI_BAR_NONE);
}

static void test_plain_i210_interrupts(void **state)
{
	const struct pci_interrupts *irq;

	add_plain_i210(*state);
	machine_scan(*state, NULL);
	irq = &machine_device(*state, "0000:02:00.0")->irq;
	assert_true(irq->known);
	assert_int_equal(irq->line, 17);
	assert_int_equal(irq->msi_vectors, 1);
	assert_true(irq->msi_maskable);
	assert_false(irq->msi_enabled);
	assert_int_equal(irq->msix_vectors, 5);
	assert_true(irq->msix_enabled);
	assert_int_equal(irq->table_bar, 3);
	assert_int_equal(irq->table_offset, 0);
}

/* lspci: [disabled], <unassigned>, IRQ 0 */
static void test_disabled(void **state)
{
	struct fake_device dev = {
		.bdf = "0000:06:00.0",
		.vendor = 0x8086,
		.device = 0x1521,
		.class = NIC,
		.regions = {
			[0] = { 0x600200000, 0x80000, MEM },
			[2] = { 0, 0, IO | UNSET },
			[3] = { 0x600400000, 0x4000, MEM },
			[6] = { 0x600280000, 0x80000, 0x46200 },
		},
	};
	const struct pci_device *found;

	config_put(dev.config, STATUS, 2, CAP_LIST);
	config_put(dev.config, BAR(0), 4, 0x00200000);
	config_put(dev.config, BAR(2), 4, 0x1);
	config_put(dev.config, BAR(3), 4, 0x00400000);
	config_put(dev.config, CAP_POINTER, 1, 0x70);
	put_msix(dev.config, 0x70, 9, 3);
	machine_add(*state, &dev);
	machine_scan(*state, "06:00.0");
	found = machine_device(*state, "0000:06:00.0");
	bar_is(&found->bars[0], PCI_BAR_DISABLED, false, 0x600200000, 0x80000);
	assert_string_equal(pci_bar_refusal(&found->bars[0]),
			    "not enabled - bind a driver or enable it first");
	bar_is(&found->bars[2], PCI_BAR_UNASSIGNED, true, 0, 0);
	assert_non_null(pci_bar_refusal(&found->bars[2]));
	bar_is(&found->bars[3], PCI_BAR_DISABLED, false, 0x600400000, 0x4000);
	assert_int_equal(found->irq.line, 0);
	assert_int_equal(found->irq.msix_vectors, 10);
	assert_int_equal(found->use, DEVICE_UNSUPPORTED);
}

/* A path of bridges before the address; 64 bits, prefetchable; <ignored> */
static void test_prefetchable(void **state)
{
	struct fake_device dev = {
		.bdf = "0000:07:00.0",
		.vendor = 0x1234,
		.device = 0x5678,
		.class = NIC,
		.regions = {
			[0] = { 0x1b00200000, 0x200000, MEM64_PREFETCH },
		},
	};
	const struct pci_device *found;

	config_put(dev.config, COMMAND, 2, MEM_ONLY);
	config_put(dev.config, BAR(0), 4, 0x0020000c);
	config_put(dev.config, BAR(1), 4, 0x1b);
	config_put(dev.config, BAR(4), 4, 0xf000000c);
	config_put(dev.config, BAR(5), 4, 0xf);
	machine_add(*state, &dev);
	machine_scan(*state, "0000:00:00.0/07:00.0");
	found = machine_device(*state, "0000:07:00.0");
	bar_is(&found->bars[0], PCI_BAR_ENABLED, false, 0x1b00200000, 0x200000);
	assert_true(found->bars[0].wide && found->bars[0].prefetchable);
	assert_null(pci_bar_refusal(&found->bars[0]));
	assert_non_null(pci_bar_warning(&found->bars[0]));
	/* the upper half of the one before is none of its own */
	assert_int_equal(found->bars[1].state, PCI_BAR_NONE);
	bar_is(&found->bars[4], PCI_BAR_IGNORED, false, 0, 0);
	assert_non_null(pci_bar_refusal(&found->bars[4]));
	assert_int_equal(found->bars[5].state, PCI_BAR_NONE);
}

static void test_address(void **state UNUSED)
{
	static const char *const wrong[] = {
		"", "0", "1:2", "00:20.0", "00:00.8", "100:00.0", "0000:00:00.0 ", " 00:00.0",
		"0x0:00.0", "00:00", "00:00.0.0", "/", "eth0",
	};
	struct pci_address a;
	char text[PCI_ADDRESS_LEN];

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_false(pci_address_parse(wrong[i], &a));
	assert_true(pci_address_parse("2:0.0", &a));
	pci_address_print(&a, text, sizeof(text));
	assert_string_equal(text, "0000:02:00.0");
	assert_true(pci_address_parse("10000:E1:1f.7", &a));
	pci_address_print(&a, text, sizeof(text));
	assert_string_equal(text, "10000:e1:1f.7");
}

static void add_nic(struct fake_machine *m, const char *bdf, uint16_t device, const char *driver)
{
	const struct fake_device dev = {
		.bdf = bdf,
		.vendor = 0x8086,
		.device = device,
		.class = NIC,
		.driver = driver,
	};

	machine_add(m, &dev);
}

static void is_a(struct fake_machine *m, const char *bdf, const char *family,
		 const char *source, enum device_use use)
{
	const struct pci_device *dev = machine_device(m, bdf);

	assert_string_equal(dev->model->family, family);
	assert_string_equal(dev->model->source, source);
	assert_int_equal(dev->use, use);
}

static void add_variants(struct fake_machine *m)
{
	static const uint16_t ids[] = { 0x1533, 0x1536, 0x1531, 0x157b, 0x1539, 0x15f3 };
	char bdf[PCI_ADDRESS_LEN];

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		snprintf(bdf, sizeof(bdf), "0000:%02zx:00.0", i + 1);
		add_nic(m, bdf, ids[i], NULL);
	}
	/* what klat does not know is not listed */
	add_nic(m, "0000:07:00.0", 0x1521, NULL);
}

static void test_variants(void **state)
{
	struct fake_machine *m = *state;
	const struct pci_device *chosen;

	add_variants(m);
	machine_scan(m, NULL);
	assert_int_equal(m->inv.nr, 6);
	assert_int_equal(inventory_choose(&m->inv, "auto", &chosen), CHOICE_SEVERAL);
	assert_null(chosen);
	/* of igc's there is one only */
	assert_int_equal(inventory_choose(&m->inv, "igc", &chosen), CHOICE_FREE);
	assert_string_equal(chosen->bdf, "0000:06:00.0");
	is_a(m, "0000:01:00.0", "I210", "igb", DEVICE_FREE);
	is_a(m, "0000:02:00.0", "I210", "igb", DEVICE_FREE);
	is_a(m, "0000:03:00.0", "I210", "igb", DEVICE_UNSUPPORTED);
	is_a(m, "0000:04:00.0", "I210", "igb", DEVICE_FREE);
	is_a(m, "0000:05:00.0", "I211", "igb", DEVICE_FREE);
	is_a(m, "0000:06:00.0", "I225", "igc", DEVICE_FREE);
	assert_string_equal(machine_device(m, "0000:03:00.0")->reasons.items[0],
			    "I210 without programmed NVM");
}

static void test_more_ids(void **state UNUSED)
{
	static const uint16_t i210[] = { 0x1534, 0x1535, 0x1537, 0x1538, 0x157c, 0x15f6 };

	for (size_t i = 0; i < ARRAY_SIZE(i210); i++) {
		assert_non_null(model_find(0x8086, i210[i]));
		assert_string_equal(model_find(0x8086, i210[i])->family, "I210");
		assert_false(model_find(0x8086, i210[i])->blank);
	}
	assert_string_equal(model_find(0x8086, 0x10c9)->family, "82576");
	assert_string_equal(model_find(0x8086, 0x125c)->family, "I226");
	assert_string_equal(model_find(0x8086, 0x10d3)->source, "e1000e");
	assert_string_equal(model_find(0x1234, 0x11e8)->source, "edu");
	assert_null(model_find(0x8086, 0x1521));
	assert_null(model_find(0x8087, 0x1533));
}

static const char failed_probe[] =
	"igb 0000:02:00.0: The NVM Checksum Is Not Valid\n"
	"igb: probe of 0000:02:00.0 failed with error -5\n";

/* A device that igb could not use is usable, and said to be so */
static void test_failed_probe(void **state)
{
	struct fake_machine *m = *state;
	const struct pci_device *dev;

	add_variants(m);
	m->inv.log = strdup(failed_probe);
	machine_scan(m, NULL);
	dev = machine_device(m, "0000:02:00.0");
	assert_int_equal(dev->use, DEVICE_FREE);
	assert_int_equal(dev->notes.nr, 1);
	assert_non_null(strstr(dev->notes.items[0], "error -5"));
	assert_non_null(strstr(dev->notes.items[0], "The NVM Checksum Is Not Valid"));
	assert_int_equal(machine_device(m, "0000:01:00.0")->notes.nr, 0);
}

static void test_probe_failures(void **state UNUSED)
{
	char why[128];

	/* since 6.6 */
	assert_true(klog_probe_failure("[    3.1] igb 0000:02:00.0: probe with driver igb failed "
				       "with error -12\n", "igb", "0000:02:00.0", why,
				       sizeof(why)));
	assert_string_equal(why, "error -12");
	/* of another device, of another driver, and one that was made good since then */
	assert_false(klog_probe_failure(failed_probe, "igb", "0000:01:00.0", why, sizeof(why)));
	assert_false(klog_probe_failure("msi_lat: probe of 0000:02:00.0 failed with error -22\n",
					"igb", "0000:02:00.0", why, sizeof(why)));
	assert_false(klog_probe_failure("igb: probe of 0000:02:00.0 failed with error -5\n"
					"igb 0000:02:00.0: added PHC on eth0\n",
					"igb", "0000:02:00.0", why, sizeof(why)));
	assert_false(klog_probe_failure(NULL, "igb", "0000:02:00.0", why, sizeof(why)));
}

/* Pulled out while it was looked at: what nobody has judged is not free */
static void test_vanished(void **state)
{
	struct fake_machine *m = *state;
	char path[128];

	add_nic(m, "0000:01:00.0", 0x1533, NULL);
	snprintf(path, sizeof(path), "%s/bus/pci/devices/0000:01:00.0/resource", m->sys);
	unlink(path);
	assert_false(inventory_scan(&m->inv, NULL));
	assert_int_equal(m->inv.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain_i210, machine_setup, machine_teardown),
		cmocka_unit_test_setup_teardown(test_plain_i210_interrupts, machine_setup,
						machine_teardown),
		cmocka_unit_test_setup_teardown(test_disabled, machine_setup, machine_teardown),
		cmocka_unit_test_setup_teardown(test_prefetchable, machine_setup,
						machine_teardown),
		cmocka_unit_test(test_address),
		cmocka_unit_test_setup_teardown(test_variants, machine_setup, machine_teardown),
		cmocka_unit_test(test_more_ids),
		cmocka_unit_test_setup_teardown(test_failed_probe, machine_setup,
						machine_teardown),
		cmocka_unit_test(test_probe_failures),
		cmocka_unit_test_setup_teardown(test_vanished, machine_setup, machine_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
