/* SPDX-License-Identifier: MIT
 *
 * Who may touch a small span, and when: src/heap/shelf.h's protocol, checked
 * over every interleaving. One size class; a few spans of a few blocks; heaps
 * that are used by threads, pooled, swept, taken again; threads that allocate
 * and free without end and may stop (sleep) at any moment.
 *
 * One step of the model is one access to memory that threads share, together
 * with what the thread does to its own. Threads see each other's steps in one
 * order: memory orders are argued in the C code, not here. Names are those of
 * the C code. Lists are sets of blocks, as bits: their order does not matter.
 *
 * What may never happen is asserted where it would: a block handed out twice,
 * a span that dies twice or with a block missing, a shelf that disagrees with
 * its spans, a countdown that lies. What must not be forgotten (no FULL span
 * waits unseen) is asserted when all threads sleep. run.py has the
 * configurations, and mutants of the model that must fail.
 */
#ifndef CONFIG
#define CONFIG 1
#endif

/* The threads of a configuration; see proctype thread. */
#define OWNER(h, turns) run thread(h, 1, 1, 0, 0, turns)
#define PASSER(h) run passer(h)
#define MORTAL(h) run thread(h, 1, 1, 0, 1, 0)
#define TAKER(h, turns) run thread(h, 1, 0, 0, 0, turns)
#define FREER(h, turns) run thread(h, 0, 1, 0, 0, turns)
#define SWEEPER run sweeper()

#if CONFIG == 1 /* an owner, and one who frees */
#define SPANS 2
#define BLOCKS 3
#define CUT 3 /* blocks cut at once */
#define BATCH 1 /* most blocks of one push by another thread */
#define HEAPS 2
#define THREADS OWNER(1, 0); FREER(2, 0)
#define SLEEPERS 2
#elif CONFIG == 2 /* two who free */
#define SPANS 2
#define BLOCKS 2
#define CUT 1
#define BATCH 1
#define HEAPS 3
#define THREADS OWNER(1, 6); FREER(2, 2); FREER(3, 2)
#define SLEEPERS 3
#elif CONFIG == 3 /* descriptors pass from one owner to the other */
#define SPANS 2
#define BLOCKS 2
#define CUT 2
#define BATCH 1
#define HEAPS 3
#define THREADS PASSER(1); TAKER(2, 3); FREER(3, 1)
#define SLEEPERS 3
#elif CONFIG == 4 /* an owner dies, its heap is swept or taken again */
#define SPANS 1
#define BLOCKS 3
#define CUT 2
#define BATCH 2
#define HEAPS 2
#define THREADS MORTAL(1); OWNER(2, 0); SWEEPER
#define SLEEPERS 3
#elif CONFIG == 5 /* the same with two spans, while another thread frees */
#define SPANS 2
#define BLOCKS 2
#define CUT 2
#define BATCH 2
#define HEAPS 2
#define THREADS MORTAL(1); FREER(2, 0); SWEEPER
#define SLEEPERS 3
#endif

#ifndef WAKE_SHARE /* the C code's is 8 */
#define WAKE_SHARE 2
#endif
#ifndef MUTANT
#define MUTANT 0
#endif
#ifndef WITNESS
#define WITNESS 0
#endif

#define NOBODY 0 /* heaps are 1 ... HEAPS */
#define ORPHANS (HEAPS + 1)
#define NO_SPAN SPANS

/* Fails on purpose: proves that the model gets here. */
#define REACHED(n) assert(WITNESS != (n))

#define COUNT(set) \
    (((set) & 1) + ((set) >> 1 & 1) + ((set) >> 2 & 1) + ((set) >> 3 & 1))
#define FIRST(set) ((set) & (~(set) + 1))
#define BIT(n) (1 << (n))
/* max(n / WAKE_SHARE, 1) */
#define WAKE(n) ((n) / WAKE_SHARE + ((n) < WAKE_SHARE))

mtype = {CURRENT, AVAILABLE, FULL};
mtype = {NOTHING, CLAIMED, AGAIN};

