// Which Hinny this is.
#pragma once

#include "hinny/export.h"

namespace hinny {
inline namespace v1 {

// "0.2.0", of the library that is running.
HINNY_API const char* version();

}  // namespace v1
}  // namespace hinny
