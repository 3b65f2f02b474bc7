// Line-aligned files of several languages, PREFIX.LANGUAGE or PREFIX.LANGUAGE.gz: line i of
// each is the same sentence.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/dataset.h"

namespace hinny {

// A language's file: PREFIX.LANGUAGE, else PREFIX.LANGUAGE.gz, here or inside $HINNY_DATA.
std::optional<std::filesystem::path> parallel_file(const std::string& prefix,
                                                   const std::string& language);

// The lines that a dataset's captions are on. Texts are compared by their words: case, punctuation
// and how words are joined do not matter.
class ParallelText {
 public:
  // `prefix`: a path, or one inside $HINNY_DATA. Languages without a file are left out. Throws
  // InputError when fewer than two languages have one, or when their files differ in length.
  static ParallelText read(const std::string& prefix, const std::vector<std::string>& languages);

  // Whether the language, by position, has a file.
  bool has(std::size_t language) const { return !lines_[language].empty(); }
  // For each of the dataset's captions, the lines that it stands on.
  std::vector<std::vector<std::uint32_t>> places(const Dataset& dataset) const;

 private:
  std::vector<std::string> languages_;
  // By language: a text's words, and the lines that it is on.
  std::vector<std::unordered_map<std::string, std::vector<std::uint32_t>>> lines_;
};

// Of each image's captions in languages with a file keeps those on one line, the one that the most
// of these languages have; none of an image where that is fewer than two. Captions without `keep`,
// one entry each, do not count. Returns how many images have such a line.
std::size_t filter_parallel_captions(const Dataset& dataset, const ParallelText& text,
                                     std::span<const int> images, std::vector<bool>& keep);

}  // namespace hinny