typedef span_t {
    byte owner;
    byte owner_fast;
    byte shared; /* the word `shared`: three fields, one access */
    bit is_full;
    bit is_shelved;
    byte local_free;
    byte out, needed, armed; /* modulo 256, as the C code modulo 2^32 */
    byte carved;
    mtype state;
    /* Not in the C code: the truth. */
    bit is_alive;
    byte live;    /* blocks that the program has */
    byte pending; /* blocks that a thread is freeing */
}

typedef heap_t {
    byte cache;
    byte current;
    byte available;
    byte shelf;
    bit has_class; /* shelf.classes */
    bit lock;
    bit is_detached;
    bit is_idle;
    bit is_unswept;
    bit is_used; /* not in the C code: some thread works with it */
}

span_t span[SPANS];
heap_t heap[HEAPS + 2];
bit pool_lock;
byte asleep;

#define SHARED_IS_ZERO(s) \
    (span[s].shared == 0 && !span[s].is_full && !span[s].is_shelved)
#define CARVED(s) (BIT(span[s].carved) - 1)

/* heap/span_count.h */

#define SET(where, value) where = (value) & 255
#define OUT(s) \
    ((span[s].out - (span[s].armed - span[s].needed)) & 255)

inline settle(s)
{
    SET(span[s].out, OUT(s));
    span[s].armed = span[s].needed
}

inline arm(s, frees)
{
    span[s].needed = (frees) + 255 * ((frees) == 0);
    span[s].armed = span[s].needed
}

inline audit(s)
{
    assert(COUNT(span[s].local_free) == span[s].carved - OUT(s))
}

inline acquire(h)
{
    atomic { !heap[h].lock -> heap[h].lock = 1 }
}

inline release(h)
{
    heap[h].lock = 0
}

/* heap/span_life.c */

inline span_create(h, s)
{
    d_step {
        s = 0;
        do
        :: s < SPANS && span[s].is_alive -> s++
        :: else -> break
        od;
        if
        :: s < SPANS -> span[s].is_alive = 1; span[s].state = CURRENT
        :: else -> skip
        fi
    }
    if
    :: s < SPANS ->
        d_step {
            span[s].local_free = 0;
            span[s].carved = 0;
            span[s].out = 0;
            arm(s, 0);
            span[s].shared = 0
        }
        d_step { span[s].owner = h; span[s].owner_fast = h }
    :: else -> skip
    fi
}

inline span_destroy(s)
{
    d_step {
        assert(span[s].is_alive);
        assert(span[s].live == 0 && span[s].pending == 0);
        assert((span[s].shared | span[s].local_free) == CARVED(s));
        assert(!span[s].is_full && !span[s].is_shelved);
        assert(span[s].owner == NOBODY && span[s].owner_fast == NOBODY);
        span[s].shared = 0;
        span[s].local_free = 0;
        span[s].out = 0;
        span[s].needed = 0;
        span[s].armed = 0;
        span[s].carved = 0;
        span[s].is_alive = 0
    }
}

/* heap/shelf.c */

inline unlink_locked(h, s)
{
    assert((heap[h].shelf & BIT(s)) != 0); /* else a fault: broken list */
    heap[h].shelf = heap[h].shelf & ~BIT(s);
    heap[h].has_class = heap[h].shelf != 0
}

inline reclaim_locked(h, s)
{
    d_step {
        assert(heap[h].lock);
        span[s].is_full = 0;
        if
        :: span[s].is_shelved -> span[s].is_shelved = 0; unlink_locked(h, s)
        :: else -> skip
        fi
    }
}

inline pass_to_orphans_locked(s)
{
    d_step {
        freed = span[s].local_free;
        span[s].local_free = 0;
        arm(s, 0);
        span[s].shared = span[s].shared | freed;
        freed = 0
    }
    d_step { span[s].owner_fast = NOBODY; span[s].owner = ORPHANS }
}

