/* SPDX-License-Identifier: MIT
 *
 * Case 5, one of ten libraries: 64 bytes of static TLS each.
 */
int *tls_filler_use(void);

static _Thread_local __attribute__((tls_model("initial-exec"))) int
    filler[16];

int *
tls_filler_use(void)
{
    return &filler[0];
}
