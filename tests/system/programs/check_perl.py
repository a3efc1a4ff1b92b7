#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""perl: strings, hashes, sorting, regular expressions, a forked child."""

import harness

PROGRAM = r"""
use strict; use warnings;
my $rows = shift;
my (%count, @words, %tree);
my $seed = 42;
sub roll { $seed = ($seed * 1103515245 + 12345) % 2147483648; return $seed }
for my $i (1 .. $rows) {
    my $word = join '', map { chr(97 + roll() / 65536 % 26) } 1 .. 3 + $i % 9;
    $count{substr $word, 0, 3}++;
    push @words, $word;
    $tree{$i % 100}{$word} = [$i, {length => length $word}];
    delete $tree{roll() / 65536 % 100} if $i % 1000 == 0;
}
my @sorted = sort { length $a <=> length $b or $a cmp $b } @words;
my $text = join ' ', @sorted;
my $doubled = () = $text =~ /(\w)\1/g;
$text =~ s/([aeiou])(\w)/$2$1/g;
my $pid = fork() // die;
if (!$pid) { my @copy = (@sorted) x 2; exit(@copy == 2 * $rows ? 0 : 1) }
waitpid $pid, 0;
die "child $?" if $?;
my $nested = 0;
for my $branch (values %tree) { $nested += $_->[1]{length} for values %$branch }
printf "%d %d %d %d %s %s\n", scalar(keys %count), $doubled, length $text,
    $nested, $sorted[0], $sorted[-1];
my @top = (sort { $count{$b} <=> $count{$a} or $a cmp $b } keys %count)[0 .. 9];
print "$_ $count{$_}\n" for @top;
"""


def work(trial):
    perl = harness.find("perl")
    program = trial.write("work.pl", PROGRAM)
    rows = "200000" if trial.is_full() else "40000"
    return trial.run([perl, program, rows], env={"PERL_HASH_SEED": "0"})


harness.main(work)