inline judge_locked(h, s)
{
    d_step {
        word_full = span[s].is_full;
        word_shelved = span[s].is_shelved;
        count = COUNT(span[s].shared)
    }
    out = span[s].out;
    if
    :: !word_full -> verdict = NOTHING; REACHED(1)
#if MUTANT == 2 /* claims what is due for waking only */
    :: word_full && count >= WAKE(out) ->
#else
    :: word_full && count == out ->
#endif
        reclaim_locked(h, s);
        d_step { span[s].owner_fast = NOBODY; span[s].owner = NOBODY }
        verdict = CLAIMED
    :: else ->
        if
#if MUTANT != 4 /* shelves what stands on the shelf already */
        :: word_shelved -> verdict = NOTHING; REACHED(2)
#endif
        :: count < WAKE(out) -> verdict = NOTHING
        :: else ->
            if
            :: heap[h].is_detached ->
                pass_to_orphans_locked(s);
                verdict = AGAIN;
                REACHED(3)
            :: else ->
                d_step {
                    assert((heap[h].shelf & BIT(s)) == 0);
                    heap[h].shelf = heap[h].shelf | BIT(s);
                    heap[h].has_class = 1;
                    span[s].is_shelved = 1
                }
                verdict = NOTHING
            fi
        fi
    fi
}

inline settle_full(s)
{
    verdict = AGAIN;
    do
    :: verdict == AGAIN ->
        owner = span[s].owner;
        if
        :: owner == NOBODY -> verdict = NOTHING; REACHED(4)
        :: else ->
            acquire(owner);
            if
#if MUTANT != 1 /* does not look again under the lock */
            :: span[s].owner != owner -> REACHED(5)
#endif
            :: else -> judge_locked(owner, s)
            fi;
            release(owner)
        fi
    :: else -> break
    od;
    if
    :: verdict == CLAIMED -> span_destroy(s); REACHED(6)
    :: else -> skip
    fi
}

inline notify(s)
{
    out = span[s].out;
    word_shelved = span[s].is_shelved;
#if MUTANT == 5 /* forgets that a shelved span may become complete */
    if
    :: !word_shelved && count >= WAKE(out) -> settle_full(s)
#else
    if
    :: count == out || (!word_shelved && count >= WAKE(out)) ->
        settle_full(s)
#endif
    :: else -> skip
    fi
}

inline shelf_pop(source, taker, s)
{
    s = NO_SPAN;
    if
    :: heap[source].has_class ->
        acquire(source);
        if
        :: heap[source].shelf != 0 ->
            d_step {
                s = 0;
                do
                :: (heap[source].shelf & BIT(s)) == 0 -> s++
                :: else -> break
                od;
                assert(span[s].is_full && span[s].is_shelved)
            }
            reclaim_locked(source, s);
            if
            :: source != taker ->
                d_step { span[s].owner = taker; span[s].owner_fast = taker }
                REACHED(7)
            :: else -> REACHED(8)
            fi
        :: else -> skip
        fi;
        release(source)
    :: else -> skip
    fi
}

inline shelf_orphan(s)
{
    owner = span[s].owner;
    d_step { span[s].state = FULL; span[s].out = span[s].carved }
    acquire(owner);
    pass_to_orphans_locked(s);
    release(owner);
    d_step { span[s].is_full = 1; count = COUNT(span[s].shared) }
    notify(s)
}

/* heap/refill.c */

inline take_freed(s)
{
    if
    :: span[s].local_free != 0 ->
        d_step {
            freed = span[s].local_free;
            span[s].local_free = 0;
            span[s].out = span[s].carved;
            arm(s, 0)
        }
    :: else ->
        if
        :: SHARED_IS_ZERO(s) -> freed = 0
        :: else ->
            d_step {
                assert(!span[s].is_full && !span[s].is_shelved);
                freed = span[s].shared;
                span[s].shared = 0
            }
        fi
    fi
}

inline cut(s)
{
    d_step {
        freed = CARVED(s);
        span[s].carved = span[s].carved + CUT;
        if
        :: span[s].carved > BLOCKS -> span[s].carved = BLOCKS
        :: else -> skip
        fi;
        freed = CARVED(s) & ~freed;
        SET(span[s].out, span[s].out + COUNT(freed));
        audit(s)
    }
}

