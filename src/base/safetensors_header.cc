#include "base/safetensors_header.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"

namespace hinny {
namespace {

using nlohmann::json;

constexpr std::size_t kMostTensorDimensions = 16;
constexpr std::array<std::pair<std::string_view, TensorType>, 7> kTypes = {{
    {"F32", TensorType::float32},
    {"F16", TensorType::float16},
    {"BF16", TensorType::bfloat16},
    {"I64", TensorType::int64},
    {"I32", TensorType::int32},
    {"U8", TensorType::uint8},
    {"I8", TensorType::int8},
}};

// Depth 1: names of tensors; depth 2: one tensor or the metadata; `array_`: inside a list.
class HeaderReader final : public nlohmann::json_sax<json> {
 public:
  HeaderReader(const std::filesystem::path& path, SafetensorsHeader& header)
      : path_(path), header_(header) {}

  bool key(std::string& name) override {
    if (depth_ == 1) {
      if (!names_.insert(name).second) refuse(fmt::format("'{}' stands twice in it", name));
      name_ = name;
      return true;
    }
    field_ = name;
    if (!in_metadata_) {
      if (name != "dtype" && name != "shape" && name != "data_offsets") refuse(where());
      if (!fields_.insert(name).second) refuse(where() + " given twice");
    }
    return true;
  }

  bool start_object(std::size_t) override {
    if (array_ || ++depth_ > 2) refuse(where());
    if (depth_ == 2) {
      in_metadata_ = name_ == "__metadata__";
      fields_.clear();
      entry_ = {};
    }
    return true;
  }

  bool end_object() override {
    if (depth_ == 2 && !in_metadata_) {
      if (fields_.size() != 3) refuse(fmt::format("tensor '{}' lacks a field", name_));
      header_.tensors.emplace(std::move(name_), std::move(entry_));
    }
    --depth_;
    return true;
  }

  bool start_array(std::size_t) override {
    if (array_ || !in_tensor() || field_ == "dtype") refuse(where());
    array_ = true;
    numbers_ = 0;
    return true;
  }

  bool end_array() override {
    array_ = false;
    if (field_ == "data_offsets" && numbers_ != 2) refuse(where());
    return true;
  }

  bool number_unsigned(number_unsigned_t value) override {
    if (!array_ || value > static_cast<std::uint64_t>(INT64_MAX)) refuse(where());
    if (++numbers_ > (field_ == "shape" ? kMostTensorDimensions : 2)) refuse(where());
    if (field_ == "shape") {
      entry_.shape.push_back(static_cast<std::int64_t>(value));
    } else {
      (numbers_ == 1 ? entry_.begin : entry_.end) = value;
    }
    return true;
  }

  bool string(std::string& value) override {
    if (array_ || depth_ != 2) refuse(where());
    if (in_metadata_) {
      if (!header_.metadata.emplace(field_, value).second) refuse(where() + " given twice");
      return true;
    }
    if (field_ != "dtype") refuse(where());
    for (const auto& [name, type] : kTypes) {
      if (name == value) {
        entry_.type = type;
        return true;
      }
    }
    throw InputError(path_, fmt::format("tensor '{}' has type '{}'", name_, value),
                     "F32, F16, BF16, I64, I32, U8 or I8");
  }

  bool null() override { refuse(where()); }
  bool boolean(bool) override { refuse(where()); }
  bool number_integer(number_integer_t) override { refuse(where()); }
  bool number_float(number_float_t, const string_t&) override { refuse(where()); }
  bool binary(binary_t&) override { refuse(where()); }
  bool parse_error(std::size_t position, const std::string&, const json::exception&) override {
    refuse(fmt::format("broken JSON at its byte {}", position));
  }

 private:
  bool in_tensor() const { return depth_ == 2 && !in_metadata_; }
  std::string where() const {
    if (depth_ < 2) return "not a map of tensors";
    return fmt::format("'{}' of '{}'", field_, name_);
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(path_, "safetensors header: " + what,
                     "names with dtype, shape and data_offsets");
  }

  const std::filesystem::path& path_;
  SafetensorsHeader& header_;
  SafetensorsHeader::Entry entry_;
  std::set<std::string> names_;
  std::set<std::string> fields_;
  std::string name_, field_;
  int depth_ = 0;
  bool in_metadata_ = false;
  bool array_ = false;
  std::size_t numbers_ = 0;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(const std::filesystem::path& path,
                                           std::string_view json) {
  SafetensorsHeader header;
  HeaderReader reader(path, header);
  nlohmann::json::sax_parse(json, &reader);
  return header;
}

std::string_view safetensors_name(TensorType type) {
  return kTypes[static_cast<std::size_t>(type)].first;
}

}  // namespace hinny
