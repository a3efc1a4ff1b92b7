# SPDX-License-Identifier: MIT
#
# objects.pl [SCALE]: hashes of arrays, strings that grow, and sorting.
use strict;
use warnings;

my $scale = @ARGV ? shift : 1;
my $count = int(400000 * $scale) || 100;
my $seed = 1;

sub number {
    my ($bound) = @_;
    $seed = ($seed * 1103515245 + 12345) % 2147483648;
    return int($seed / 65536) % $bound;
}

my %table;
for my $i (1 .. $count) {
    push @{$table{'key' . number(5000)}}, 'value' . ('x' x number(40));
    delete $table{'key' . number(5000)} if $i % 50 == 0;
}
my $bytes = 0;
for my $key (sort keys %table) {
    my $joined = join ',', sort @{$table{$key}};
    $bytes += length $joined;
}
print scalar(keys %table), " $bytes\n";
