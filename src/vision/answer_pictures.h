// What hinny-picture does (picture_stream.h).
#pragma once

namespace hinny {

// Confines this process, then answers until the other side is gone. Returns the exit code.
int answer_pictures();

}  // namespace hinny
