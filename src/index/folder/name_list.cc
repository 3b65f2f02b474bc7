#include "index/folder/name_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/safetensors.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kEndBytes = sizeof(std::uint64_t);
constexpr std::size_t kPlaceBytes = sizeof(std::uint32_t);
constexpr const char* kImageIds = "images";
constexpr const char* kFileNames = "files";
constexpr const char* kDigestNames = "digests";
constexpr const char* kImageOrder = "images.order";

std::string ends_name(const char* list) { return fmt::format("{}.ends", list); }

template <typename Number>
Number number_of(std::span<const std::byte> bytes) {
  Number number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

class NameFile : public std::enable_shared_from_this<NameFile> {
 public:
  NameFile(fs::path path, std::shared_ptr<const Checksums> checksums)
      : path_(std::move(path)),
        table_(SafetensorsFile::open(path_)),
        checksums_(std::move(checksums)) {
    if (!checksums_) return;
    const auto bytes = table_.file_bytes();
    checked_ = checksums_->checked(kNamesFile, bytes);
    checked_->check(bytes.first(std::min(bytes.size(), kChecksumBlock)));  // its header
  }

  NameTable table() const {
    const auto images = static_cast<std::int64_t>(table_.at(ends_name(kImageIds)).bytes.size() /
                                                  kEndBytes);  // the others must be as many
    return {list(kImageIds, images), list(kFileNames, images), list(kDigestNames, images),
            NameOrder(shared_from_this(), tensor(kImageOrder, TensorType::int32, images))};
  }

  std::span<const std::byte> checked(std::span<const std::byte> part) const {
    if (checked_) checked_->check(part);
    return part;
  }
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw InputError(path_, found, expected);
  }

 private:
  NameList list(const char* name, std::int64_t images) const {
    NameList names;
    names.file_ = shared_from_this();
    names.file_ends_ = tensor(ends_name(name), TensorType::int64, images);
    names.file_bytes_ = tensor(name, TensorType::uint8, table_.at(name).size());
    return names;
  }
  std::span<const std::byte> tensor(const std::string& name, TensorType type,
                                    std::int64_t size) const {
    const TensorView& view = table_.at(name);
    if (view.type == type && view.shape == std::vector{size}) return view.bytes;
    refuse(fmt::format("tensor '{}' is [{}]", name, fmt::join(view.shape, ", ")),
           fmt::format("{} bytes a number, [{}]", bytes_per_number(type), size));
  }

  fs::path path_;
  SafetensorsFile table_;
  std::shared_ptr<const Checksums> checksums_;  // that checked_ reads
  std::shared_ptr<const CheckedFile> checked_;
};

NameList::NameList(const std::vector<std::string>& names) {
  for (const std::string& name : names) push_back(name);
}

std::size_t NameList::size() const { return file_ ? file_ends_.size() / kEndBytes : ends_.size(); }

std::string_view NameList::operator[](std::size_t image) const {
  if (!file_) {
    const std::uint64_t begin = image == 0 ? 0 : ends_[image - 1];
    return {bytes_.data() + begin, static_cast<std::size_t>(ends_[image] - begin)};
  }
  const auto end_of = [&](std::size_t i) {
    return number_of<std::uint64_t>(file_->checked(file_ends_.subspan(i * kEndBytes, kEndBytes)));
  };
  const std::uint64_t begin = image == 0 ? 0 : end_of(image - 1);
  const std::uint64_t end = end_of(image);
  if (begin > end || end > file_bytes_.size()) {
    file_->refuse(fmt::format("image {} has a name from byte {} to {}", image, begin, end),
                  fmt::format("names one behind the other in {} bytes", file_bytes_.size()));
  }
  const auto name = file_->checked(file_bytes_.subspan(begin, end - begin));
  return {reinterpret_cast<const char*>(name.data()), name.size()};
}

std::vector<std::string> NameList::strings() const {
  std::vector<std::string> names;
  names.reserve(size());
  for (std::size_t i = 0; i < size(); ++i) names.emplace_back((*this)[i]);
  return names;
}

bool NameList::operator==(const NameList& other) const {
  if (size() != other.size()) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    if ((*this)[i] != other[i]) return false;
  }
  return true;
}

void NameList::push_back(std::string_view name) {
  if (file_) *this = NameList(strings());
  bytes_.insert(bytes_.end(), name.begin(), name.end());
  ends_.push_back(bytes_.size());
}

NameOrder::NameOrder(const NameList& names) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (names.size() > kMost) {
    throw InputError(fmt::format("{} images", names.size()),
                     fmt::format("at most {} in an index", kMost));
  }
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const int compared = names[a].compare(names[b]);
    return compared < 0 || (compared == 0 && a < b);
  });
  sorted_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  bytes_ = std::as_bytes(std::span(*sorted_));
}

std::size_t NameOrder::at(std::size_t place, std::size_t names) const {
  const auto bytes = bytes_.subspan(place * kPlaceBytes, kPlaceBytes);
  const auto image = number_of<std::uint32_t>(file_ ? file_->checked(bytes) : bytes);
  if (image < names) return image;
  file_->refuse(fmt::format("'{}' names image {}", kImageOrder, image),
                fmt::format("images below {}", names));
}

std::optional<std::size_t> NameOrder::find(const NameList& names, std::string_view name) const {
  std::size_t begin = 0, end = names.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (names[at(middle, names.size())] < name) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == names.size()) return std::nullopt;
  const std::size_t image = at(begin, names.size());
  return names[image] == name ? std::optional(image) : std::nullopt;
}

void write_names(const fs::path& folder, const NameList& images, const NameList& files,
                 const NameList& digests) {
  struct Named {
    const char* name;
    const NameList& list;
  };
  const std::vector<Named> lists = {
      {kImageIds, images}, {kFileNames, files}, {kDigestNames, digests}};
  const NameOrder order(images);
  const auto size_of = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  const auto for_each_end = [](const NameList& list, const auto& use) {
    for (std::uint64_t i = 0, end = 0; i < list.size(); ++i) use(end += list[i].size());
  };
  std::vector<SafetensorsWriter::Place> places;  // the widest numbers first: so they are aligned
  for (const Named& one : lists) {
    places.push_back({ends_name(one.name), TensorType::int64, {size_of(one.list)}});
  }
  places.push_back({kImageOrder, TensorType::int32, {size_of(images)}});
  for (const Named& one : lists) {
    std::uint64_t bytes = 0;
    for_each_end(one.list, [&](std::uint64_t end) { bytes = end; });
    places.push_back({one.name, TensorType::uint8, {static_cast<std::int64_t>(bytes)}});
  }
  SafetensorsWriter file(folder / kNamesFile, places);
  for (const Named& one : lists) {
    for_each_end(one.list,
                 [&](std::uint64_t end) { file.append(std::as_bytes(std::span(&end, 1))); });
  }
  file.append(order.bytes());
  for (const Named& one : lists) {
    for (std::size_t i = 0; i < one.list.size(); ++i) {
      file.append(std::as_bytes(std::span(one.list[i])));
    }
  }
  file.commit();
}

NameTable read_names(const fs::path& folder, const std::shared_ptr<const Checksums>& checksums) {
  return std::make_shared<const NameFile>(folder / kNamesFile, checksums)->table();
}

}  // namespace hinny
