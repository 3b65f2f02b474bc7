#include "vision/heif_boxes.h"

#include <array>

namespace hinny {
namespace {

void append(std::vector<std::byte>& to, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) to.push_back(std::byte(value >> (8 * i) & 0xFFU));
}
void append(std::vector<std::byte>& to, std::span<const std::byte> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}
void append(std::vector<std::byte>& to, std::string_view type, std::span<const std::byte> content) {
  append(to, content.size() + 8, 4);
  append(to, std::as_bytes(std::span(type)));
  append(to, content);
}

std::uint64_t number(std::span<const std::byte> bytes, std::size_t at, std::size_t size) {
  const BoundedBytes numbers(bytes);
  return size == 2 ? numbers.big16(at) : numbers.big32(at);
}

// One line of references: from an item to others.
struct Owners {
  std::span<const std::byte> content;
  std::size_t id;  // bytes of one

  std::size_t count() const { return BoundedBytes(content).big16(id); }
  std::uint64_t owner(std::size_t i) const { return number(content, id + 2 + i * id, id); }
  std::vector<std::byte> only(std::uint64_t main) const {
    std::uint64_t kept = owner(0);
    for (std::size_t i = 0; i < count(); ++i) kept = owner(i) == main ? main : kept;
    std::vector<std::byte> one(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(id));
    append(one, 1, 2);
    append(one, kept, static_cast<int>(id));
    return one;
  }
};

std::vector<std::byte> with_single_owners(std::span<const std::byte> references, std::uint64_t main,
                                          bool& changed) {
  std::vector<std::byte> all(references.begin(), references.begin() + 4);
  const std::size_t id = references[0] == std::byte{0} ? 2 : 4;
  for_each_box(references.subspan(4), [&](std::string_view type, auto content, auto box) {
    const Owners owners{content, id};
    if ((type != "auxl" && type != "thmb") || owners.count() < 2) return append(all, box);
    changed = true;
    append(all, type, owners.only(main));
  });
  return all;
}

}  // namespace

std::span<const std::byte> without_trailer(std::span<const std::byte> file) {
  // Of these one may be longer than what is there of the file; another is no box then.
  constexpr std::array<std::string_view, 4> kLong = {"mdat", "meta", "moov", "idat"};
  const BoundedBytes bytes(file);
  for (std::size_t at = 0; at + 8 <= file.size();) {
    const std::string_view type(reinterpret_cast<const char*>(file.data()) + at + 4, 4);
    const bool letters = std::ranges::all_of(type, [](char c) { return c >= ' ' && c <= '~'; });
    std::uint64_t size = bytes.big32(at);
    if (size == 1 && at + 16 <= file.size()) {
      size = std::uint64_t{bytes.big32(at + 8)} << 32U | bytes.big32(at + 12);
    }
    if (size == 0 && letters) return file;  // the last one, up to the end
    const bool second = at > 0 && type == "ftyp";
    if (!letters || second || size < 8) return file.first(at);
    if (size > file.size() - at) {
      return std::ranges::find(kLong, type) != kLong.end() ? file : file.first(at);
    }
    at += static_cast<std::size_t>(size);
    if (file.size() - at < 8) return file.first(at);
  }
  return file;
}

bool has_box(std::span<const std::byte> file, std::string_view type) {
  bool found = false;
  for_each_box(file, [&](std::string_view one, auto, auto) { found = found || one == type; });
  return found;
}

// The new description stands behind the rest, so that no data move; the old one is made a free box.
std::vector<std::byte> with_single_owners(std::span<const std::byte> file) {
  std::span<const std::byte> meta, whole;
  for_each_box(file, [&](std::string_view type, auto content, auto box) {
    if (type == "meta") meta = content, whole = box;
  });
  if (meta.size() < 4) return {};
  std::uint64_t main = 0;
  for_each_box(meta.subspan(4), [&](std::string_view type, auto content, auto) {
    if (type != "pitm" || content.size() < 6) return;
    main = number(content, 4, content[0] == std::byte{0} || content.size() < 8 ? 2 : 4);
  });
  std::vector<std::byte> described(meta.begin(), meta.begin() + 4);
  bool changed = false;
  for_each_box(meta.subspan(4), [&](std::string_view type, auto content, auto box) {
    if (type != "iref" || content.size() < 4) return append(described, box);
    append(described, type, with_single_owners(content, main, changed));
  });
  if (!changed) return {};
  std::vector<std::byte> result(file.begin(), file.end());
  constexpr std::string_view kFree = "free";
  std::ranges::copy(std::as_bytes(std::span(kFree)),
                    result.begin() + (whole.data() - file.data()) + 4);
  append(result, "meta", described);
  return result;
}

}  // namespace hinny
