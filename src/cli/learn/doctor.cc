// hinny-learn doctor: what `hinny doctor` asks of the program that trains, a line per check: mark,
// name and finding with tabs between.
#include <fmt/format.h>
#include <torch/version.h>

#include "cli/verb.h"
#include "kernels/gemm.h"
#include "kernels/gemm_speed.h"

namespace hinny {
namespace {

std::function<int()> declare_doctor(CLI::App&) {
  return [] {
    const double single = gemm_gflops<float>(), half = gemm_gflops<BFloat16>();
    fmt::print("ok\tproducts\t{}; fp32 {:.0f}, bf16 {:.0f} GFLOP/s a core{}\n", gemm_backend_name(),
               single, half,
               half < single ? ": precision = \"bf16\" gains nothing on this processor" : "");
    fmt::print("ok\tlibtorch\t{}\n", TORCH_VERSION);
    return 0;
  };
}

const RegisterVerb doctor_verb{"doctor", declare_doctor};

}  // namespace
}  // namespace hinny
