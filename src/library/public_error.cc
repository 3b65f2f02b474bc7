// One home for what the errors are known by, so that they can be caught across the library's
// border.
#include "hinny/error.h"
#include "hinny/version.h"

namespace hinny {
inline namespace v1 {

Error::~Error() = default;
InputError::~InputError() = default;
NotFoundError::~NotFoundError() = default;
MachineError::~MachineError() = default;

const char* version() { return HINNY_VERSION; }

}  // namespace v1
}  // namespace hinny
