// How large a system is.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "systems/retrieval_system.h"

namespace hinny {

struct ParameterCounts {
  std::int64_t train = 0;   // numbers that training changes
  std::int64_t search = 0;  // numbers that a query needs: the text side
  // The trained ones by what they are (counted_as in model/tensor_role.h).
  std::map<std::string, std::int64_t> parts;

  bool operator==(const ParameterCounts&) const = default;
};

// Throws Failure for a parameter whose role nobody said.
ParameterCounts count_parameters(const RetrievalSystem& system);

}  // namespace hinny
