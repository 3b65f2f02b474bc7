// A dataset small enough to train on in a test, in a folder that goes with the object.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/npy.h"
#include "base/random.h"
#include "data/dataset.h"
#include "tests/scratch.h"

namespace hinny {

// (dictionaries/de-en.tsv of the folder translates the words of colours and kinds.)
// 40 images (24 train, 8 val, 8 test) of a colour and a kind, with two captions each in "en" and
// "de" that name both, and features "toy" [images, 12] from which both can be read, as from "grid"
// [images, 3, 12], whose first region has the colour and whose second the kind.
class TinyDataset {
 public:
  // Of the 24 only the first `train` are in the split "train"; 20 are all of different kinds.
  explicit TinyDataset(std::size_t train = 24) : train_(train) {
    std::filesystem::create_directories(folder_ / "features");
    write();
  }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  void write() {
    const std::vector<std::string> colours[] = {{"red", "blue", "green", "white", "black"},
                                                {"rot", "blau", "gruen", "weiss", "schwarz"}};
    const std::vector<std::string> kinds[] = {{"ball", "house", "tree", "car"},
                                              {"Ball", "Haus", "Baum", "Auto"}};
    DatasetWriter writer(folder_);
    NpyWriter features(folder_ / "features" / "toy.npy", {12}, NpyType::float32);
    NpyWriter grid(folder_ / "features" / "grid.npy", {3, 12}, NpyType::float32);
    std::string ids;
    Random random(1), noise(2);
    for (std::size_t i = 0; i < 40; ++i) {
      std::string id = "i";
      id += std::to_string(i);
      const std::size_t colour = i % 5, kind = i / 5 % 4;
      writer.image({id,
                    i < train_ ? "train"
                    : i < 24   ? "left"
                               : (i < 32 ? "val" : "test"),
                    id + ".png"});
      for (std::size_t l = 0; l < 2; ++l) {
        const std::string language = l == 0 ? "en" : "de";
        const std::string both = colours[l][colour] + " " + kinds[l][kind];
        writer.caption(id, language, both, Source::human_original);
        writer.caption(id, language, both + " there", Source::human_original);
      }
      std::vector<float> row(12);
      for (float& number : row) number = static_cast<float>(0.1 * random.normal());
      row[colour] += 1;
      row[5 + kind] += 1;
      features.append(row);
      std::vector<float> regions(36);
      for (float& number : regions) number = static_cast<float>(0.1 * noise.normal());
      regions[colour] += 1;
      regions[12 + 5 + kind] += 1;
      grid.append(regions);
      ids += id + "\n";
    }
    writer.commit();
    features.commit();
    grid.commit();
    write_file(folder_ / "features" / "ids.txt", ids);
    std::string entries;
    for (std::size_t i = 0; i < 5; ++i) entries += colours[1][i] + "\t" + colours[0][i] + "\n";
    for (std::size_t i = 0; i < 4; ++i) entries += kinds[1][i] + "\t" + kinds[0][i] + "\n";
    std::filesystem::create_directories(folder_ / "dictionaries");
    write_file(folder_ / "dictionaries" / "de-en.tsv", entries);
  }

  std::size_t train_;
  Scratch folder_;
};

}  // namespace hinny
