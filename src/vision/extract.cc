#include "vision/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/npy.h"
#include "base/progress.h"
#include "base/threads.h"
#include "vision/feature_rows.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
constexpr float kLargestHalf = 65504;

// One picture on its way to the encoder.
struct Prepared {
  std::vector<float> input;
  std::string why_not;  // empty when it could be read
};

Prepared prepare_image(const Dataset& dataset, int image, const PictureEncoder& encoder) {
  try {
    return {encoder.prepare(read_picture(picture_file(dataset, image))), ""};
  } catch (const InputError& error) {
    return {{}, error.what()};
  }
}

class Extraction {
 public:
  Extraction(const Dataset& dataset, PictureEncoder& encoder, const ExtractOptions& options)
      : dataset_(dataset), encoder_(encoder), options_(options) {
    const std::string name = options.name.empty() ? encoder.name() : options.name;
    if (name.empty() || name[0] == '.' || name.find_first_of("/+ \t\n") != std::string::npos) {
      throw InputError(fmt::format("--name '{}'", name), "a file name without '/', '+' or blanks");
    }
    report_.file = dataset.folder() / "features" / (name + ".npy");
    report_.shape = encoder.shape();
  }

  ExtractReport run();

 private:
  bool already_there();
  void encode_all(NpyWriter& file);
  std::vector<Prepared> prepare_batch(std::span<const int> images) const;
  void encode_batch(std::span<const int> images, std::vector<Prepared> batch, NpyWriter& file);
  void refuse_or_skip(int image, const std::string& why);
  void check_row(int image, std::span<const float> row) const;
  const std::string& id(int image) const {
    return dataset_.images()[static_cast<std::size_t>(image)].id;
  }

  const Dataset& dataset_;
  PictureEncoder& encoder_;
  const ExtractOptions& options_;
  ExtractReport report_;
  FeatureRows rows_;
  std::vector<int> written_;
};

// True when there is nothing to do; an InputError when what is there does not fit.
bool Extraction::already_there() {
  const fs::path ids = report_.file.parent_path() / "ids.txt";
  if (options_.force || !fs::exists(report_.file)) return false;
  if (!fs::exists(ids)) {
    throw InputError(report_.file, "there already, but without ids.txt", "--force to replace it");
  }
  std::vector<std::int64_t> wanted = report_.shape;
  wanted.insert(wanted.begin(), 0);
  for_each_line(ids, [&](std::string_view, std::size_t) { ++wanted[0]; });
  const NpyArray array = NpyArray::open(report_.file);
  if (array.shape() != wanted) {
    throw InputError(report_.file,
                     fmt::format("there already, as [{}]", fmt::join(array.shape(), ", ")),
                     fmt::format("[{}]; --force replaces it, --name chooses another name",
                                 fmt::join(wanted, ", ")));
  }
  report_.rows = array.rows();
  return true;
}

ExtractReport Extraction::run() {
  report_.already_there = already_there();
  if (!report_.already_there) {
    rows_ = feature_rows(dataset_, !options_.force || other_features_exist(report_.file));
    create_folder(report_.file.parent_path());
    NpyWriter file(report_.file, report_.shape, NpyType::float16);
    encode_all(file);
    if (written_.empty()) {
      const std::string first = report_.skipped.empty() ? "" : ": " + report_.skipped.front().why;
      throw InputError(dataset_.folder() / "images", "no picture can be read" + first, "");
    }
    // In this order: ids.txt without features is merely unused, features without it are useless.
    if (!rows_.fixed) write_ids(dataset_, written_);
    file.commit();
    report_.rows = static_cast<std::int64_t>(written_.size());
  }
  report_.without_row = static_cast<std::int64_t>(dataset_.images().size()) - report_.rows;
  return report_;
}

// While one batch runs through the network, the next one is decoded.
void Extraction::encode_all(NpyWriter& file) {
  const std::span<const int> all = rows_.images;
  const auto size = static_cast<std::size_t>(options_.batch);
  Progress progress("features", all.size());
  std::future<std::vector<Prepared>> next;
  const auto start = [&](std::size_t begin) {
    if (begin >= all.size()) return;
    const auto images = all.subspan(begin, std::min(size, all.size() - begin));
    next = std::async(std::launch::async, [this, images] { return prepare_batch(images); });
  };
  start(0);
  for (std::size_t begin = 0; begin < all.size(); begin += size) {
    std::vector<Prepared> batch = next.get();
    if (interrupted()) throw Interrupted("interrupted; no features were written");
    start(begin + size);
    const auto images = all.subspan(begin, batch.size());
    encode_batch(images, std::move(batch), file);
    progress.update(begin + images.size());
  }
}

std::vector<Prepared> Extraction::prepare_batch(std::span<const int> images) const {
  std::vector<Prepared> batch(images.size());
  parallel_blocks(images.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && !interrupted(); ++i) {
      batch[i] = prepare_image(dataset_, images[i], encoder_);
    }
  });
  return batch;
}

void Extraction::refuse_or_skip(int image, const std::string& why) {
  if (rows_.fixed) {
    throw InputError(
        fmt::format("image '{}' has a row in features/ids.txt, but: {}", id(image), why),
        "a picture for each row, or a folder without features/");
  }
  report_.skipped.push_back({id(image), why});
}

void Extraction::check_row(int image, std::span<const float> row) const {
  for (const float number : row) {
    if (std::abs(number) <= kLargestHalf) continue;  // false for NaN too
    throw InputError(picture_file(dataset_, image), fmt::format("a feature is {}", number),
                     "numbers that float16 can hold; is the preprocessing right?");
  }
}

void Extraction::encode_batch(std::span<const int> images, std::vector<Prepared> batch,
                              NpyWriter& file) {
  std::vector<int> readable;
  std::vector<std::vector<float>> inputs;
  for (std::size_t i = 0; i < images.size(); ++i) {
    if (!batch[i].why_not.empty()) {
      refuse_or_skip(images[i], batch[i].why_not);
      continue;
    }
    readable.push_back(images[i]);
    inputs.push_back(std::move(batch[i].input));
  }
  const auto size = static_cast<std::size_t>(encoder_.row_size());
  std::vector<float> rows(inputs.size() * size);
  if (!inputs.empty()) encoder_.encode(inputs, rows);
  for (std::size_t i = 0; i < readable.size(); ++i) {
    const std::span<const float> row(rows.data() + i * size, size);
    check_row(readable[i], row);
    file.append(row);
    written_.push_back(readable[i]);
  }
}

}  // namespace

ExtractReport extract_features(const Dataset& dataset, PictureEncoder& encoder,
                               const ExtractOptions& options) {
  return Extraction(dataset, encoder, options).run();
}

}  // namespace hinny
