// For tests: a run whose pictures a made-up network sees, and the bundle of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "index/bundle/archive_fixture.h"
#include "index/bundle/bundle.h"
#include "index/folder/index_fixture.h"

namespace hinny {

class BundleFixture : public IndexFixture {
 protected:
  void SetUp() override {
    IndexFixture::SetUp();
    write_file(folder / "net.onnx", "network");
    write_file(folder / "net.onnx.json", R"({"size": 256, "crop": 224})");
  }
  PictureModel run() const { return PictureModel::open(folder / "run", {folder / "net.onnx"}); }
  std::filesystem::path bundle() const {
    write_bundle(run(), {std::nullopt, "CC-BY-4.0", std::nullopt}, folder / "bundle");
    return folder / "bundle";
  }
  // The same with everything a bundle may hold, as entries of an archive.
  std::vector<ArchiveEntry> entries(const std::string& top = "") const {
    std::vector<ArchiveEntry> all;
    const std::filesystem::path whole = bundle();
    for (const std::string& name : files_of_bundle(whole)) {
      all.push_back({top + name, read_file(whole / name)});
    }
    return all;
  }
};

}  // namespace hinny
