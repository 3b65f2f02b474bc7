#include "training/adam.h"

#include <ATen/Parallel.h>
#include <ATen/ops/zeros_like.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "training/tensor_file.h"

namespace hinny {
namespace {

// `role`: of the parameter `name`, if it has one.
const ParameterGroup& group_of(const std::vector<ParameterGroup>& groups, const std::string& name,
                               const TensorRole* role) {
  for (const ParameterGroup& group : groups) {
    if (group.parts.empty()) return group;
    if (role != nullptr && std::ranges::find(group.parts, role->part) != group.parts.end()) {
      return group;
    }
  }
  throw Failure("parameter " + name + " is in no group");
}

}  // namespace

Adam::Adam(const torch::nn::Module& model, const std::vector<ParameterGroup>& groups,
           const AdamOptions& options)
    : options_(options) {
  const std::map<std::string, TensorRole> roles = roles_of(model);
  for (const auto& named : model.named_parameters()) {
    if (!named.value().requires_grad()) continue;
    const auto role = roles.find(named.key());
    const ParameterGroup& group =
        group_of(groups, named.key(), role == roles.end() ? nullptr : &role->second);
    // Vectors (biases, normalisation, the temperature) do not decay, as is usual.
    const double decay = named.value().dim() > 1 ? options.weight_decay * group.decay : 0.0;
    items_.push_back({named.key(), named.value(), at::zeros_like(named.value()),
                      at::zeros_like(named.value()), group.rate, decay});
  }
}

void Adam::zero_gradients() {
  for (Item& item : items_) item.parameter.mutable_grad().reset();
}

double Adam::clip(double norm) {
  const torch::NoGradGuard no_gradient;
  double square = 0;
  for (const Item& item : items_) {
    const torch::Tensor gradient = item.parameter.grad();
    if (gradient.defined()) square += std::pow(gradient.norm().item<double>(), 2);
  }
  const double length = std::sqrt(square);
  if (length > norm) {
    for (Item& item : items_) {
      if (item.parameter.grad().defined()) item.parameter.mutable_grad().mul_(norm / length);
    }
  }
  return length;
}

void Adam::step(double learning_rate) {
  const torch::NoGradGuard no_gradient;
  ++steps_;
  for (Item& item : items_) {
    if (!item.parameter.grad().defined()) continue;
    const bool plain = item.parameter.is_cpu() && item.parameter.scalar_type() == at::kFloat &&
                       item.parameter.is_contiguous() && item.parameter.grad().is_contiguous();
    if (plain) {
      update_on_cpu(item, learning_rate);
    } else {
      update(item, learning_rate);
    }
  }
}

void Adam::update(Item& item, double learning_rate) const {
  const double rate = learning_rate * item.rate;
  torch::Tensor gradient = item.parameter.grad();
  if (options_.decoupled) {
    item.parameter.mul_(1.0 - rate * item.decay);
  } else if (item.decay > 0) {
    gradient = gradient + item.decay * item.parameter;
  }
  const double correction1 = 1.0 - std::pow(options_.beta1, static_cast<double>(steps_));
  const double correction2 = 1.0 - std::pow(options_.beta2, static_cast<double>(steps_));
  item.mean.mul_(options_.beta1).add_(gradient, 1.0 - options_.beta1);
  item.variance.mul_(options_.beta2).addcmul_(gradient, gradient, 1.0 - options_.beta2);
  const torch::Tensor root = (item.variance / correction2).sqrt_().add_(options_.epsilon);
  item.parameter.addcdiv_(item.mean, root, -rate / correction1);
}

void Adam::update_on_cpu(Item& item, double learning_rate) const {
  const auto rate = static_cast<float>(learning_rate * item.rate);
  const auto decay = static_cast<float>(item.decay);
  const auto beta1 = static_cast<float>(options_.beta1);
  const auto beta2 = static_cast<float>(options_.beta2);
  const auto epsilon = static_cast<float>(options_.epsilon);
  const auto step = static_cast<double>(steps_);
  const auto size1 = static_cast<float>(1.0 / (1.0 - std::pow(options_.beta1, step)));
  const auto size2 = static_cast<float>(1.0 / (1.0 - std::pow(options_.beta2, step)));
  const bool decoupled = options_.decoupled;
  auto* parameter = item.parameter.data_ptr<float>();
  const auto* gradient = item.parameter.grad().data_ptr<float>();
  auto* mean = item.mean.data_ptr<float>();
  auto* variance = item.variance.data_ptr<float>();

  constexpr std::int64_t kGrain = 1 << 15;
  at::parallel_for(0, item.parameter.numel(), kGrain, [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      float g = gradient[i];
      float p = parameter[i];
      if (decoupled) {
        p -= rate * decay * p;
      } else {
        g += decay * p;
      }
      const float m = beta1 * mean[i] + (1.0F - beta1) * g;
      const float v = beta2 * variance[i] + (1.0F - beta2) * g * g;
      mean[i] = m;
      variance[i] = v;
      parameter[i] = p - rate * size1 * m / (std::sqrt(v * size2) + epsilon);
    }
  });
}

void Adam::reset() {
  for (Item& item : items_) {
    item.mean = at::zeros_like(item.parameter);  // it may have another size now
    item.variance = at::zeros_like(item.parameter);
  }
  steps_ = 0;
}

std::map<std::string, torch::Tensor> Adam::state() const {
  std::map<std::string, torch::Tensor> state;
  for (const Item& item : items_) {
    state["adam.m." + item.name] = item.mean;
    state["adam.v." + item.name] = item.variance;
  }
  return state;
}

void Adam::load(const std::map<std::string, torch::Tensor>& state, std::int64_t steps) {
  for (Item& item : items_) {
    restore_tensor(state, "adam.m." + item.name, item.mean);
    restore_tensor(state, "adam.v." + item.name, item.variance);
  }
  steps_ = steps;
}

}  // namespace hinny
