#include "vision/answer_pictures.h"

#include <libheif/heif.h>
#include <malloc.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <thread>

#include "base/confine.h"
#include "base/file_calls.h"
#include "base/request_error.h"
#include "vision/decode_here.h"
#include "vision/picture_stream.h"

namespace hinny {
namespace {

using picture_stream::Answer;
using picture_stream::Ask;
using picture_stream::kLong;
using picture_stream::kSocket;
using picture_stream::Request;
using picture_stream::Said;

constexpr int kAstray = 3;
struct GivenUp {};

// Pictures are decoded for minutes: whoever wanted one may be gone by then.
void end_with_the_other_side() {
  std::thread([] {
    pollfd other{kSocket, POLLRDHUP, 0};
    while (::poll(&other, 1, -1) < 0 && errno == EINTR) {
    }
    ::_exit(0);
  }).detach();
}

void say(const Answer& answer) {
  if (::send(kSocket, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) ::_exit(0);
}

// Memory stays for the next picture, up to some: the kernel's pages cost a third of decoding.
void keep_memory() {
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(picture_stream::kKept));
}

// The file of a request, closed when the answer is made.
class Given {
 public:
  ~Given() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Given() = default;
  Given(const Given&) = delete;
  Given& operator=(const Given&) = delete;

  int descriptor() const { return descriptor_; }
  // False when the other side is gone.
  bool receive(Request& request) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    iovec part{&request, sizeof request};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t count = -1;
    while ((count = ::recvmsg(kSocket, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
    }
    if (const cmsghdr* head = CMSG_FIRSTHDR(&message);
        count > 0 && head != nullptr && head->cmsg_type == SCM_RIGHTS) {
      std::memcpy(&descriptor_, CMSG_DATA(head), sizeof descriptor_);
    }
    return count == sizeof request;
  }

 private:
  int descriptor_ = -1;
};

std::uint64_t put(std::uint64_t at, std::string_view bytes) {
  if (!write_all_at(kLong, at, bytes)) throw std::bad_alloc();
  return at + bytes.size();
}

Answer text(Said said, std::string_view bytes) { return {.said = said, .bytes = put(0, bytes)}; }

void hold(std::uint64_t bytes, const std::function<void()>& work) {
  say({.said = Said::needs, .first = static_cast<std::int64_t>(bytes)});
  Request next;
  if (!Given().receive(next)) ::_exit(0);
  if (next.ask != Ask::go_on) throw GivenUp();
  work();
}

Answer decoded(const ByteSource& file, const Request& request) {
  Answer answer{.said = Said::picture};
  decode_here(
      file, {.shorter = request.shorter, .longer = request.longer}, hold,
      [&](Picture&& picture) {
        answer.first = picture.width;
        answer.second = picture.height;
        answer.bytes =
            put(0, {reinterpret_cast<const char*>(picture.pixels.data()), picture.pixels.size()});
        answer.bytes = put(answer.bytes, picture.warning);
      },
      request.at);
  return answer;
}

Answer answer_to(const Request& request, int descriptor) try {
  const DescriptorBytes file(descriptor);
  switch (request.ask) {
    case Ask::picture:
      return decoded(file, request);
    case Ask::scenes:
      return text(Said::scenes, picture_stream::scenes_text(scenes_here(file, request.most, hold)));
    case Ask::size: {
      const PictureSize size = size_here(file);
      return {.said = Said::size, .first = size.width, .second = size.height};
    }
    case Ask::notes:
      return text(Said::notes, picture_stream::notes_text(notes_here(file)));
    default:
      ::_exit(kAstray);
  }
} catch (const RequestError& error) {
  return text(Said::refused, error.what());
} catch (const CannotRead& error) {
  return {.said = Said::unreadable, .first = error.why()};
} catch (const std::bad_alloc&) {
  return {.said = Said::no_memory};
} catch (const GivenUp&) {
  return {.said = Said::gave_up};
}

}  // namespace

int answer_pictures() {
  limit_process({.memory = picture_stream::kMostMemory,
                 .file_bytes = picture_stream::kMostAnswer,
                 .ends_with_starter = false});
  keep_memory();
#if LIBHEIF_HAVE_VERSION(1, 13, 0)
  heif_init(nullptr);  // opens decoders that are files of their own
#endif
  confine_process(MayAlso::answer_again);
  end_with_the_other_side();
  say({.said = Said::ready, .first = picture_stream::kVersion});
  for (;;) {
    Given given;
    Request request;
    if (!given.receive(request)) return 0;
    say(answer_to(request, given.descriptor()));
  }
}

}  // namespace hinny
