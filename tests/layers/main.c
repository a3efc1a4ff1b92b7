/* SPDX-License-Identifier: MIT
 *
 * Linked with the objects of the lowest layers; that it links is the test.
 */
int
main(void)
{
    return 0;
}
