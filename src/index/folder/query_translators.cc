#include "index/folder/query_translators.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/folders.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

fs::path folder_of(const fs::path& index, std::size_t number) {
  return index / kTranslatorsFolder / std::to_string(number);
}

}  // namespace

void store_translators(const Model& model, const std::vector<fs::path>& translators,
                       WeightType type, const fs::path& folder) {
  for (std::size_t i = 0; i < translators.size(); ++i) {
    const Translator translator = Translator::open(translators[i]);
    const auto knows = [&](const std::string& language) {
      return model.config().text.contains(language);
    };
    const bool useful = std::ranges::any_of(translator.directions(), [&](const Direction& way) {
      return knows(way.from) && knows(way.to);
    });
    if (!useful) {
      throw InputError(translators[i], "translates none of the model's languages into another",
                       fmt::format("{}", fmt::join(model.config().languages, ", ")));
    }
    create_folder(folder_of(folder, i));
    export_translator(translators[i], type, folder_of(folder, i));
  }
}

QueryTranslators::QueryTranslators(const Index& index) : index_(index) {
  for (std::size_t i = 0; fs::is_directory(folder_of(index.folder(), i)); ++i) {
    if (i == 0) index.check_below(kTranslatorsFolder);
    translators_.push_back(Translator::open(folder_of(index.folder(), i)));
  }
}

std::vector<Sentence> QueryTranslators::operator()(const std::string& text,
                                                   const std::string& language) const {
  const auto& languages = index_.model().config().text;
  std::vector<Sentence> sentences;
  std::set<std::string> said = {language};
  for (const Translator& translator : translators_) {
    for (const Direction& direction : translator.directions()) {
      const auto into = languages.find(direction.to);
      if (direction.from != language || into == languages.end() ||
          into->second.space != languages.at(language).space || !said.insert(direction.to).second) {
        continue;
      }
      std::string translation = translator.translate(text, direction);
      if (!translation.empty()) sentences.push_back({direction.to, std::move(translation)});
    }
  }
  return sentences;
}

}  // namespace hinny