inline make_available(h, s)
{
    d_step {
        span[s].state = AVAILABLE;
        heap[h].available = heap[h].available | BIT(s)
    }
}

/* heap/retire.c: rfi_heap_retire_current(). */
inline retire_current(h)
{
    other = heap[h].current;
    if
    :: other == NO_SPAN -> skip
    :: else ->
        heap[h].current = NO_SPAN;
        let_go = 0;
        settle(other);
        if
        :: span[other].local_free == 0 && span[other].carved == BLOCKS ->
            d_step {
                arm(other, WAKE(span[other].out));
                span[other].state = FULL
            }
            d_step {
                let_go = SHARED_IS_ZERO(other);
#if MUTANT == 6 /* lets go although others have pushed meanwhile */
                let_go = 1;
#endif
                span[other].is_full = let_go
            }
            if
            :: let_go -> skip
            :: else -> REACHED(9)
            fi
        :: else -> skip
        fi;
        if
        :: let_go -> skip
        :: else ->
            arm(other, span[other].out);
            make_available(h, other)
        fi
    fi
}

inline find_available(h, s)
{
    if
    :: heap[h].available != 0 ->
        d_step {
            s = 0;
            do
            :: (heap[h].available & BIT(s)) == 0 -> s++
            :: else -> break
            od;
            heap[h].available = heap[h].available & ~BIT(s)
        }
    :: else -> shelf_pop(h, h, s)
    fi
}

inline find_blocks(h)
{
    freed = 0;
    s = heap[h].current;
    if
    :: s != NO_SPAN -> take_freed(s)
    :: else -> skip
    fi;
    if
    :: freed == 0 ->
        find_available(h, s);
        other = heap[h].current;
        if
        :: s == NO_SPAN && other != NO_SPAN &&
           span[other].carved < BLOCKS ->
            cut(other)
        :: else ->
            if
            :: s == NO_SPAN -> shelf_pop(ORPHANS, h, s)
            :: else -> skip
            fi;
            if
            :: s == NO_SPAN -> span_create(h, s)
            :: else -> skip
            fi;
            if
            :: s != NO_SPAN ->
                retire_current(h);
                d_step {
                    settle(s);
                    arm(s, 0);
                    span[s].state = CURRENT;
                    heap[h].current = s
                }
                take_freed(s);
                if
                :: freed == 0 && span[s].carved < BLOCKS -> cut(s)
                :: else -> skip
                fi;
                assert(freed != 0)
            :: else -> skip
            fi
        fi
    :: else -> skip
    fi;
    heap[h].cache = freed
}

/* front: malloc and free. */

inline allocate(h)
{
    if
    :: heap[h].cache == 0 -> find_blocks(h)
    :: else -> skip
    fi;
    d_step {
        s = heap[h].current;
        if
        :: heap[h].cache != 0 ->
            freed = FIRST(heap[h].cache);
            assert(span[s].owner == h && span[s].is_alive);
            assert((freed & (span[s].live | span[s].pending)) == 0);
            assert((freed & (span[s].shared | span[s].local_free)) == 0);
            heap[h].cache = heap[h].cache & ~freed;
            span[s].live = span[s].live | freed
        :: else -> skip
        fi;
        freed = 0
    }
}

inline release_if_empty(h, s)
{
    d_step { settle(s); count = COUNT(span[s].shared) }
    if
    :: count == span[s].out ->
        heap[h].available = heap[h].available & ~BIT(s);
#if MUTANT == 3 /* ends a life without the lock of the shelf */
        d_step { span[s].owner_fast = NOBODY; span[s].owner = NOBODY }
#else
        acquire(h);
        d_step { span[s].owner_fast = NOBODY; span[s].owner = NOBODY }
        release(h);
#endif
        span_destroy(s);
        REACHED(10)
    :: else -> arm(s, span[s].out)
    fi
}

inline free_event(h, s)
{
    if
    :: span[s].state == FULL ->
        acquire(h);
        reclaim_locked(h, s);
        release(h);
        make_available(h, s);
        release_if_empty(h, s);
        REACHED(11)
    :: span[s].state == AVAILABLE -> release_if_empty(h, s)
    :: else -> assert(false) /* the current one never ends its countdown */
    fi
}

