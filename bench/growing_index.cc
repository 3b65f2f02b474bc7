// An index of a folder of pictures that is brought up to date when a few of many come, change or
// go, as `hinny index --watch` does it. The pictures are made up: files of some bytes, whose
// features are drawn from these, so that only the index is measured.
//   bench/synthetic DIR --images 1 --dim 512
//   bench_growing_index DIR/model [WHERE]     HINNY_BENCH_ROWS pictures, or 50,000; WHERE: made
//   there
// Prints a line of JSON for each change: seconds, those of all threads (the processor's), the bytes
// of the index.
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/folders.h"
#include "base/random.h"
#include "base/read_file.h"
#include "index/folder/index.h"
#include "index/folder/picture_reader_fixture.h"
#include "index/pictures/index_pictures.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPictures = 50'000;
constexpr std::size_t kChanged = 100;
constexpr std::size_t kClusters = 2000;

double processor_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Of pictures of things, of which there are kClusters.
std::vector<float> features_of(const std::string& content, std::size_t dim) {
  const auto seed =
      std::strtoull(content_hash(std::string_view(content)).substr(0, 12).c_str(), nullptr, 16);
  Random centre(seed % kClusters), noise(seed);
  std::vector<float> features(dim);
  for (float& number : features) {
    number = static_cast<float>(centre.normal() + 0.7 * noise.uniform(-2, 2));
  }
  return features;
}

class Folder {
 public:
  Folder(const fs::path& model, const fs::path& where, std::size_t pictures)
      : where_(where), model_(open(model)) {
    for (std::size_t i = 0; i < pictures; ++i) put(i);
  }

  void put(std::size_t number, const std::string& more = "") {
    // Names in no order.
    const std::string name = content_hash(std::string_view(std::to_string(number)));
    const fs::path folder = where_ / "pictures" / name.substr(0, 2);
    create_folder(folder);
    std::ofstream(folder / (name.substr(2, 10) + ".jpg")) << number << more;
  }
  void remove(std::size_t number) {
    const std::string name = content_hash(std::string_view(std::to_string(number)));
    fs::remove(where_ / "pictures" / name.substr(0, 2) / (name.substr(2, 10) + ".jpg"));
  }

  void bring_up_to_date(const char* what) const {
    const std::size_t dim = model_.model().config().features.dim();
    FakePictureReader reader;
    reader.says_version = "1";
    reader.read_files = [&](std::span<const fs::path> files, const TakeFeatures& take) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        take(i, features_of(read_file(files[i]), dim), "");
      }
    };
    const double before = processor_seconds();
    const auto start = std::chrono::steady_clock::now();
    const PictureReport report =
        index_pictures(model_, {where_ / "pictures"}, reader, where_ / "index");
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::uintmax_t bytes = 0;
    for (const auto& file : fs::directory_iterator(where_ / "index")) {
      if (file.is_regular_file()) bytes += file.file_size();
    }
    fmt::print(R"({{"change": "{}", "pictures": {}, "s": {:.3f}, "processor_s": {:.3f}, )"
               R"("megabytes": {:.1f}}})"
               "\n",
               what, report.images, seconds, processor_seconds() - before,
               static_cast<double>(bytes) / 1e6);
    std::fflush(stdout);
  }

 private:
  PictureModel open(const fs::path& model) const {
    write_file(where_ / "synthetic.onnx", "network");
    write_file(where_ / "synthetic.onnx.json", "{}");
    return PictureModel::open(model, {where_ / "synthetic.onnx"});
  }

  fs::path where_;
  PictureModel model_;
};

void run(const fs::path& model, const fs::path& where) {
  const char* given = std::getenv("HINNY_BENCH_ROWS");
  const std::size_t pictures = given == nullptr ? kPictures : std::strtoul(given, nullptr, 10);
  Folder folder(model, where, pictures);
  folder.bring_up_to_date("made");
  for (std::size_t turn = 0; turn < 3; ++turn) {
    for (std::size_t i = 0; i < kChanged; ++i) folder.put(pictures + turn * kChanged + i);
    folder.bring_up_to_date("100 came");
    for (std::size_t i = 0; i < kChanged; ++i) folder.remove(turn * kChanged + i);
    folder.bring_up_to_date("100 went");
    for (std::size_t i = 0; i < kChanged; ++i) folder.put(1000 + turn * kChanged + i, " altered");
    folder.bring_up_to_date("100 changed");
  }
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    fmt::print(stderr, "usage: {} MODEL [WHERE]\n", argv[0]);
    return 2;
  }
  try {
    const hinny::Scratch scratch;
    const auto where = argc > 2 ? std::filesystem::path(argv[2]) : scratch / "made";
    hinny::create_folder(where);
    hinny::run(argv[1], where);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
