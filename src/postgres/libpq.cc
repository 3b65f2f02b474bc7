#include "postgres/libpq.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "base/error.h"

namespace hinny {
namespace {

constexpr const char* kLibrary = "libpq.so.5";

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw Failure(fmt::format("{} has no {}", kLibrary, name));
}

Libpq load() {
  void* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw InputError(fmt::format("PostgreSQL's client library cannot be loaded: {}", ::dlerror()),
                     "the package libpq5");
  }
  Libpq functions;
#define X(name) find(library, "PQ" #name, functions.name);
  HINNY_LIBPQ_FUNCTIONS(X)
#undef X
  return functions;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq functions = load();
  return functions;
}

}  // namespace hinny
