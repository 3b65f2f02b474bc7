// Features of pictures on their way into an index, in a file that an interrupted run leaves behind
// and the next one goes on with.
#pragma once

#include <cstddef>
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

  std::size_t size() const { return row_of_.size(); }
  // The row of a picture with this content (a hash of 32 digits).
  std::optional<int> find(const std::string& content) const;
  // Returns its row. Kept from the next sync() on.
  int add(const std::string& content, std::span<const float> features);
  void sync();
  // [rows, dim]
  void gather(std::span<const int> rows, std::span<float> out) const;
  void remove();

 private:
  std::size_t record() const { return kHash + dim_ * sizeof(float); }
  void take_over();

  static constexpr std::size_t kHash = 32;
  std::filesystem::path file_;
  std::string header_;
  std::size_t dim_;
  int descriptor_ = -1;
  int rows_ = 0;
  std::unordered_map<std::string, int> row_of_;
};

}  // namespace hinny
