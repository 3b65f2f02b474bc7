#include "base/checksums.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "base/progress.h"
#include "base/threads.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kSum = sizeof(std::uint64_t);
constexpr const char* kAsWritten =
    "the file as it was written; make the index again, or restore it";

std::size_t blocks_of(std::uint64_t bytes) {
  return static_cast<std::size_t>((bytes + kChecksumBlock - 1) / kChecksumBlock);
}

std::span<const std::byte> block_of(std::span<const std::byte> bytes, std::size_t block) {
  const std::size_t first = block * kChecksumBlock;
  return bytes.subspan(first, std::min(kChecksumBlock, bytes.size() - first));
}

std::uint64_t sum_of(std::span<const std::byte> block) {
  return XXH3_64bits(block.data(), block.size());
}

std::uint64_t number_at(std::span<const std::byte> numbers, std::size_t place) {
  std::uint64_t number = 0;
  std::memcpy(&number, numbers.data() + place * kSum, kSum);
  return number;
}

std::string changed_text(std::size_t block, std::size_t size) {
  const std::size_t first = block * kChecksumBlock;
  return fmt::format("damaged: bytes {} to {} are not what was written", first,
                     std::min(first + kChecksumBlock, size) - 1);
}

bool answers_for_itself(const fs::path& folder) { return fs::exists(folder / kChecksumsFile); }

// Calls use(name inside `folder`, path) for each file that `folder` answers for, and
// inner(path) for each folder that answers for itself.
template <typename Use, typename Inner>
void for_each_file(const fs::path& folder, const Use& use, const Inner& inner) {
  for (auto item = fs::recursive_directory_iterator(folder); item != fs::end(item); ++item) {
    if (item->is_directory()) {
      if (!answers_for_itself(item->path())) continue;
      item.disable_recursion_pending();
      inner(item->path());
    } else if (item->path() != folder / kChecksumsFile) {
      use(path_text(item->path().lexically_relative(folder).string()), item->path());
    }
  }
}

// [1 + blocks]: the size, then the hash of each block.
std::vector<std::uint64_t> row_of(const fs::path& path) {
  const MappedFile file(path);
  std::vector<std::uint64_t> row = {file.bytes().size()};
  for (std::size_t block = 0; block < blocks_of(file.bytes().size()); ++block) {
    if (block % 1024 == 0) stop_if_interrupted();
    row.push_back(sum_of(block_of(file.bytes(), block)));
  }
  return row;
}

}  // namespace

void write_checksums(const fs::path& folder, const fs::path& before) {
  std::optional<Checksums> known;
  if (!before.empty() && answers_for_itself(before)) known.emplace(before);
  std::map<std::string, std::vector<std::uint64_t>> rows;
  for_each_file(
      folder,
      [&](const std::string& name, const fs::path& path) {
        std::error_code none;
        const bool same = known && fs::equivalent(before / path_from_text(name), path, none);
        rows[name] = same ? known->row(name) : std::vector<std::uint64_t>();
        if (rows[name].empty()) rows[name] = row_of(path);
      },
      [](const fs::path&) {});
  std::map<std::string, TensorView> table;
  for (const auto& [name, row] : rows) {
    table[name] = {
        TensorType::int64, {static_cast<std::int64_t>(row.size())}, std::as_bytes(std::span(row))};
  }
  write_safetensors(folder / kChecksumsFile, table);
}

CheckedFile::CheckedFile(fs::path path, std::span<const std::byte> bytes,
                         std::span<const std::byte> sums)
    : path_(std::move(path)), bytes_(bytes), sums_(sums), right_(blocks_of(bytes.size())) {}

void CheckedFile::check_block(std::size_t block) const {
  if (right_[block].load(std::memory_order_relaxed)) return;
  if (sum_of(block_of(bytes_, block)) != number_at(sums_, block)) {
    throw InputError(path_, changed_text(block, bytes_.size()), kAsWritten);
  }
  right_[block].store(true, std::memory_order_relaxed);
}

void CheckedFile::check(std::span<const std::byte> part) const {
  if (part.empty()) return;
  const auto first = static_cast<std::size_t>(part.data() - bytes_.data());
  const std::size_t last = (first + part.size() - 1) / kChecksumBlock;
  for (std::size_t block = first / kChecksumBlock; block <= last; ++block) check_block(block);
}

