#include "nn/shards.h"

#include <torch/csrc/autograd/custom_function.h>

namespace hinny {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

thread_local ProcessGroup* sharing_with = nullptr;

constexpr const char* kGroup = "group";

struct Gather : torch::autograd::Function<Gather> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& part,
                               std::int64_t rows, ProcessGroup* group) {
    store_group(context, group);
    return group->gather(part.contiguous(), rows);
  }
  // Every process has the N-th part of the same gradient, so that none needs the others'.
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    ProcessGroup& group = stored_group(context);
    const Shard shard = shard_of(gradients[0].size(0), group);
    return {shard.of(gradients[0]) * group.size(), {}, {}};
  }
};

struct UsedInShards : torch::autograd::Function<UsedInShards> {
  static torch::Tensor forward(AutogradContext* context, const torch::Tensor& rows,
                               ProcessGroup* group) {
    store_group(context, group);
    return rows.view_as(rows);
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    ProcessGroup& group = stored_group(context);
    const torch::Tensor sum = gradients[0].clone(at::MemoryFormat::Contiguous);
    group.sum(sum);
    return {sum / group.size(), {}};
  }
};

}  // namespace

void store_group(AutogradContext* context, ProcessGroup* group) {
  context->saved_data[kGroup] = reinterpret_cast<std::int64_t>(group);
}

ProcessGroup& stored_group(AutogradContext* context) {
  return *reinterpret_cast<ProcessGroup*>(context->saved_data[kGroup].toInt());
}

Shard shard_of(std::int64_t rows, ProcessGroup& group, int rank) {
  const std::int64_t size = group.size(), first = rows * rank / size;
  return {first, rows * (rank + 1) / size - first, rows, &group};
}

InGroup::InGroup(ProcessGroup* group) : before_(sharing_with) { sharing_with = group; }
InGroup::~InGroup() { sharing_with = before_; }

torch::Tensor in_shards(std::int64_t rows,
                        const std::function<torch::Tensor(const Shard&)>& compute) {
  ProcessGroup* group = sharing_with;
  if (group == nullptr || rows < group->size()) return compute(all_rows(rows));
  return Gather::apply(compute(shard_of(rows, *group)), rows, group);
}

torch::Tensor used_in_shards(const torch::Tensor& rows) {
  return sharing_with == nullptr ? rows : UsedInShards::apply(rows, sharing_with);
}

}  // namespace hinny
