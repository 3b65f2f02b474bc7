#include "data/row_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "base/interrupt.h"

namespace hinny {
namespace fs = std::filesystem;

fs::path row_part(const fs::path& file, const Part& part) {
  const std::size_t digits = std::to_string(part.total).size();
  return file.string() + fmt::format(".part-{:0{}}-of-{}", part.number, digits, part.total);
}

std::vector<fs::path> row_parts(const fs::path& file) {
  const std::string prefix = file.filename().string() + ".part-";
  std::vector<fs::path> folders;
  for (const auto& item : entries_in(folder_of(file))) {
    if (item.path().filename().string().starts_with(prefix)) folders.push_back(item.path());
  }
  if (folders.empty()) {
    throw InputError(file, "has no parts beside it", "what --part wrote under the same name");
  }
  return parts_in_order(folders);
}

std::vector<std::int64_t> row_shape(const fs::path& part) {
  std::vector<std::int64_t> shape = NpyArray::open(part / kRowsFile).shape();
  shape.erase(shape.begin());
  return shape;
}

void append_rows(const std::vector<fs::path>& parts, NpyWriter& file,
                 const std::vector<std::int64_t>& shape) {
  std::vector<float> row;
  for (const fs::path& part : parts) {
    const NpyArray rows = NpyArray::open(part / kRowsFile);
    if (!std::equal(rows.shape().begin() + 1, rows.shape().end(), shape.begin(), shape.end())) {
      throw InputError(part / kRowsFile, fmt::format("shape [{}]", fmt::join(rows.shape(), ", ")),
                       fmt::format("rows of [{}]", fmt::join(shape, ", ")));
    }
    row.resize(static_cast<std::size_t>(rows.row_size()));
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      rows.row(i, row);
      file.append(row);
    }
    stop_if_interrupted();
  }
}

}  // namespace hinny