inline free_local(h, s)
{
    d_step {
        assert(span[s].owner == h && span[s].is_alive);
        span[s].local_free = span[s].local_free | freed;
        span[s].pending = span[s].pending & ~freed;
        freed = 0;
        SET(span[s].needed, span[s].needed - 1);
        count = span[s].needed;
        audit(s)
    }
    if
    :: count == 0 -> free_event(h, s)
    :: else -> skip
    fi
}

inline remote_push(s)
{
    d_step {
        assert(span[s].is_alive);
        span[s].shared = span[s].shared | freed;
        span[s].pending = span[s].pending & ~freed;
        freed = 0;
        count = COUNT(span[s].shared);
        word_full = span[s].is_full
    }
    if
    :: word_full -> notify(s)
    :: else -> skip
    fi
}

/* Takes a live block of span s to free it. */
inline pick(s)
{
    atomic {
        s = 0;
        do
        :: s < SPANS - 1 -> s++
        :: break
        od;
        if
        :: span[s].live != 0 ->
            freed = FIRST(span[s].live);
            span[s].live = span[s].live & ~freed;
            span[s].pending = span[s].pending | freed
        :: else -> freed = 0
        fi
    }
}

/* A remote free may wait in its batch for a second block. */
inline fill_batch(s)
{
#if BATCH > 1
    atomic {
        if
        :: span[s].live != 0 ->
            freed = freed | FIRST(span[s].live);
            span[s].live = span[s].live & ~freed;
            span[s].pending = span[s].pending | freed
        :: skip
        fi
    }
#else
    skip
#endif
}

inline free_block(h)
{
    pick(s);
    if
    :: freed == 0 -> skip
    :: else ->
        owner = span[s].owner_fast;
        if
        :: owner == h -> free_local(h, s)
        :: else ->
            owner = span[s].owner;
            if
            :: owner == h -> free_local(h, s)
            :: else -> fill_batch(s); remote_push(s)
            fi
        fi
    fi
}

/* heap/retire.c: rfi_heap_collect(), rfi_heap_abandon(). */

inline return_cache(h)
{
    d_step {
        s = heap[h].current;
        if
        :: s != NO_SPAN ->
            span[s].local_free = span[s].local_free | heap[h].cache;
            settle(s);
            SET(span[s].out, span[s].out - COUNT(heap[h].cache));
            arm(s, span[s].out);
            heap[h].cache = 0;
            audit(s)
        :: else -> skip
        fi
    }
}

inline sweep_list(h)
{
    s = 0;
    do
    :: s < SPANS ->
        if
        :: (heap[h].available & BIT(s)) != 0 -> release_if_empty(h, s)
        :: else -> skip
        fi;
        s++
    :: else -> break
    od;
    skip /* Spin refuses a jump into a d_step */
}

inline collect(h)
{
    return_cache(h);
    retire_current(h);
    s = 0;
    do
    :: s != NO_SPAN ->
        shelf_pop(h, h, s);
        if
        :: s != NO_SPAN -> make_available(h, s)
        :: else -> skip
        fi
    :: else -> break
    od;
    sweep_list(h)
}

inline abandon(h)
{
    collect(h);
    s = 0;
    do
    :: s < SPANS ->
        if
        :: (heap[h].available & BIT(s)) != 0 ->
            d_step {
                heap[h].available = heap[h].available & ~BIT(s);
                settle(s)
            }
            shelf_orphan(s)
        :: else -> skip
        fi;
        s++
    :: else -> break
    od;
    assert(heap[h].shelf == 0)
}

/* heap/heap_pool.c */

inline pool_take(h)
{
    atomic {
        !pool_lock && heap[h].is_idle ->
        heap[h].is_idle = 0;
        heap[h].is_unswept = 0;
        assert(!heap[h].is_used);
        heap[h].is_used = 1
    }
    acquire(h);
    heap[h].is_detached = 0;
    release(h)
}

