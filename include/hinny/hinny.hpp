// All of Hinny's C++ interface.
#pragma once

#include "hinny/collection.h"  // IWYU pragma: export
#include "hinny/error.h"       // IWYU pragma: export
#include "hinny/model.h"       // IWYU pragma: export
#include "hinny/recall.h"      // IWYU pragma: export
#include "hinny/version.h"     // IWYU pragma: export
