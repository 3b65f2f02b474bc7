// Work that several threads bring at the same time, done together.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace hinny {

// Safe to share between threads. It has none of its own: who finds nobody at work does what waits,
// others' items with its own, and what comes meanwhile is the next batch. So nobody waits for a
// batch to fill.
template <typename Item, typename Result>
class Batches {
 public:
  // A result for each item, in order. Called for one batch at a time, from any of the threads.
  using Work = std::function<std::vector<Result>(std::vector<Item>)>;

  // `most`: items of a batch.
  Batches(std::size_t most, Work work) : most_(most), work_(std::move(work)) {}

  // A result for each of the items, in order. What the work throws, everybody who has an item in
  // that batch throws.
  std::vector<Result> run(std::vector<Item> items) {
    Call mine(std::move(items));
    std::unique_lock guard(lock_);
    if (!mine.items.empty()) waiting_.push_back(&mine);
    while (!mine.finished()) {
      if (working_) {
        changed_.wait(guard, [&] { return !working_ || mine.finished(); });
      } else {
        do_one(guard);
      }
    }
    if (mine.problem) std::rethrow_exception(mine.problem);
    return std::move(mine.results);
  }

 private:
  struct Call {
    explicit Call(std::vector<Item> all) : items(std::move(all)), results(items.size()) {}
    bool finished() const { return problem != nullptr || done == items.size(); }
    std::vector<Item> items;
    std::vector<Result> results;
    std::size_t taken = 0, done = 0;
    std::exception_ptr problem;
  };

  using Places = std::vector<std::pair<Call*, std::size_t>>;  // where each result belongs

  void do_one(std::unique_lock<std::mutex>& guard) {
    working_ = true;
    Places places;
    std::vector<Result> results;
    std::exception_ptr problem;
    try {
      std::vector<Item> batch = take(places);
      guard.unlock();
      results = work_(std::move(batch));
    } catch (...) {
      problem = std::current_exception();
    }
    if (!guard.owns_lock()) {
      guard.lock();
    } else {  // no memory for the batch
      waiting_.front()->problem = problem;
      waiting_.pop_front();
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto& [call, place] = places[i];
      if (problem) {
        call->problem = problem;
        std::erase(waiting_, call);  // its other items are of no use to anybody
      } else {
        call->results[place] = std::move(results[i]);
        ++call->done;
      }
    }
    working_ = false;
    changed_.notify_all();
  }

  // The next batch; where that throws, the first of those that wait has items left.
  std::vector<Item> take(Places& places) {
    std::vector<Item> batch;
    while (batch.size() < most_ && !waiting_.empty()) {
      Call& call = *waiting_.front();
      places.emplace_back(&call, call.taken);
      batch.push_back(std::move(call.items[call.taken]));
      if (++call.taken == call.items.size()) waiting_.pop_front();
    }
    return batch;
  }

  std::size_t most_;
  Work work_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Call*> waiting_;  // with items that nobody has taken
  bool working_ = false;
};

}  // namespace hinny
