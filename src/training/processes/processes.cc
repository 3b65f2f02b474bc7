#include "training/processes/processes.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "nn/shards.h"

#ifdef HINNY_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "base/interrupt.h"
#include "training/processes/heartbeat.h"
#include "training/processes/rendezvous.h"
#endif

namespace hinny {

#ifndef HINNY_GLOO

std::unique_ptr<Processes> join(const Launch&) {
  throw InputError("this build of Hinny trains in one process",
                   "one that was made where libgloo-dev is installed; or --processes 1");
}

#else

namespace {

constexpr auto kQuiet = std::chrono::seconds(5);     // of waiting, before a word of it
constexpr auto kForASum = std::chrono::minutes(60);  // whoever is gone, Heartbeat tells sooner

std::string name_of(const Launch& launch) {
  return fmt::format("process {} of {}", launch.rank, launch.size);
}

// c10d adds its stack.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

// What c10d throws, in our words.
template <typename Call>
auto asking_others(const Call& call) {
  try {
    return call();
  } catch (const std::exception& error) {
    throw Failure(fmt::format(
        "another process of this training is gone ({}); the last checkpoint is whole, and the same "
        "command with --resume goes on",
        first_line(error)));
  }
}

// This machine's address on the way to process 0.
std::string own_address(const std::string& host, std::uint16_t port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
    throw InputError(fmt::format("MASTER_ADDR '{}' is not known here", host),
                     "the name or address of the machine of process 0");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    const int socket = ::socket(address->ai_family, SOCK_DGRAM, 0);
    if (socket < 0) continue;
    sockaddr_storage own{};
    socklen_t size = sizeof own;
    char text[NI_MAXHOST] = "";
    const bool ok = ::connect(socket, address->ai_addr, address->ai_addrlen) == 0 &&
                    ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) == 0 &&
                    ::getnameinfo(reinterpret_cast<sockaddr*>(&own), size, text, sizeof text,
                                  nullptr, 0, NI_NUMERICHOST) == 0;
    ::close(socket);
    if (ok) return text;
  }
  throw Failure(fmt::format("no way from this machine to MASTER_ADDR '{}'", host));
}

// wait() of it hears no Ctrl-C: for what comes before the first batch, when a process may be long
// in coming. Afterwards Ctrl-C is shared with the gradients.
bool wait_audibly(c10d::Work& work, const std::string& who, const std::string& what) {
  WaitNotes notes(who, kQuiet, std::chrono::seconds(0));
  auto pause = std::chrono::microseconds(100);
  while (!work.isCompleted()) {
    if (interrupted()) end_interrupted(who, what);
    notes.look(what);
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20'000));
  }
  return work.wait();
}

class GlooProcesses : public Processes {
 public:
  GlooProcesses(const Launch& launch, WaitedFor& waited_for)
      : launch_(launch), store_(come_together(launch, waited_for)) {
    waited_for.set("the other processes to connect");
    rows_ = make("rows");
    sums_ = make("sums");
    heartbeat_ = std::make_unique<Heartbeat>(launch);
  }

  int rank() const override { return launch_.rank; }
  int size() const override { return launch_.size; }

  torch::Tensor gather(const torch::Tensor& part, std::int64_t rows) override {
    const std::int64_t most = (rows + size() - 1) / size();  // Gloo wants parts of one size
    std::vector<std::int64_t> sizes = part.sizes().vec();
    sizes.at(0) = most;
    torch::Tensor own = part;
    if (part.size(0) != most) {
      own = at::zeros(sizes, part.options());
      own.narrow(0, 0, part.size(0)).copy_(part);
    }
    std::vector<torch::Tensor> mine = {own};
    sizes.at(0) = most * size();
    torch::Tensor all = at::empty(sizes, part.options());
    std::vector<std::vector<torch::Tensor>> parts = {all.split(most)};
    exchanged_ += all.nbytes();
    asking_others([&] { return rows_->allgather(parts, mine)->wait(); });
    if (most * size() == rows) return all;
    sizes.at(0) = rows;
    torch::Tensor packed = at::empty(sizes, part.options());
    for (int other = 0; other < size(); ++other) {
      const Shard shard = shard_of(rows, *this, other);
      shard.of(packed).copy_(parts[0][static_cast<std::size_t>(other)].narrow(0, 0, shard.count));
    }
    return packed;
  }

