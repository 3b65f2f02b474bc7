// Image features of other collections, copied into a dataset folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/npy.h"
#include "data/importers/import_writer.h"

namespace hinny {

struct FeatureOptions {
  std::string name;      // features/<name>.npy: letters, digits, '-', '_' and '.'
  bool float16 = false;  // half the size; otherwise the type of the files
};

// Appends npy files one after the other, row by row. Without any file nothing is written.
class FeatureImport {
 public:
  // `writer` must outlive this.
  FeatureImport(FeatureOptions options, ImportWriter& writer);

  // Image i's rows are [i * repeat, (i + 1) * repeat), all alike, and one of them is kept.
  // InputError: another number of rows, rows of another size than before, rows that differ,
  // a number that is NaN or infinite, or too large for float16.
  void add(const std::filesystem::path& npy, std::span<const std::string> ids, std::int64_t repeat);
  // Writes features/ids.txt and tells `writer`.
  void commit();

 private:
  void start(const std::filesystem::path& npy, const NpyArray& array);
  void read_row(const std::filesystem::path& npy, const NpyArray& array, std::int64_t index,
                std::span<float> row) const;

  FeatureOptions options_;
  ImportWriter& writer_;
  std::unique_ptr<NpyWriter> out_;
  std::vector<std::int64_t> row_shape_;
  NpyType type_ = NpyType::float32;
  std::vector<std::string> ids_;
};

}  // namespace hinny
