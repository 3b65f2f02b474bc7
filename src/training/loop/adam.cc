#include "training/loop/adam.h"

#include <ATen/ops/zeros_like.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernels/adam.h"
#include "training/experiment/tensor_file.h"

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

bool on_cpu(const torch::Tensor& tensor) {
  return tensor.is_cpu() && tensor.scalar_type() == at::kFloat && tensor.is_contiguous();
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

double Adam::norm_of_gradients() const {
  double square = 0;
  torch::Tensor elsewhere;  // read once: a GPU is waited for each time
  for (const Item& item : items_) {
    const torch::Tensor gradient = item.parameter.grad();
    if (!gradient.defined()) continue;
    if (on_cpu(gradient)) {
      square +=
          sum_of_squares({gradient.data_ptr<float>(), static_cast<std::size_t>(gradient.numel())});
    } else {
      const torch::Tensor norm = gradient.norm().to(at::kDouble).square();
      elsewhere = elsewhere.defined() ? elsewhere + norm : norm;
    }
  }
  if (elsewhere.defined()) square += elsewhere.item<double>();
  return std::sqrt(square);
}

void Adam::step(double learning_rate, double most) {
  const torch::NoGradGuard no_gradient;
  ++steps_;
  const double norm = most > 0 ? norm_of_gradients() : 0;
  const double factor = norm > most ? most / norm : 1;
  for (Item& item : items_) {
    if (!item.parameter.grad().defined()) continue;
    if (on_cpu(item.parameter) && on_cpu(item.parameter.grad())) {
      update_on_cpu(item, learning_rate, factor);
    } else {
      update(item, learning_rate, factor);
    }
  }
}

void Adam::update(Item& item, double learning_rate, double factor) const {
  const double rate = learning_rate * item.rate;
  torch::Tensor gradient = item.parameter.grad();
  if (factor != 1) gradient = gradient * factor;
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

void Adam::update_on_cpu(Item& item, double learning_rate, double factor) const {
  const auto make_up = [&](double beta) {
    return static_cast<float>(1.0 / (1.0 - std::pow(beta, static_cast<double>(steps_))));
  };
  AdamStep step;
  step.rate = static_cast<float>(learning_rate * item.rate);
  step.decay = static_cast<float>(item.decay);
  step.decoupled = options_.decoupled;
  step.beta1 = static_cast<float>(options_.beta1);
  step.beta2 = static_cast<float>(options_.beta2);
  step.epsilon = static_cast<float>(options_.epsilon);
  step.size1 = make_up(options_.beta1);
  step.size2 = make_up(options_.beta2);
  step.factor = static_cast<float>(factor);
  adam_step(step, static_cast<std::size_t>(item.parameter.numel()),
            item.parameter.grad().data_ptr<float>(), item.parameter.data_ptr<float>(),
            item.mean.data_ptr<float>(), item.variance.data_ptr<float>());
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
