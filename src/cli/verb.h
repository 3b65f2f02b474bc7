// One verb of the command line. Each lives in one file of cli/light, cli/vision or cli/learn and
// registers itself there; adding a verb touches that file and the list in dispatch.cc.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>

namespace hinny {

struct Verb {
  std::string name;
  // Adds options to `command`; the returned function does the work after parsing and returns the
  // exit code. Results go to stdout, everything else to stderr. Errors are thrown (base/error.h).
  std::function<std::function<int()>(CLI::App& command)> declare;
};

// At namespace scope of a verb's file: `const RegisterVerb draw_verb{"draw", declare_draw};`. Names
// in unnamed namespaces bear the verb's, as its neighbours are compiled with it
// (cmake/quick.cmake).
struct RegisterVerb {
  RegisterVerb(const std::string& name, std::function<std::function<int()>(CLI::App&)> declare);
};

}  // namespace hinny
