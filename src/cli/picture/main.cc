// hinny-picture: decodes pictures for hinny-vision, where it can do no harm. Nobody calls it.
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

#include "base/terminal_text.h"
#include "vision/answer_pictures.h"
#include "vision/picture_stream.h"

int main() {
  int type = 0;
  socklen_t size = sizeof type;
  if (::getsockopt(hinny::picture_stream::kSocket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
    hinny::print_line(
        stderr,
        "{} decodes pictures for `hinny index --pictures`, `hinny search` and `hinny serve`, "
        "which start it\n",
        hinny::picture_stream::kProgram);
    return 2;
  }
  ::_exit(hinny::answer_pictures());  // what pictures have left in memory is not gone through again
}