  void sum(const torch::Tensor& values) override {
    exchanged_ += values.nbytes();
    std::vector<torch::Tensor> tensors = {values};
    asking_others([&] { return rows_->allreduce(tensors)->wait(); });
  }
  void largest(const torch::Tensor& values) override {
    std::vector<torch::Tensor> tensors = {values};
    c10d::AllreduceOptions options;
    options.reduceOp = c10d::ReduceOp::MAX;
    exchanged_ += values.nbytes();
    asking_others([&] {
      return wait_for(*rows_->allreduce(tensors, options), "all other processes to be ready");
    });
  }

  void broadcast(const torch::Tensor& values) override {
    if (values.numel() == 0) return;
    std::vector<torch::Tensor> tensors = {values};
    asking_others([&] {
      return wait_for(*rows_->broadcast(tensors),
                      first() ? "the others to take what it has" : "process 0 to be ready");
    });
  }

  std::function<void()> start_sum(const torch::Tensor& values) override {
    trains_ = true;
    exchanged_ += values.nbytes();
    std::vector<torch::Tensor> tensors = {values};
    auto work = asking_others([&] { return sums_->allreduce(tensors); });
    return [work, tensors] { asking_others([&] { return work->wait(); }); };
  }

  void leave() override { heartbeat_->leave(); }
  std::uint64_t exchanged() const override { return exchanged_; }

 private:
  // Ctrl-C comes with the gradients, once there are some.
  bool wait_for(c10d::Work& work, const std::string& what) const {
    return trains_ ? work.wait() : wait_audibly(work, name_of(launch_), what);
  }

  c10::intrusive_ptr<c10d::ProcessGroupGloo> make(const std::string& name) {
    auto options = c10d::ProcessGroupGloo::Options::create(kForASum);
    const auto wish = process_environment()("GLOO_SOCKET_IFNAME");  // as PyTorch has it
    options->devices.push_back(wish ? c10d::ProcessGroupGloo::createDeviceForInterface(*wish)
                                    : c10d::ProcessGroupGloo::createDeviceForHostname(
                                          own_address(launch_.host, launch_.port)));
    options->threads = 1;
    return asking_others([&] {
      return c10::make_intrusive<c10d::ProcessGroupGloo>(
          c10::make_intrusive<c10d::PrefixStore>(name, store_), launch_.rank, launch_.size,
          options);
    });
  }

  Launch launch_;
  c10::intrusive_ptr<c10d::TCPStore> store_;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> rows_, sums_;  // two: each keeps an order of its own
  std::unique_ptr<Heartbeat> heartbeat_;
  std::uint64_t exchanged_ = 0;
  bool trains_ = false;  // the first batch has come
};

}  // namespace

std::unique_ptr<Processes> join(const Launch& launch) {
  std::unique_ptr<Processes> joined;
  work_patiently(name_of(launch), kForAllToCome, [&](WaitedFor& waited_for) {
    joined = std::make_unique<GlooProcesses>(launch, waited_for);
  });
  return joined;
}

#endif

std::string shared_text(Processes& processes, const std::string& text) {
  const torch::Tensor size = at::tensor({static_cast<std::int64_t>(text.size())});
  processes.broadcast(size);
  const torch::Tensor bytes = at::empty({size.item<std::int64_t>()}, at::kByte);
  if (processes.first()) std::memcpy(bytes.data_ptr(), text.data(), text.size());
  processes.broadcast(bytes);
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<std::size_t>(bytes.numel())};
}

TensorFile share_tensors(Processes& processes, const TensorFile& tensors) {
  nlohmann::json outline = {{"metadata", tensors.metadata}, {"tensors", nlohmann::json::array()}};
  for (const auto& [name, tensor] : tensors.tensors) {
    outline["tensors"].push_back({name, tensor.scalar_type() == at::kLong, tensor.sizes().vec()});
  }
  outline = nlohmann::json::parse(shared_text(processes, outline.dump()));
  TensorFile shared;
  shared.metadata = outline["metadata"];
  for (const auto& entry : outline["tensors"]) {
    const std::string name = entry[0];
    const auto type = entry[1].get<bool>() ? at::kLong : at::kFloat;
    torch::Tensor& tensor = shared.tensors[name];
    tensor = processes.first() ? tensors.tensors.at(name).contiguous()
                               : at::empty(entry[2].get<std::vector<std::int64_t>>(), type);
    processes.broadcast(tensor);
  }
  return shared;
}

void check_same(Processes& processes, const std::string& what, const std::string& text) {
  const std::string wanted = shared_text(processes, text);
  const torch::Tensor differs = at::tensor({std::int64_t{text != wanted ? 1 : 0}});
  processes.largest(differs);
  if (differs.item<std::int64_t>() == 0) return;
  throw InputError(fmt::format("the processes of this training do not have the same {}", what),
                   "one command, and the same files, for all of them");
}

}  // namespace hinny
