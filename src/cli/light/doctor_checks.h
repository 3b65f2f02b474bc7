// What `hinny doctor` looks at. Each check reads the machine, changes nothing and never throws.
#pragma once

#include <string>
#include <vector>

namespace hinny {

enum class Mark { kOk, kWarn, kFail };

struct Check {
  Mark mark = Mark::kOk;
  std::string name;  // one word: "blas"
  std::string what;  // what was found and, unless ok, what to do about it
};

Check check_cpu();
Check check_memory();
Check check_disk();
Check check_blas();
Check check_threads();
Check check_programs();
Check check_decoders();  // whether they are confined
Check check_networks();  // what this build runs networks in
// What hinny-learn finds: matrix products, libtorch. Empty where there is none.
std::vector<Check> checks_by_learn();

}  // namespace hinny
