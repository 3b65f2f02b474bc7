#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/error.h"
#include "cli/data/inspect_kinds.h"
#include "encoder/model.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

// Words by language, the most frequent first.
using Words = std::map<std::string, std::vector<std::string>>;

std::map<std::int64_t, Words> words_of_tokens(const Model& model) {
  std::map<std::int64_t, Words> tokens;
  for (const std::string& language : model.config().languages) {
    const TextSpec& text = model.text(language);
    if (text.latents.empty()) {
      throw InputError(model.folder() / kConfigFile, "no latent tokens",
                       "a model trained with text.latents (smalr, hem, la)");
    }
    const auto own = static_cast<std::int32_t>(model.weights().rows(text.words));
    std::int32_t id = own;
    for (const float token : model.weights().numbers(text.latent_of)) {
      if (id >= kFirstWord) {
        tokens[static_cast<std::int64_t>(token)][language].emplace_back(
            model.vocabulary(language).word(id));
      }
      ++id;
    }
  }
  return tokens;
}

std::size_t count(const Words& words) {
  std::size_t sum = 0;
  for (const auto& item : words) sum += item.second.size();
  return sum;
}

}  // namespace

ordered_json inspect_latent(const std::filesystem::path& folder) {
  const Model model = Model::open(folder);
  const std::map<std::int64_t, Words> by_token = words_of_tokens(model);
  std::vector<std::pair<std::int64_t, const Words*>> tokens;
  std::size_t words = 0, across = 0;
  for (const auto& [token, shared] : by_token) {
    tokens.emplace_back(token, &shared);
    words += count(shared);
    across += shared.size() > 1 ? 1 : 0;
  }
  std::ranges::stable_sort(
      tokens, [](const auto& a, const auto& b) { return count(*a.second) > count(*b.second); });
  ordered_json list = ordered_json::array();
  for (const auto& [token, shared] : tokens) {
    ordered_json entry = {{"token", token}, {"words", count(*shared)}};
    for (const auto& [language, own] : *shared) entry[language] = own;
    list.push_back(entry);
  }
  return {{"tokens", tokens.size()},
          {"tokens of several languages", across},
          {"words that share", words},
          {"table", list}};
}

std::string latent_as_text(const ordered_json& description) {
  constexpr std::size_t kRows = 40, kWords = 6;
  std::string text = fmt::format("{} tokens, {} of them of several languages, for {} words\n\n",
                                 description["tokens"].get<std::size_t>(),
                                 description["tokens of several languages"].get<std::size_t>(),
                                 description["words that share"].get<std::size_t>());
  const ordered_json& table = description["table"];
  for (std::size_t i = 0; i < std::min(kRows, table.size()); ++i) {
    text += fmt::format("{:>6}  {:>4} words ", table[i]["token"].get<std::int64_t>(),
                        table[i]["words"].get<std::size_t>());
    for (const auto& [language, words] : table[i].items()) {
      if (!words.is_array()) continue;
      auto some = words.get<std::vector<std::string>>();
      const bool more = some.size() > kWords;
      some.resize(std::min(some.size(), kWords));
      text += fmt::format(" {}: {}{};", language, fmt::join(some, ", "), more ? " ..." : "");
    }
    text += "\n";
  }
  if (table.size() > kRows) {
    text += fmt::format("... and {} more (--json)\n", table.size() - kRows);
  }
  return text;
}

}  // namespace hinny
