#include "base/processor.h"

#include <cstdlib>
#include <string_view>

namespace hinny {

Processor most_used() {
  static const Processor most = [] {
    const char* given = std::getenv("HINNY_PROCESSOR");
    const std::string_view wish = given == nullptr ? "" : given;
    return wish == "portable"  ? Processor::portable
           : wish == "avx2"    ? Processor::avx2
           : wish == "avxvnni" ? Processor::avxvnni
                               : Processor::avx512;
  }();
  return most;
}

}  // namespace hinny
