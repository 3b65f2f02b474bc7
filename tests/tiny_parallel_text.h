// Lines in English, German and French about the pictures of TinyDataset, and a teacher of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/npy.h"
#include "data/dataset.h"
#include "tests/scratch.h"

namespace hinny {

// 20 parallel sentences to learn from, of every colour and kind, and five of them once more to be
// judged by. The teacher's vectors of the English ones are what TinyDataset's features "toy" have
// of such a picture, without noise.
class TinyParallelText {
 public:
  TinyParallelText() {
    const std::string colours[][3] = {{"red", "rot", "rouge"},
                                      {"blue", "blau", "bleu"},
                                      {"green", "gruen", "vert"},
                                      {"white", "weiss", "blanc"},
                                      {"black", "schwarz", "noir"}};
    const std::string kinds[][3] = {{"ball", "Ball", "ballon"},
                                    {"house", "Haus", "maison"},
                                    {"tree", "Baum", "arbre"},
                                    {"car", "Auto", "voiture"}};
    DatasetWriter writer(folder());
    std::string sentences;
    std::vector<float> rows;
    for (std::size_t i = 0; i < 25; ++i) {
      const std::string id = "l" + std::to_string(i);
      const auto &colour = colours[i % 5], &kind = kinds[i / 5 % 4];
      writer.image({id, i < 20 ? "train" : "val", ""});
      writer.caption(id, "en", colour[0] + " " + kind[0], Source::human_original);
      writer.caption(id, "de", colour[1] + " " + kind[1], Source::human_translation);
      writer.caption(id, "fr", kind[2] + " " + colour[2], Source::human_translation);
      sentences += colour[0] + " " + kind[0] + "\n";
      std::vector<float> row(12);
      row[i % 5] = row[5 + i / 5 % 4] = 1;
      rows.insert(rows.end(), row.begin(), row.end());
    }
    writer.commit();
    write_file(scratch_ / "english.txt", sentences);
    write_npy(teacher(), rows, {25, 12});
  }
  std::string folder() const { return scratch_ / "lines"; }
  std::string teacher() const { return scratch_ / "english.npy"; }

 private:
  Scratch scratch_;
};

}  // namespace hinny
