#include "training/processes.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "nn/shards.h"

#ifdef HINNY_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "training/alive.h"
#endif

namespace hinny {

#ifndef HINNY_GLOO

std::unique_ptr<Processes> join(const Launch&) {
  throw InputError("this build of Hinny trains in one process",
                   "one that was made where libgloo-dev is installed; or --processes 1");
}

#else

namespace {

constexpr auto kForAllToCome = std::chrono::seconds(120);
constexpr auto kForASum = std::chrono::minutes(60);  // whoever is gone, Alive tells sooner

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

c10::intrusive_ptr<c10d::TCPStore> open_store(const Launch& launch) {
  c10d::TCPStoreOptions options;
  options.port = launch.port;
  options.isServer = launch.rank == 0;
  options.numWorkers = static_cast<std::size_t>(launch.size);
  options.waitWorkers = true;
  options.timeout = kForAllToCome;
  try {
    return c10::make_intrusive<c10d::TCPStore>(launch.host, options);
  } catch (const std::exception& error) {
    throw Failure(fmt::format(
        "process {} of {}: not all processes came together at {} port {} within {} s ({})",
        launch.rank, launch.size, launch.host, launch.port, kForAllToCome.count(),
        first_line(error)));
  }
}

class GlooProcesses : public Processes {
 public:
  explicit GlooProcesses(const Launch& launch)
      : launch_(launch), store_(open_store(launch)), rows_(make("rows")), sums_(make("sums")) {
    alive_ = std::make_unique<Alive>(launch);
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

  void sum(const torch::Tensor& values) override { reduce(values, c10d::ReduceOp::SUM); }
  void largest(const torch::Tensor& values) override { reduce(values, c10d::ReduceOp::MAX); }

  void broadcast(const torch::Tensor& values) override {
    if (values.numel() == 0) return;
    std::vector<torch::Tensor> tensors = {values};
    asking_others([&] { return rows_->broadcast(tensors)->wait(); });
  }

  std::function<void()> start_sum(const torch::Tensor& values) override {
    exchanged_ += values.nbytes();
    std::vector<torch::Tensor> tensors = {values};
    auto work = asking_others([&] { return sums_->allreduce(tensors); });
    return [work, tensors] { asking_others([&] { return work->wait(); }); };
  }

  void leave() override { alive_->leave(); }
  std::uint64_t exchanged() const override { return exchanged_; }

 private:
  void reduce(const torch::Tensor& values, c10d::ReduceOp operation) {
    exchanged_ += values.nbytes();
    std::vector<torch::Tensor> tensors = {values};
    c10d::AllreduceOptions options;
    options.reduceOp = operation;
    asking_others([&] { return rows_->allreduce(tensors, options)->wait(); });
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
  std::unique_ptr<Alive> alive_;
  std::uint64_t exchanged_ = 0;
};

}  // namespace

std::unique_ptr<Processes> join(const Launch& launch) {
  return std::make_unique<GlooProcesses>(launch);
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
