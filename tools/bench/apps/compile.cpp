/* SPDX-License-Identifier: MIT
 *
 * Something for a C++ compiler to chew on: enough headers and templates to
 * keep it allocating for a second.
 */
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

template <int N>
struct Level {
    std::map<std::string, std::tuple<int, double, std::vector<Level<N - 1>>>>
        children;
    std::function<int(const Level<N - 1> &)> measure;

    int
    total() const
    {
        int sum = N;
        for (const auto &child : children) {
            for (const auto &level : std::get<2>(child.second)) {
                sum += level.total() + measure(level);
            }
        }
        return sum;
    }
};

template <>
struct Level<0> {
    int
    total() const
    {
        return 1;
    }
};

int
main()
{
    Level<12> top;
    std::unordered_map<std::string, std::shared_ptr<Level<3>>> index;
    index.emplace("first", std::make_shared<Level<3>>());
    std::cout << top.total()
              << index.size() << '\n';
    return 0;
}
