// Pictures of the index as JPEG files of the asked size, the latest ones kept in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace hinny {

// Safe to use from several threads.
class Thumbnails {
 public:
  explicit Thumbnails(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  struct Of {
    std::filesystem::path file;
    std::optional<std::int64_t> moment{};  // of a film, in milliseconds
  };
  // Changes when the file does.
  static std::string tag(const Of& picture, int longest_side);
  // As use_picture or read_frame throws, and Failure.
  std::shared_ptr<const std::string> get(const Of& picture, int longest_side);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const std::string>>;
  void keep(const std::string& tag, const std::shared_ptr<const std::string>& bytes);
  std::size_t most_bytes_;
  std::mutex lock_;
  std::list<Entry> entries_;  // the latest used first
  std::unordered_map<std::string, std::list<Entry>::iterator> places_;
  std::size_t bytes_ = 0;
};

}  // namespace hinny
