// How verbs print JSON.
#pragma once

#include <cstdio>

#include "base/terminal_text.h"

namespace hinny {

// On one line, or with `indent` on several. Bytes that are no UTF-8 are replaced, never thrown at:
// names of files may be any. What a terminal would obey is escaped (base/terminal_text.h).
template <typename Json>
void put_json(const Json& json, int indent = -1) {
  print_lines(stdout, json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace hinny
