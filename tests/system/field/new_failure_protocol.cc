/* SPDX-License-Identifier: MIT
 *
 * Cases 13 and 58: what the standard says about an operator new that cannot
 * have its memory. The handler is called until it gives up, may free memory,
 * may throw a class of its own, and may even leave with longjmp: no lock may
 * be held while it runs.
 */
#include <csetjmp>
#include <new>

#include "case.h"

namespace {

const size_t impossible = static_cast<size_t>(PTRDIFF_MAX);
const std::align_val_t alignment{64};
int calls;
jmp_buf landing;

struct my_bad_alloc : std::bad_alloc {
    int code = 42;
};

void
give_up_after_three()
{
    if (++calls == 3) {
        std::set_new_handler(nullptr);
    }
}

void
throw_my_own()
{
    throw my_bad_alloc();
}

void
jump_out()
{
    longjmp(landing, 1);
}

template <typename Allocate>
bool
throws_bad_alloc(Allocate allocate)
{
    try {
        (void)opaque(allocate());
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

template <typename Allocate>
void
check_throwing(Allocate allocate)
{
    EXPECT(throws_bad_alloc(allocate));
    calls = 0;
    std::set_new_handler(give_up_after_three);
    EXPECT(throws_bad_alloc(allocate));
    EXPECT(calls == 3);
    std::set_new_handler(throw_my_own);
    int code = 0;
    try {
        (void)opaque(allocate());
    } catch (const my_bad_alloc &error) {
        code = error.code;
    }
    EXPECT(code == 42);
    std::set_new_handler(nullptr);
}

template <typename Allocate>
void
check_nothrow(Allocate allocate)
{
    EXPECT(allocate() == nullptr);
    calls = 0;
    std::set_new_handler(give_up_after_three);
    EXPECT(allocate() == nullptr);
    EXPECT(calls == 3);
    std::set_new_handler(throw_my_own);
    EXPECT(allocate() == nullptr);
    std::set_new_handler(nullptr);
}

void
check_longjmp()
{
    std::set_new_handler(jump_out);
    for (volatile int i = 0; i < 100; i = i + 1) {
        if (setjmp(landing) == 0) {
            (void)opaque(::operator new(impossible));
            fail_case(__FILE__, __LINE__, "the handler does not return");
        }
        ::operator delete(opaque(::operator new(100 * KIB)));
    }
    std::set_new_handler(nullptr);
}

}  // namespace

int
main()
{
    check_throwing([] { return ::operator new(impossible); });
    check_throwing([] { return ::operator new[](impossible); });
    check_throwing([] { return ::operator new(impossible, alignment); });
    check_throwing([] { return ::operator new[](impossible, alignment); });
    check_nothrow([] { return ::operator new(impossible, std::nothrow); });
    check_nothrow([] { return ::operator new[](impossible, std::nothrow); });
    check_nothrow([] {
        return ::operator new(impossible, alignment, std::nothrow);
    });
    check_nothrow([] {
        return ::operator new[](impossible, alignment, std::nothrow);
    });
    check_longjmp();
    return finish();
}
