/* SPDX-License-Identifier: MIT
 *
 * A C++ program as it is written every day: threads that fill containers,
 * hand them to each other through a queue, and answer with futures. Prints a
 * sum that only depends on its argument, the number of jobs.
 */
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

struct job {
    unsigned long number = 0;
    std::map<std::string, std::vector<unsigned long>> table;
    std::promise<unsigned long> answer;
};

class job_queue {
public:
    void push(std::unique_ptr<job> next)
    {
        std::lock_guard<std::mutex> guard(lock_);
        jobs_.push_back(std::move(next));
        changed_.notify_one();
    }

    /* A null pointer tells a worker to end. */
    std::unique_ptr<job> pop()
    {
        std::unique_lock<std::mutex> guard(lock_);
        changed_.wait(guard, [this] { return !jobs_.empty(); });
        std::unique_ptr<job> next = std::move(jobs_.front());
        jobs_.pop_front();
        return next;
    }

private:
    std::mutex lock_;
    std::condition_variable changed_;
    std::deque<std::unique_ptr<job>> jobs_;
};

std::unique_ptr<job> make_job(unsigned long number)
{
    auto made = std::make_unique<job>();

    made->number = number;
    for (unsigned long i = 0; i < 20 + number % 30; i++) {
        std::string key = "key " + std::to_string(i * number % 1000);
        made->table[key + std::string(i, '.')].assign(i * 5 + 1, i ^ number);
    }
    return made;
}

/* Copies, sorts into another container, and adds everything up. */
unsigned long solve(const job &given)
{
    std::unordered_map<std::string, std::vector<unsigned long>> copy(
        given.table.begin(), given.table.end());
    unsigned long sum = given.number;

    for (const auto &entry : copy) {
        sum = std::accumulate(entry.second.begin(), entry.second.end(),
                              sum + entry.first.size());
    }
    return sum;
}

void serve(job_queue &queue)
{
    while (std::unique_ptr<job> next = queue.pop()) {
        next->answer.set_value(solve(*next));
    }
}

}  // namespace

int main(int count, char **arguments)
{
    const unsigned long jobs =
        count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 1000;
    job_queue queue;
    std::vector<std::thread> workers;
    std::vector<std::future<unsigned long>> answers;
    unsigned long sum = 0;

    for (int i = 0; i < 6; i++) {
        workers.emplace_back(serve, std::ref(queue));
    }
    for (unsigned long i = 0; i < jobs; i++) {
        std::unique_ptr<job> next = make_job(i);
        answers.push_back(next->answer.get_future());
        queue.push(std::move(next));
    }
    for (auto &answer : answers) {
        sum += answer.get();
    }
    for (std::size_t i = 0; i < workers.size(); i++) {
        queue.push(nullptr);
    }
    for (std::thread &worker : workers) {
        worker.join();
    }
    std::printf("%lu\n", sum);
    return 0;
}
