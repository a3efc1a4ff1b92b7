/* SPDX-License-Identifier: MIT
 *
 * ringfence-workloads-cxx NAME [--scale X]
 *
 * Workloads of C++ programs: the standard containers, and the seed's loop of
 * new[] and delete[]. Takes the same options and prints the same line as
 * ringfence-workloads.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include <sys/resource.h>

#include "random.h"
#include "ticks.h"

namespace
{

using Count = std::uint64_t;

/* Each key comes and goes in turn; about half of them are present. */
template <typename Map>
void
churn_map(Count steps)
{
    constexpr std::uint32_t keys = 20000;
    std::uint64_t random = random_seed(1);
    Map map;

    for (Count i = 0; i < steps; i++) {
        const std::uint32_t key = random_below(&random, keys);
        if (map.erase(key) == 0) {
            map.emplace(key, i);
        }
    }
}

constexpr auto cxx_map = churn_map<std::map<std::uint32_t, Count>>;
constexpr auto cxx_hash = churn_map<std::unordered_map<std::uint32_t, Count>>;

void
cxx_strings(Count steps)
{
    std::uint64_t random = random_seed(2);
    std::vector<std::string> strings;

    for (Count i = 0; i < steps; i++) {
        strings.emplace_back(8 + random_below(&random, 120), 'x');
        if (strings.size() == 50000) {
            std::vector<std::string> copy(strings);
            strings.clear();
            strings.shrink_to_fit();
        }
    }
}

void
cxx_list(Count steps)
{
    std::list<std::string> queue;
    for (Count i = 0; i < steps; i++) {
        queue.emplace_back("a string too long to live inside the object");
        if (queue.size() > 1000) {
            queue.pop_front();
        }
    }
}

void
cxx_jitter(Count steps)
{
    std::uint64_t random = random_seed(3);
    for (Count i = 0; i < steps; i++) {
        char *block = new char[32 + random_below(&random, 128)];
        *static_cast<volatile char *>(block) = 1;
        delete[] block;
    }
}

struct Workload {
    const char *name;
    Count steps;
    void (*run)(Count steps);
    const char *text;
};

const Workload workloads[] = {
#define CONTAINER(name, steps, text) {#name, steps, name, text},
#include "containers.def"
#undef CONTAINER
};

int
usage(std::FILE *stream)
{
    std::fputs("usage: ringfence-workloads-cxx NAME [--scale X]\n\n", stream);
    for (const Workload &workload : workloads) {
        std::fprintf(stream, "  %-12s %s\n", workload.name, workload.text);
    }
    return stream == stdout ? 0 : 2;
}

int
run(const Workload &workload, double scale)
{
    const double scaled = static_cast<double>(workload.steps) * scale;
    const Count steps = scaled < 1 ? 1 : static_cast<Count>(scaled);
    const std::uint64_t begin = clock_ns();

    workload.run(steps);

    const double seconds = static_cast<double>(clock_ns() - begin) / 1e9;
    struct rusage usage_now;
    getrusage(RUSAGE_SELF, &usage_now);
    std::printf("workload=%s threads=1 ops=%llu seconds=%.6f peak_kib=%ld\n",
                workload.name, static_cast<unsigned long long>(steps), seconds,
                usage_now.ru_maxrss);
    return 0;
}

} // namespace

int
main(int argc, char **argv)
{
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
        return usage(stdout);
    }
    const bool scaled = argc == 4 && std::strcmp(argv[2], "--scale") == 0;
    const double scale = scaled ? std::strtod(argv[3], nullptr) : 1.0;
    if ((argc != 2 && !scaled) || !(scale > 0)) {
        return usage(stderr);
    }
    for (const Workload &workload : workloads) {
        if (std::strcmp(workload.name, argv[1]) == 0) {
            return run(workload, scale);
        }
    }
    return usage(stderr);
}
