// Where a collection's pictures lie, for imports that link them: docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/importers/import_writer.h"

namespace hinny {

class PictureFolder {
 public:
  PictureFolder() = default;  // none was given: names stay as they are
  // Pictures may lie in `parts` of the folder as well. InputError where it is no folder.
  PictureFolder(std::filesystem::path folder, std::vector<std::string> parts);

  // The picture's path in the folder. InputError at `place` where it is not there.
  std::string find(const std::string& name, const Place& place) const;
  // Makes `dataset`/images a link to the folder; nothing where none was given.
  void link(const std::filesystem::path& dataset) const;

 private:
  std::filesystem::path folder_;
  std::vector<std::string> parts_;
};

}  // namespace hinny
