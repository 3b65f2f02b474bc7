#include "vision/tiff_notes.h"

#include <algorithm>

namespace hinny {
namespace {

constexpr std::size_t kMostEntries = 4096, kMostTime = 64, kMostXmp = std::size_t{1} << 24U;
constexpr std::uint64_t kXmp = 700, kWritten = 306, kExif = 34665, kOriginal = 36867,
                        kDigitized = 36868;

class Directories {
 public:
  Directories(const NoteBytes& file, PictureNotes& notes) : file_(file), notes_(notes) {}

  void read() {
    const std::string head = file_.at(0, 16);
    if (head.size() < 16) return;  // no directory fits into less
    big_ = head.starts_with("MM");
    if (!big_ && !head.starts_with("II")) return;
    const std::uint64_t version = NoteBytes::number_in(head.substr(2), 2, big_);
    wide_ = version == 43;
    if (version != 42 && !wide_) return;
    const std::size_t size = wide_ ? 8 : 4;
    directory(NoteBytes::number_in(head.substr(size), size, big_), true);
  }

 private:
  void directory(std::uint64_t at, bool first) {
    const std::size_t entry = wide_ ? 20 : 12, count_size = wide_ ? 8 : 2;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(file_.number(at, count_size, big_), kMostEntries));
    if (at == 0 || count == 0) return;
    const std::string entries = file_.at(at + count_size, count * entry);
    std::uint64_t below = 0;
    for (std::size_t i = 0; i + entry <= entries.size(); i += entry) {
      const std::string_view one = std::string_view(entries).substr(i, entry);
      switch (NoteBytes::number_in(one, 2, big_)) {
        case kOriginal:  // in the first directory, too: TIFF/EP
          keep(notes_.original, one, kMostTime);
          break;
        case kDigitized:
          keep(notes_.digitized, one, kMostTime);
          break;
        case kWritten:
          if (first) keep(notes_.written, one, kMostTime);
          break;
        case kXmp:
          if (first) keep(notes_.xmp, one, kMostXmp);
          break;
        case kExif:
          below = NoteBytes::number_in(one.substr(wide_ ? 12 : 8), wide_ ? 8 : 4, big_);
          break;
        default:
          break;
      }
    }
    if (first && below != 0) directory(below, false);
  }

  // A value of single bytes, whatever it says they are.
  void keep(std::string& text, std::string_view entry, std::size_t most) const {
    const std::size_t size = wide_ ? 8 : 4;
    const auto count = static_cast<std::size_t>(
        std::min<std::uint64_t>(NoteBytes::number_in(entry.substr(4), size, big_), most));
    const std::string_view value = entry.substr(4 + size);
    std::string read = count <= size ? std::string(value.substr(0, count))
                                     : file_.at(NoteBytes::number_in(value, size, big_), count);
    if (text.empty()) text = std::move(read);
  }

  const NoteBytes& file_;
  PictureNotes& notes_;
  bool big_ = false, wide_ = false;
};

}  // namespace

void read_tiff_notes(const NoteBytes& file, PictureNotes& notes) {
  Directories(file, notes).read();
}

}  // namespace hinny
