#include "training/loop/disk_room.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "base/error.h"
#include "training/experiment/tensor_file.h"

namespace hinny {

void check_room_for_training(const std::filesystem::path& run, const torch::nn::Module& model,
                             const TrainSettings& settings) {
  std::uint64_t bytes = 0;
  for (const auto& [name, tensor] : tensors_of(model)) bytes += tensor.nbytes();
  // The weights with two moments of Adam, perhaps an average, and the model.
  const std::uint64_t checkpoint = bytes * (settings.average > 0 ? 4 : 3);
  check_room(run, bytes + 2 * checkpoint);
}

void check_room(const std::filesystem::path& folder, std::uint64_t bytes) {
  struct statvfs disk {};
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return;
  const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
  if (free >= bytes) return;
  throw Failure(fmt::format(
      "{}: {:.1f} MB are free on this disk, and the training writes {:.1f} MB", folder.string(),
      static_cast<double>(free) / 1e6, static_cast<double>(bytes) / 1e6));
}

}  // namespace hinny