inline pool_give(h)
{
    acquire(h);
    heap[h].is_detached = 1;
    release(h);
    atomic {
        !pool_lock ->
        heap[h].is_used = 0;
        heap[h].is_idle = 1;
        heap[h].is_unswept = 1
    }
}

#define WORDS \
    byte s = NO_SPAN; \
    byte other = NO_SPAN; \
    byte owner = NOBODY; \
    byte freed = 0; \
    byte count = 0; \
    byte out = 0; \
    bit word_full = 0; \
    bit word_shelved = 0; \
    bit let_go = 0; \
    mtype verdict = NOTHING

/* Between two operations a thread's scratch words are dead. */
#define FORGET \
    d_step { \
        s = NO_SPAN; other = NO_SPAN; owner = NOBODY; freed = 0; count = 0; \
        out = 0; word_full = 0; word_shelved = 0; let_go = 0; \
        verdict = NOTHING \
    }

#define TURN \
    if \
    :: turns == 1 -> break \
    :: turns > 1 -> turns-- \
    :: else -> skip \
    fi

/* A thread with a heap: allocates, frees and trims if it may; ends, and
 * begins anew with whatever the heap has become; or sleeps for ever, after so
 * many turns at the latest (0: no bound). */
proctype thread(byte h; bit allocates; bit frees; bit trims; bit ends;
                byte turns)
{
    WORDS;
    do
    :: allocates -> allocate(h); FORGET; TURN
    :: frees -> free_block(h); FORGET; TURN
    :: trims -> collect(h); FORGET; TURN
    :: ends -> pool_give(h); FORGET; if :: pool_take(h) :: break fi
    :: break
    od;
    asleep++
}

/* Fills two spans, frees, trims, so that another heap gets the descriptors,
 * and frees what that one has taken. */
proctype passer(byte h)
{
    WORDS;
    allocate(h);
    allocate(h);
    allocate(h); FORGET;
    free_block(h); FORGET;
    free_block(h); FORGET;
    free_block(h); FORGET;
    collect(h); FORGET;
    free_block(h); FORGET;
    free_block(h); FORGET;
    asleep++
}

/* Some thread's tick: empties idle heaps. */
proctype sweeper()
{
    WORDS;
    byte h = 1;
    do
    :: atomic {
            !pool_lock && heap[h].is_idle && heap[h].is_unswept ->
            heap[h].is_idle = 0;
            heap[h].is_unswept = 0;
            assert(!heap[h].is_used);
            heap[h].is_used = 1
        }
        abandon(h);
        FORGET;
        atomic {
            !pool_lock ->
            heap[h].is_used = 0;
            heap[h].is_idle = 1
        }
    :: break
    od;
    asleep++
}

inline check_span_at_rest(s)
{
    owner = span[s].owner;
    assert(owner != NOBODY);
    assert((span[s].shared & span[s].local_free) == 0);
    assert(((heap[owner].shelf & BIT(s)) != 0) == span[s].is_shelved);
    assert(!span[s].is_shelved || span[s].is_full);
    if
    :: span[s].is_full ->
        count = COUNT(span[s].shared);
        assert(count != span[s].out);
        /* With the orphans nobody else has any of it. */
        assert(owner != ORPHANS || span[s].local_free == 0);
        assert(span[s].is_shelved || count < WAKE(span[s].out))
    :: else ->
        assert(owner != ORPHANS);
        assert(heap[owner].current == s ||
               (heap[owner].available & BIT(s)) != 0)
    fi
}

init
{
    byte s;
    byte owner;
    byte count;

    d_step {
        s = 0;
        do
        :: s <= HEAPS -> heap[s].current = NO_SPAN; s++
        :: else -> break
        od;
        heap[ORPHANS].current = NO_SPAN;
        s = 0
    }
    atomic {
        THREADS;
    }
    asleep == SLEEPERS;
    d_step {
        do
        :: s < SPANS ->
            if
            :: span[s].is_alive -> check_span_at_rest(s)
            :: else -> skip
            fi;
            s++
        :: else -> break
        od
    }
}
