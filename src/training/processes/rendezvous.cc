#include "training/processes/rendezvous.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <netdb.h>

#include <string>
#include <thread>
#include <vector>

#include "base/error.h"

namespace hinny {
namespace {

// Later versions of libtorch ask for libuv unless told otherwise, which Debian builds them without.
template <typename Options>
void without_libuv(Options& options) {
  if constexpr (requires { options.useLibUV; }) options.useLibUV = false;
}

using Clock = std::chrono::steady_clock;

constexpr auto kPause = std::chrono::milliseconds(50);
constexpr const char* kSizeKey = "size";
constexpr const char* kAll = "all";

std::string key_of(int rank) { return "here/" + std::to_string(rank); }

class Rendezvous {
 public:
  Rendezvous(const Launch& launch, WaitedFor& waited_for)
      : launch_(launch),
        waited_for_(waited_for),
        place_(fmt::format("at {} port {} (MASTER_ADDR, MASTER_PORT)", launch.host, launch.port)) {}

  c10::intrusive_ptr<c10d::TCPStore> store() {
    wait_for_name();
    waited_for_.set(launch_.rank == 0 ? "its own store " + place_ : "process 0 " + place_);
    open();
    if (launch_.rank == 0) store_->set(kSizeKey, bytes(std::to_string(launch_.size)));
    wait_until([&] { return store_->check({kSizeKey}); });
    check_size();
    if (store_->add(key_of(launch_.rank), 1) > 1) {
      throw InputError(fmt::format("two processes say that they are process {}", launch_.rank),
                       "each of RANK 0, 1 and so on once");
    }
    wait_until([&] { return none_is_missing(); });
    if (launch_.rank == 0) store_->set(kAll, bytes("1"));
    wait_until([&] { return store_->check({kAll}); });
    store_->setTimeout(kForAllToCome);
    return store_;
  }

 private:
  static std::vector<std::uint8_t> bytes(const std::string& text) {
    return {text.begin(), text.end()};
  }

  std::chrono::milliseconds left() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(begin_ + kForAllToCome -
                                                                 Clock::now());
  }

  [[noreturn]] void give_up(const std::string& why) const {
    throw Failure(fmt::format(
        "process {} of {} waited for {} {} s in vain{}: all are to be started at the same time (by "
        "srun, for one); --processes 1 trains alone",
        launch_.rank, launch_.size, waited_for_.text(),
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count(), why));
  }

  template <typename Done>
  void wait_until(const Done& done) {
    while (!done()) {
      if (left().count() <= 0) give_up("");
      std::this_thread::sleep_for(kPause);
    }
  }

  // A machine that is being started may not be known yet.
  void wait_for_name() {
    waited_for_.set(fmt::format("the name '{}' (MASTER_ADDR) to be known here", launch_.host));
    const addrinfo hints{0, AF_UNSPEC, SOCK_STREAM, 0, 0, nullptr, nullptr, nullptr};
    addrinfo* found = nullptr;
    while (::getaddrinfo(launch_.host.c_str(), nullptr, &hints, &found) != 0) {
      if (left().count() <= 0) {
        throw InputError(fmt::format("MASTER_ADDR '{}' is not known here", launch_.host),
                         "the name or address of the machine of process 0");
      }
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
    ::freeaddrinfo(found);
  }

  void open() {
    c10d::TCPStoreOptions options = store_options(launch_);
    options.isServer = launch_.rank == 0;
    options.numWorkers = static_cast<std::size_t>(launch_.size);
    options.timeout = std::max(left(), std::chrono::milliseconds(1000));
    try {
      store_ = c10::make_intrusive<c10d::TCPStore>(launch_.host, options);
    } catch (const std::exception& error) {
      const std::string text = error.what();
      give_up(fmt::format(" ({})", text.substr(0, text.find('\n'))));
    }
  }

  void check_size() {
    const std::vector<std::uint8_t> size = store_->get(kSizeKey);
    const std::string first(size.begin(), size.end());
    if (first == std::to_string(launch_.size)) return;
    throw InputError(fmt::format("process {} is one of {}, and process 0 of {}", launch_.rank,
                                 launch_.size, first),
                     "the same WORLD_SIZE for all");
  }

  bool none_is_missing() {
    std::vector<int> missing;
    for (int rank = 0; rank < launch_.size; ++rank) {
      if (!store_->check({key_of(rank)})) missing.push_back(rank);
    }
    waited_for_.set(fmt::format("process{} {} of {} {}", missing.size() == 1 ? "" : "es",
                                fmt::join(missing, ", "), launch_.size, place_));
    return missing.empty();
  }

  const Launch& launch_;
  WaitedFor& waited_for_;
  std::string place_;
  Clock::time_point begin_ = Clock::now();
  c10::intrusive_ptr<c10d::TCPStore> store_;
};

}  // namespace

c10d::TCPStoreOptions store_options(const Launch& launch) {
  c10d::TCPStoreOptions options;
  options.port = launch.port;
  options.waitWorkers = false;  // the store's own has no limit that holds in libtorch 1.13
  without_libuv(options);
  return options;
}

c10::intrusive_ptr<c10d::TCPStore> come_together(const Launch& launch, WaitedFor& waited_for) {
  return Rendezvous(launch, waited_for).store();
}

}  // namespace hinny
