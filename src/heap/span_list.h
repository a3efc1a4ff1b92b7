/* SPDX-License-Identifier: MIT
 *
 * Doubly linked lists of spans. Unlinking checks the neighbours, so that a
 * broken list ends the process and not somebody else's data.
 */
#ifndef RINGFENCE_HEAP_SPAN_LIST_H
#define RINGFENCE_HEAP_SPAN_LIST_H

#include "core/fault.h"
#include "heap/heap.h"

static inline void
rfi_span_list_push_first(rfi_span_list_t *list, rfi_span_t *span)
{
    span->previous = NULL;
    span->next = list->first;
    if (list->first != NULL) {
        list->first->previous = span;
    } else {
        list->last = span;
    }
    list->first = span;
}

static inline void
rfi_span_list_push_last(rfi_span_list_t *list, rfi_span_t *span)
{
    span->next = NULL;
    span->previous = list->last;
    if (list->last != NULL) {
        list->last->next = span;
    } else {
        list->first = span;
    }
    list->last = span;
}

static inline void
rfi_span_list_remove(rfi_span_list_t *list, rfi_span_t *span)
{
    rfi_span_t *previous = span->previous;
    rfi_span_t *next = span->next;

    if ((previous != NULL ? previous->next : list->first) != span ||
        (next != NULL ? next->previous : list->last) != span) {
        rfi_fault_raise(&(rfi_fault_t){.kind = RFI_FAULT_INTERNAL,
                                       .address = span,
                                       .reason = "span list is broken"});
    }
    if (previous != NULL) {
        previous->next = next;
    } else {
        list->first = next;
    }
    if (next != NULL) {
        next->previous = previous;
    } else {
        list->last = previous;
    }
    span->next = span->previous = NULL;
}

#endif
