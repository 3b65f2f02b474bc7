// For the importers' tests: a temporary folder to read from and one to write to.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <functional>
#include <string>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "data/dataset.h"
#include "data/importers/import_writer.h"
#include "tests/scratch.h"

namespace hinny {

struct ImportTest : testing::Test {
  Scratch root;
  std::filesystem::path source = root / "source";
  std::filesystem::path out = root / "out";
  ImportSummary summary;

  ImportTest() { create_folder(source); }

  // A file below source/; its folders are made. A name that ends in .gz is compressed.
  std::filesystem::path put(const std::string& name, const std::string& content) const {
    std::filesystem::path path = source / name;
    create_folder(path.parent_path());
    if (path.extension() != ".gz") {
      write_file(path, content);
      return path;
    }
    gzFile file = gzopen(path.c_str(), "wb");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
    return path;
  }

  // Imports into out/ and loads it as a user would.
  Dataset import(const std::function<void(ImportWriter&)>& read, const SourceChoice& sources = {},
                 bool keep_repeats = false) {
    ImportWriter writer(out, sources, keep_repeats);
    read(writer);
    summary = writer.commit();
    return Dataset::load(out);
  }

  // The message of the InputError that `read` ends in, or "".
  std::string error_of(const std::function<void(ImportWriter&)>& read) {
    try {
      import(read);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  // "id lang source: text" of each caption.
  static std::vector<std::string> captions_of(const Dataset& dataset) {
    std::vector<std::string> lines;
    for (const Caption& caption : dataset.captions()) {
      lines.push_back(dataset.images()[static_cast<std::size_t>(caption.image)].id + " " +
                      dataset.languages()[static_cast<std::size_t>(caption.language)] + " " +
                      std::string(source_name(caption.source)) + ": " + caption.text);
    }
    return lines;
  }
  // "id split file" of each image.
  static std::vector<std::string> images_of(const Dataset& dataset) {
    std::vector<std::string> lines;
    for (const Image& image : dataset.images()) {
      lines.push_back(image.id + " " + image.split + " " + image.file);
    }
    return lines;
  }
};

}  // namespace hinny
