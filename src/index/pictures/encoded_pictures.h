// Features of pictures on their way into an index, in a file that an interrupted run leaves behind
// and the next one goes on with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hinny {

// For one thread. Throws Failure when the disk does not take what is added.
class EncodedPictures {
 public:
  // Takes over the whole rows of an earlier run by the same model (a hash of 32 digits) with `dim`
  // numbers; anything else that is there is replaced. InputError while another process has it.
  EncodedPictures(std::filesystem::path file, std::string_view model, std::size_t dim);
  ~EncodedPictures();
  EncodedPictures(const EncodedPictures&) = delete;
  EncodedPictures& operator=(const EncodedPictures&) = delete;

  std::size_t size() const { return static_cast<std::size_t>(rows_); }
  // The row of a picture with this content (a hash of 32 digits).
  std::optional<int> find(const std::string& content) const;
  // Returns its row. Kept from the next sync() on.
  int add(const std::string& content, std::span<const float> features);
  // The frames of a film with this content, in their order: kept whole, or not at all.
  struct Frame {
    std::int64_t at = 0;  // milliseconds
    int row = 0;
  };
  const std::vector<Frame>* film(const std::string& content) const;  // or null
  // One or more; `features` [frames, dim].
  void add_film(const std::string& content, std::span<const std::int64_t> at,
                std::span<const float> features);
  void sync();
  // [rows, dim]
  void gather(std::span<const int> rows, std::span<float> out) const;
  void remove();

 private:
  // Before the features of a row: the content, of a frame its moment (of a picture -1), and how
  // many frames of its film follow.
  struct RowHead {
    char content[32];
    std::int64_t at;
    std::int64_t follow;
  };
  std::size_t record() const { return sizeof(RowHead) + dim_ * sizeof(float); }
  void take_over();
  void append(const std::string& bytes);
  static std::string row_bytes(const std::string& content, std::int64_t at, std::size_t follow,
                               std::span<const float> features);

  std::filesystem::path file_;
  std::string header_;
  std::size_t dim_;
  int descriptor_ = -1;
  int rows_ = 0;
  std::unordered_map<std::string, int> row_of_;
  std::unordered_map<std::string, std::vector<Frame>> films_;
};

}  // namespace hinny
