/* SPDX-License-Identifier: MIT
 *
 * The statistics for machines: JSON, and the text format of Prometheus. Both
 * print every field of stats_fields.def under its own name.
 */
#include "inspect/stats.h"
#include "inspect/writer.h"

typedef unsigned long long number_t;

static void
print_json_classes(rfi_writer_t *out, const rf_stats_t *stats)
{
    const char *separator = "\n";

    for (size_t i = 0; i < stats->class_count; i++) {
        const rf_class_stats_t *class_stats = &stats->classes[i];

        if (class_stats->spans == 0) {
            continue;
        }
        rfi_writer_print(out, "%s    {\"block_bytes\": %zu", separator,
                         class_stats->block_bytes);
#define RFI_STATS_FIELD(name, type, help)
#define RFI_STATS_CLASS_FIELD(name, type, help) \
    rfi_writer_print(out, ", \"" #name "\": %zu", class_stats->name);
#include "inspect/stats_fields.def"
#undef RFI_STATS_FIELD
#undef RFI_STATS_CLASS_FIELD
        rfi_writer_print(out, "}");
        separator = ",\n";
    }
}

void
rfi_stats_print_json(int fd, const rf_stats_t *stats, const char *mode,
                     const char *version)
{
    rfi_writer_t out;

    rfi_writer_start(&out, fd);
    rfi_writer_print(&out,
                     "{\n  \"version\": \"%s\",\n  \"mode\": \"%s\",\n",
                     version, mode);
#define RFI_STATS_FIELD(name, type, help) \
    rfi_writer_print(&out, "  \"" #name "\": %llu,\n", (number_t)stats->name);
#define RFI_STATS_CLASS_FIELD(name, type, help)
#include "inspect/stats_fields.def"
#undef RFI_STATS_FIELD
#undef RFI_STATS_CLASS_FIELD
    rfi_writer_print(&out, "  \"classes\": [");
    print_json_classes(&out, stats);
    rfi_writer_print(&out, "\n  ]\n}\n");
    rfi_writer_finish(&out);
}

static void
print_metric_head(rfi_writer_t *out, const char *name, const char *type,
                  const char *help)
{
    rfi_writer_print(out, "# HELP ringfence_%s %s\n# TYPE ringfence_%s %s\n",
                     name, help, name, type);
}

void
rfi_stats_print_prometheus(int fd, const rf_stats_t *stats, const char *mode,
                           const char *version)
{
    rfi_writer_t out;

    rfi_writer_start(&out, fd);
    print_metric_head(&out, "info", "gauge", "Which ringfence this is.");
    rfi_writer_print(&out,
                     "ringfence_info{version=\"%s\",mode=\"%s\"} 1\n",
                     version, mode);
#define RFI_STATS_FIELD(name, type, help)          \
    print_metric_head(&out, #name, #type, help);   \
    rfi_writer_print(&out, "ringfence_%s %llu\n", #name, \
                     (number_t)stats->name);
#define RFI_STATS_CLASS_FIELD(name, type, help)                             \
    print_metric_head(&out, "class_" #name, #type, help);                   \
    for (size_t i = 0; i < stats->class_count; i++) {                       \
        rfi_writer_print(&out, "ringfence_class_%s{block_bytes=\"%zu\"} "   \
                               "%zu\n",                                     \
                         #name, stats->classes[i].block_bytes,              \
                         stats->classes[i].name);                           \
    }
#include "inspect/stats_fields.def"
#undef RFI_STATS_FIELD
#undef RFI_STATS_CLASS_FIELD
    rfi_writer_finish(&out);
}
