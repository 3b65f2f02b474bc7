#include "training/experiment/parameter_counts.h"

#include "base/error.h"

namespace hinny {

ParameterCounts count_parameters(const RetrievalSystem& system) {
  const std::map<std::string, TensorRole> roles = roles_of(system);
  ParameterCounts counts;
  for (const auto& item : system.named_parameters()) {
    const auto role = roles.find(item.key());
    if (role == roles.end()) throw Failure("parameter " + item.key() + " has no role");
    if (item.value().requires_grad()) {
      counts.train += item.value().numel();
      counts.parts[std::string(counted_as(role->second.part))] += item.value().numel();
    }
    if (of_query(role->second)) counts.search += item.value().numel();
  }
  return counts;
}

}  // namespace hinny
