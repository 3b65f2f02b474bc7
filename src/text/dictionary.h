// Words of one language and what they are in another: FOLDER/de-en.tsv,
// docs/formats/translations.md.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace hinny {

class Dictionary {
 public:
  // Lines of a word, a tab and a word, as people write them: both are normalised as captions are,
  // and a line with several words on one side is left out. Throws InputError with the line where
  // there is no tab, and for a file without any pair of words.
  static Dictionary read(const std::filesystem::path& folder, const std::string& from,
                         const std::string& to);
  // Whether FOLDER has the file.
  static bool there(const std::filesystem::path& folder, const std::string& from,
                    const std::string& to);

  // The translations of a normalised word in the file's order; none when it is not there.
  const std::vector<std::string>& find(const std::string& word) const;
  std::size_t size() const { return entries_.size(); }

 private:
  std::unordered_map<std::string, std::vector<std::string>> entries_;
};

}  // namespace hinny
