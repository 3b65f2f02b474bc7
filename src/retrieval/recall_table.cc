#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "retrieval/recall.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

double mean_of(const std::vector<LanguageRecall>& languages, bool human_only) {
  double sum = 0;
  int count = 0;
  for (const LanguageRecall& language : languages) {
    if (human_only && !language.human) continue;
    sum += language.mean();
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / count;
}

std::string percent(double value) {
  return std::isnan(value) ? std::string("-") : fmt::format("{:.1f}", value);
}

ordered_json rounded(double value) {
  if (std::isnan(value)) return nullptr;
  return std::round(value * 100) / 100;
}

ordered_json json_of(const Recall& recall) {
  return {{"r1", rounded(recall.r1)}, {"r5", rounded(recall.r5)}, {"r10", rounded(recall.r10)}};
}

std::string name_of(const LanguageRecall& language) {
  return language.language + (language.human ? "" : " *");
}

bool any_machine_made(const RecallTable& table) {
  for (const LanguageRecall& language : table.languages) {
    if (!language.human) return true;
  }
  return false;
}

constexpr std::string_view kNotHuman = "* captions that no person wrote or edited";

}  // namespace

double RecallTable::average() const { return mean_of(languages, false); }
double RecallTable::human_average() const { return mean_of(languages, true); }

std::string as_text(const RecallTable& table) {
  std::string text = fmt::format("{}: {} images\n\n", table.split, table.images);
  text += fmt::format("{:<13}  {:^20}   {:^20}\n", "", "image -> text", "text -> image");
  text += fmt::format("{:<13}  {:>6} {:>6} {:>6}   {:>6} {:>6} {:>6}   {:>6}  {:>8}\n", "language",
                      "R@1", "R@5", "R@10", "R@1", "R@5", "R@10", "mR", "captions");
  for (const LanguageRecall& row : table.languages) {
    const Recall& i = row.image_to_text;
    const Recall& t = row.text_to_image;
    text += fmt::format("{:<13}  {:>6} {:>6} {:>6}   {:>6} {:>6} {:>6}   {:>6}  {:>8}\n",
                        name_of(row), percent(i.r1), percent(i.r5), percent(i.r10), percent(t.r1),
                        percent(t.r5), percent(t.r10), percent(row.mean()), row.captions);
  }
  text += fmt::format("{:<61}{:>6}\n", "average", percent(table.average()));
  text += fmt::format("{:<61}{:>6}\n", "human average", percent(table.human_average()));
  if (any_machine_made(table)) text += fmt::format("{}\n", kNotHuman);
  text += fmt::format("\nparameters: {} trained, {} to search\n", table.train_parameters,
                      table.search_parameters);
  return text;
}

std::string as_markdown(const RecallTable& table) {
  std::string text =
      "| language | i2t R@1 | R@5 | R@10 | t2i R@1 | R@5 | R@10 | mR |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const LanguageRecall& row : table.languages) {
    const Recall& i = row.image_to_text;
    const Recall& t = row.text_to_image;
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name_of(row), percent(i.r1),
                        percent(i.r5), percent(i.r10), percent(t.r1), percent(t.r5), percent(t.r10),
                        percent(row.mean()));
  }
  text += fmt::format("| average | | | | | | | {} |\n", percent(table.average()));
  text += fmt::format("| human average | | | | | | | {} |\n", percent(table.human_average()));
  if (any_machine_made(table)) text += fmt::format("\n\\{}\n", kNotHuman);
  return text;
}

std::string as_json(const RecallTable& table) {
  ordered_json languages = ordered_json::object();
  for (const LanguageRecall& row : table.languages) {
    languages[row.language] = {{"captions", row.captions},
                               {"image_to_text", json_of(row.image_to_text)},
                               {"text_to_image", json_of(row.text_to_image)},
                               {"mean_recall", rounded(row.mean())}};
  }
  const ordered_json json = {
      {"split", table.split},
      {"images", table.images},
      {"languages", languages},
      {"average", rounded(table.average())},
      {"human_average", rounded(table.human_average())},
      {"parameters", {{"train", table.train_parameters}, {"search", table.search_parameters}}}};
  return json.dump();
}

}  // namespace hinny
