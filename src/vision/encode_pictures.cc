#include "vision/encode_pictures.h"

#include <algorithm>
#include <future>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "vision/picture_program.h"
#include "vision/prepared_picture.h"

namespace hinny {
namespace {

using FileAt = std::function<std::filesystem::path(std::size_t)>;

// One picture on its way to the encoders.
struct Prepared {
  PreparedPicture inputs;
  bool read = false;
  std::string note;  // as TakeFeatures has it
};

class PreparedEncoding {
 public:
  PreparedEncoding(const FileAt& file, std::span<PictureEncoder* const> encoders)
      : file_(file), encoders_(encoders), enough_{.shorter = least_side(encoders)} {
    for (const PictureEncoder* encoder : encoders)
      row_ += static_cast<std::size_t>(encoder->row_size());
  }

  std::vector<Prepared> prepare(std::size_t first, std::size_t count) const {
    std::vector<Prepared> batch(count);
    parallel_blocks(count, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end && !interrupted(); ++i) {
        batch[i] = prepare(first + i);
      }
    });
    return batch;
  }

  // The rows of those that could be read, in order: [readable, row()].
  std::vector<float> encode(std::vector<Prepared>& batch) const {
    std::vector<PreparedPicture> readable;
    for (Prepared& one : batch) {
      if (one.read) readable.push_back(std::move(one.inputs));
    }
    return encode_prepared(encoders_, std::move(readable));
  }

  std::size_t row() const { return row_; }

 private:
  Prepared prepare(std::size_t i) const {
    try {
      Prepared prepared;
      use_picture(file_(i), enough_, [&](const Picture& picture) {
        prepared = {prepared_for(encoders_, picture), true, picture.warning};
      });
      return prepared;
    } catch (const InputError& error) {
      return {{}, false, error.what()};
    }
  }

  const FileAt& file_;
  std::span<PictureEncoder* const> encoders_;
  Enough enough_;
  std::size_t row_ = 0;
};

}  // namespace

void encode_pictures(std::size_t count, const FileAt& file,
                     std::span<PictureEncoder* const> encoders, const EncodeOptions& options,
                     const TakeFeatures& take) {
  // Who watches a folder holds no memory for the pictures that are to come.
  const struct Release {
    ~Release() { release_picture_programs(); }
  } release;
  const PreparedEncoding encoding(file, encoders);
  std::future<std::vector<Prepared>> next;
  const auto start = [&](std::size_t first) {
    if (first >= count) return;
    const std::size_t some = std::min(options.batch, count - first);
    next = std::async(std::launch::async,
                      [&encoding, first, some] { return encoding.prepare(first, some); });
  };
  start(0);
  for (std::size_t first = 0; first < count; first += options.batch) {
    std::vector<Prepared> batch = next.get();
    if (interrupted()) throw Interrupted(options.stopped);
    start(first + options.batch);
    std::vector<std::pair<bool, std::string>> all;
    for (const Prepared& one : batch) all.emplace_back(one.read, one.note);
    const std::vector<float> rows = encoding.encode(batch);
    auto row = std::span(rows);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto& [read, note] = all[i];
      const std::size_t size = read ? encoding.row() : 0;
      take(first + i, row.first(size), note);
      row = row.subspan(size);
    }
  }
}

}  // namespace hinny
