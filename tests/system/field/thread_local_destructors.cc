/* SPDX-License-Identifier: MIT
 *
 * Case 6, the C++ half: objects of a thread with a destructor that frees and
 * allocates, in 2 000 threads one after the other and in the main thread.
 */
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "case.h"

namespace {

struct keeper {
    std::vector<std::string> texts;
    ~keeper()
    {
        texts.push_back(std::string(500, 'd'));
        std::unique_ptr<std::string> last(new std::string(texts.back()));
        EXPECT(last->size() == 500);
    }
};

thread_local keeper kept;
thread_local std::unique_ptr<int> number;

void
use_kept()
{
    for (int i = 0; i < 20; i++) {
        kept.texts.push_back(std::string(static_cast<size_t>(i) * 40, 't'));
    }
    number.reset(new int(42));
}

}  // namespace

int
main()
{
    long before = 0;

    use_kept();
    for (int i = 0; i < 2000; i++) {
        if (i == 500) {
            before = rss_kib();
        }
        std::thread(use_kept).join();
    }
    EXPECT_AT_MOST(rss_kib() - before, 8 * 1024);
    return finish();
}
