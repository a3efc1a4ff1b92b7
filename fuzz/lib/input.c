/* SPDX-License-Identifier: MIT
 *
 * See input.h.
 */
#include "input.h"

#include <string.h>

void
input_start(input_t *input, const uint8_t *data, size_t size)
{
    input->next = data;
    input->end = data + size;
}

uint8_t
input_control(input_t *input)
{
    return input->next == input->end ? 0 : *--input->end;
}

bool
input_take(input_t *input, uint8_t *bytes, size_t count)
{
    size_t left = input_left(input);
    size_t taken = left < count ? left : count;

    if (taken == 0) {
        return false;
    }
    memcpy(bytes, input->next, taken);
    memset(bytes + taken, 0, count - taken);
    input->next += taken;
    return true;
}

size_t
input_left(const input_t *input)
{
    return (size_t)(input->end - input->next);
}
