/* SPDX-License-Identifier: MIT
 *
 * A C++ program whose operator new is ringfence's: containers, exceptions,
 * over-aligned types and a thread.
 */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <ringfence/alloc.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct alignas(256) wide {
    char bytes[256];
};

static bool
throws_and_catches()
{
    try {
        throw std::runtime_error(std::string(100, 'x'));
    } catch (const std::runtime_error &error) {
        return std::string(error.what()).size() == 100;
    }
}

static bool
is_ours(void *block, std::size_t size)
{
    return rf_usable_size(block) >= size;
}

int
main()
{
    auto number = std::make_unique<long>(7);
    auto aligned = std::make_unique<wide>();
    std::unique_ptr<char[]> array(new char[1000]);
    std::vector<std::string> words;
    std::map<int, std::string> table;
    bool ok = is_ours(number.get(), sizeof(long)) &&
              is_ours(aligned.get(), sizeof(wide)) &&
              is_ours(array.get(), 1000) && throws_and_catches();

    std::thread([&] {
        for (int i = 0; i < 1000; i++) {
            words.push_back(std::string(100, 'a'));
            table[i] = words.back();
        }
    }).join();
    ok = ok && is_ours(words.data(), 1000 * sizeof(std::string)) &&
         table.size() == 1000;
    std::puts(ok ? "OK" : "FAILED");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