void CheckedFile::check_all() const {
  if (all_right_.load(std::memory_order_relaxed)) return;
  constexpr std::size_t kWorthThreads = 64;  // blocks
  const auto check_some = [this](std::size_t begin, std::size_t end) {
    for (; begin < end; ++begin) check_block(begin);
  };
  if (right_.size() < kWorthThreads) {
    check_some(0, right_.size());
  } else {
    parallel_blocks(right_.size(), check_some);
  }
  all_right_.store(true, std::memory_order_relaxed);
}

Checksums::Checksums(const fs::path& folder)
    : folder_(folder), table_(SafetensorsFile::open(folder / kChecksumsFile)) {
  // JSON ends at a zero for its reader, which so takes one for padding.
  const std::span<const std::byte> bytes = table_.file_bytes();
  const auto header = static_cast<std::size_t>(number_at(bytes, 0));
  if (std::ranges::count(bytes.subspan(kSum, header), std::byte{0}) > 0) {
    throw InputError(folder / kChecksumsFile, "damaged: a zero in its header", "spaces");
  }
  for (const auto& [name, row] : table_.tensors()) {
    const bool right_shape = row.type == TensorType::int64 && row.shape.size() == 1 &&
                             !row.bytes.empty() &&
                             row.bytes.size() / kSum == 1 + blocks_of(number_at(row.bytes, 0));
    if (right_shape) continue;
    throw InputError(folder / kChecksumsFile, fmt::format("damaged: '{}' has no such sums", name),
                     "a size and a hash for each block");
  }
}

std::shared_ptr<const CheckedFile> Checksums::checked(const std::string& file,
                                                      std::span<const std::byte> bytes) const {
  const fs::path path = folder_ / path_from_text(file);
  if (!table_.contains(file)) {
    throw InputError(path, fmt::format("is not in {}", kChecksumsFile), kAsWritten);
  }
  const std::span<const std::byte> row = table_.at(file).bytes;
  if (number_at(row, 0) != bytes.size()) {
    throw InputError(path, fmt::format("damaged: {} bytes", bytes.size()),
                     fmt::format("{}, as it was written", number_at(row, 0)));
  }
  return std::make_shared<const CheckedFile>(path, bytes, row.subspan(kSum));
}

void Checksums::check(const std::string& file) const {
  {
    const std::lock_guard guard(lock_);
    if (right_.contains(file)) return;
  }
  const MappedFile mapped(folder_ / path_from_text(file));
  checked(file, mapped.bytes())->check_all();
  const std::lock_guard guard(lock_);
  right_.insert(file);
}

void Checksums::check_below(const std::string& folder) const {
  for (const auto& [name, row] : table_.tensors()) {
    if (name.starts_with(folder + "/")) check(name);
  }
}

std::vector<std::uint64_t> Checksums::row(const std::string& file) const {
  if (!table_.contains(file)) return {};
  const std::span<const std::byte> bytes = table_.at(file).bytes;
  std::vector<std::uint64_t> row(bytes.size() / kSum);
  std::memcpy(row.data(), bytes.data(), bytes.size());
  return row;
}

void check_if_listed(const fs::path& folder, const std::string& file) {
  if (answers_for_itself(folder)) Checksums(folder).check(file);
}

std::string Checksums::problem_of(const std::string& file) const {
  try {
    check(file);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

void Checksums::verify(ChecksumReport& report) const {
  std::uint64_t bytes = 0;
  for (const auto& [name, row] : table_.tensors()) bytes += number_at(row.bytes, 0);
  Progress progress("bytes compared", bytes);
  for (const auto& [name, row] : table_.tensors()) {
    stop_if_interrupted();
    const std::uint64_t size = number_at(row.bytes, 0);
    ++report.files;
    report.bytes += size;
    if (std::string problem = problem_of(name); !problem.empty()) {
      report.problems.push_back(std::move(problem));
    }
    progress.add(size);
  }
}

void Checksums::add_strangers(ChecksumReport& report) const {
  for_each_file(
      folder_,
      [&](const std::string& name, const fs::path& path) {
        if (table_.contains(name)) return;
        report.problems.push_back(InputError(path, "nobody wrote it there", "no such file").what());
      },
      [&](const fs::path& inner) { verify_checksums(inner, report); });
}

void verify_checksums(const fs::path& folder, ChecksumReport& report) {
  try {
    const Checksums checksums(folder);
    checksums.verify(report);
    checksums.add_strangers(report);
  } catch (const InputError& error) {
    report.problems.push_back(error.what());
  }
}

}  // namespace hinny
