// SPDX-License-Identifier: GPL-2.0
/* /proc/interrupts as kernels and architectures print it. */
#include "proc_irq.h"
#include "unit.h"

static void parse(struct irq_table *table, const char *text)
{
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	assert_non_null(file);
	assert_true(irq_table_read(table, file));
	fclose(file);
}

static const struct irq_row *row_of(const struct irq_table *table, const char *label)
{
	const struct irq_row *row = irq_table_find(table, label);

	if (!row)
		fail_msg("no line %s", label);
	return row;
}

static void counted(const struct irq_table *table, const char *label, int cpu, uint64_t expected)
{
	uint64_t count = UINT64_MAX;

	assert_true(irq_row_count(table, row_of(table, label), cpu, &count));
	assert_int_equal(count, expected);
}

static const char offline[] =
	"            CPU0       CPU1       CPU4       CPU20\n"
	"  24:         12          0          7          3  IR-PCI-MSIX-0000:02:00.0    0-edge      eth0\n"
	"  25:          0          0          0     100000  IR-PCI-MSI-0000:03:00.0    0-edge      msi_lat\n"
	" NMI:          1          1          1          1   Non-maskable interrupts\n"
	" ERR:          0\n"
	" MIS:          0\n";

static void test_offline(void **state UNUSED)
{
	const struct irq_row *row;
	struct irq_table table;
	uint64_t count;

	parse(&table, offline);
	row = irq_table_find_name(&table, "msi_lat");
	assert_non_null(row);
	assert_int_equal(row->number, 25);
	assert_string_equal(row->chip, "IR-PCI-MSI-0000:03:00.0");
	counted(&table, "25", 0, 0);
	counted(&table, "25", 1, 0);
	counted(&table, "25", 4, 0);
	counted(&table, "25", 20, 100000);
	assert_false(irq_row_count(&table, row, 3, &count));
	assert_string_equal(row_of(&table, "NMI")->names, "Non-maskable interrupts");
	assert_int_equal(row_of(&table, "NMI")->number, -1);
	assert_int_equal(row_of(&table, "ERR")->nr, 1);
	assert_int_equal(row_of(&table, "MIS")->nr, 1);
	assert_null(irq_table_find_name(&table, "msi"));
	irq_table_free(&table);
}

static const char old[] =
	"           CPU0       CPU1\n"
	" 129:         55          2   PCI-MSI 1048576-edge      enp2s0-TxRx-0\n"
	"  44:          0          9   8-0020   3 Edge      codec\n";

static void test_old(void **state UNUSED)
{
	struct irq_table table;

	parse(&table, old);
	counted(&table, "129", 0, 55);
	counted(&table, "129", 1, 2);
	assert_string_equal(row_of(&table, "129")->names, "enp2s0-TxRx-0");
	counted(&table, "44", 0, 0);
	counted(&table, "44", 1, 9);
	assert_int_equal(row_of(&table, "44")->nr, 2);
	assert_string_equal(row_of(&table, "44")->chip, "8-0020");
	assert_string_equal(row_of(&table, "44")->names, "codec");
	irq_table_free(&table);
}

static const char glued[] =
	"           CPU0       CPU1\n"
	"IPI0:1145401553 1145401999       Rescheduling interrupts\n"
	" FIQ:              usb_fiq\n";

static void test_glued(void **state UNUSED)
{
	struct irq_table table;

	parse(&table, glued);
	counted(&table, "IPI0", 0, 1145401553);
	counted(&table, "IPI0", 1, 1145401999);
	assert_int_equal(row_of(&table, "FIQ")->nr, 0);
	assert_string_equal(row_of(&table, "FIQ")->names, "usb_fiq");
	irq_table_free(&table);
}

static const char shared[] =
	"           CPU0       CPU1\n"
	"  16:          1          2  IR-IO-APIC   16-fasteoi   ehci_hcd:usb1, msi_lat, i801_smbus\n"
	"  17:          0          0  IR-IO-APIC   17-fasteoi\n";

static void test_shared(void **state UNUSED)
{
	struct irq_table table;

	parse(&table, shared);
	assert_int_equal(irq_table_find_name(&table, "msi_lat")->number, 16);
	assert_int_equal(irq_table_find_name(&table, "ehci_hcd:usb1")->number, 16);
	assert_int_equal(irq_table_find_name(&table, "i801_smbus")->number, 16);
	assert_null(irq_table_find_name(&table, "smbus"));
	irq_table_free(&table);
}

static void test_no_table(void **state UNUSED)
{
	static const char text[] = "nothing of the kind\n";
	FILE *file = fmemopen((void *)text, strlen(text), "r");
	struct irq_table table;

	assert_non_null(file);
	assert_false(irq_table_read(&table, file));
	irq_table_free(&table);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offline),
		cmocka_unit_test(test_old),
		cmocka_unit_test(test_glued),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
