/* SPDX-License-Identifier: MIT
 *
 * Facts about and actions on the process as a whole. Raw system calls only:
 * no allocation, no errno, callable from any thread and signal handler.
 */
#ifndef RINGFENCE_OS_PROCESS_H
#define RINGFENCE_OS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes all of the bytes to the file descriptor, retrying after EINTR and
 * short writes; gives up silently on any other error. */
void rfi_process_write(int fd, const char *bytes, size_t count);

/* Ends the process with SIGABRT, also when it is blocked or handled. A
 * handler for SIGABRT runs once, as with abort(3). */
__attribute__((noreturn)) void rfi_process_abort(void);

/* Ends the process at once with an exit status, running nothing. */
__attribute__((noreturn)) void rfi_process_exit(int status);

/* Fills the buffer with random bytes: getrandom without blocking, else the
 * auxiliary vector's 16 bytes mixed with clock and addresses. */
void rfi_process_entropy(uint8_t *bytes, size_t count);

/* Milliseconds of a monotonic coarse clock (vDSO; a system call only where
 * there is none). */
uint64_t rfi_process_clock_ms(void);

/* Value of a variable of the start environment, or NULL. Reads `environ`; when
 * libc has not set it yet, /proc/self/environ into a static buffer. The result
 * is valid until the program changes its environment. */
const char *rfi_process_environment(const char *name);

/* Was the environment read from /proc larger than the static buffer, so that
 * variables may have been missed? */
bool rfi_process_environment_is_cut(void);

/* Was the process started set-uid, set-gid or with file capabilities
 * (AT_SECURE)? */
bool rfi_process_is_secure(void);

/* Path with which the program was executed (AT_EXECFN), or "". */
const char *rfi_process_executable(void);

/* Value of vm.overcommit_memory: 0, 1 or 2; 0 when it cannot be read. */
int rfi_process_overcommit(void);

int rfi_process_id(void);

/* Reads a whole small file into the buffer and ends it with a NUL; of a longer
 * file the first capacity - 1 bytes. Returns the number of bytes before the
 * NUL, or a negative errno. */
long rfi_process_read_file(const char *path, char *buffer, size_t capacity);

#endif
