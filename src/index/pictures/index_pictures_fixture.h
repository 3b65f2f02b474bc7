// For tests: a folder of pictures, and the index of it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/day.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "index/folder/index.h"
#include "index/folder/index_fixture.h"
#include "index/folder/picture_reader_fixture.h"
#include "index/pictures/index_pictures.h"

namespace hinny {

// A "picture" is a text file of the name of one of the fixture's images ("0" to "4"); its features
// are that image's. A "film" is several of these, a frame each, five seconds apart, and so is a
// GIF that moves, whose first is the picture. Others are broken.
class IndexPictures : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    write_file(folder / "net.onnx", "network");
    write_file(folder / "net.onnx.json", "{}");
    create_folder(root());
  }
  std::filesystem::path root() const { return folder / "pictures"; }
  std::filesystem::path index() const { return folder / "mine"; }
  void put(const std::string& file, const std::string& content) const {
    create_folder((root() / file).parent_path());
    write_file(root() / file, content);
  }

  PictureReport run(std::size_t most = 1000) { return run_into(index(), most); }
  PictureReport run_into(const std::filesystem::path& index, std::size_t most = 1000) {
    encoded_.clear();
    const PictureModel model = PictureModel::open(folder / "run", {folder / "net.onnx"});
    PicturesInput input{root(), WeightType::float32};
    input.exclude = exclude_;
    input.graphs = graphs_;
    input.codes = codes_;
    input.growing_pause = growing_pause_;
    input.film_frames = film_frames_;
    input.towns = towns_;
    input.part = part_;
    return index_pictures(model, input, reader(most), index);
  }

  FakePictureReader reader(std::size_t most) {
    FakePictureReader reader;
    reader.says_version = version_;
    reader.read_files = [this, most](std::span<const std::filesystem::path> files,
                                     const TakeFeatures& take) {
      for (std::size_t i = 0; i < files.size(); ++i) {
        if (i == most) throw Interrupted("stopped");
        if (before_reading_) before_reading_(files[i]);
        if (!std::filesystem::exists(files[i])) {
          take(i, {}, "no such file");
          continue;
        }
        const std::string content = read_file(files[i]);
        encoded_.push_back(files[i].lexically_relative(root()).string());
        const bool newer = content.size() == 2 && content[1] == '+' && version_ != "old";
        const bool moves = files[i].extension() == ".gif";
        if ((content.size() == 1 || newer || moves) && content[0] >= '0' && content[0] <= '4') {
          take(i, std::span(rows).subspan(static_cast<std::size_t>(content[0] - '0') * 7, 7), "");
        } else {
          take(i, {}, "no picture");
        }
      }
    };
    reader.lacks_films = !has_film_reader_;
    reader.read_frames = [this, most](std::span<const std::filesystem::path> films, int frames,
                                      const TakeFilm& take) {
      for (std::size_t i = 0; i < films.size(); ++i) {
        if (i == most) throw Interrupted("stopped");
        encoded_.push_back(films[i].lexically_relative(root()).string());
        FilmFrames read;
        std::string images = read_file(films[i]).substr(0, static_cast<std::size_t>(frames));
        if (images.find_first_not_of("01234") != std::string::npos) images.clear();
        for (const char image : images) {
          read.at.push_back(static_cast<std::int64_t>(read.at.size()) * 5000 + 500);
          const auto row = std::span(rows).subspan(static_cast<std::size_t>(image - '0') * 7, 7);
          read.features.insert(read.features.end(), row.begin(), row.end());
        }
        take(i, read, images.empty() ? "no film" : "");
      }
    };
    // "0" was taken on the first of June 2024, "1" on the second; of the others nothing is known.
    // The first in Zurich, by a reader that is not the old one.
    reader.facts = [this](const std::filesystem::path& file) -> PictureFacts {
      const std::string content = read_file(file);
      if (content == "2" && version_ == "new") {
        return {Taken{parse_period("2024-06-03")->begin, TakenFrom::xmp}};
      }
      if (file.extension() == ".gif" && content.size() > 1 && version_ != "old") {
        PictureFacts moving;
        moving.moves = true;
        return moving;
      }
      if (content != "0" && content != "1") return {};
      PictureFacts facts{Taken{parse_period(content == "0" ? "2024-06-01" : "2024-06-02")->begin,
                               TakenFrom::exif}};
      if (version_ == "old") return facts;
      facts.camera = content == "0" ? "NIKON D750" : "Apple iPhone 12";
      if (content == "0") facts.place = Coordinates{47.3769, 8.5417};
      if (content == "0") facts.lens = "35.0 mm f/1.8";
      facts.exposure = "1/250 s";
      facts.width = content == "0" ? 4000 : 1080;
      facts.height = content == "0" ? 3000 : 1920;
      return facts;
    };
    return reader;
  }

  // Each file's vector is that of the image which it shows.
  void expect_vectors(const std::map<std::string, int>& shown) const {
    const Index mine = Index::open(index()), whole = Index::open(folder / "index");
    ASSERT_EQ(mine.size(), shown.size());
    for (const auto& [file, image] : shown) {
      const auto at = mine.find(file);
      ASSERT_TRUE(at.has_value()) << file;
      for (const std::string& space : mine.contents().spaces) {
        EXPECT_EQ(mine.vector(*at, space), whole.vector(static_cast<std::size_t>(image), space))
            << file;
      }
      EXPECT_EQ(std::filesystem::path(mine.picture(*at)),
                std::filesystem::canonical(root()) / file.substr(0, file.find("#t=")));
    }
  }

  std::vector<std::string> encoded_;
  std::optional<std::vector<std::string>> exclude_;
  Graphs graphs_ = Graphs::where_worth;
  std::optional<int> codes_;
  PicturesInput::GrowingPause growing_pause_;
  std::optional<int> film_frames_;
  std::optional<std::filesystem::path> towns_;
  std::optional<Part> part_;
  bool has_film_reader_ = true;
  std::string version_;  // of the reader; "old" reads no picture of "0+"
  std::function<void(const std::filesystem::path& file)> before_reading_;
};

}  // namespace hinny
