#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "retrieval/paired_comparison.h"
#include "retrieval/recall.h"

namespace hinny {
namespace {

using nlohmann::ordered_json;

std::vector<PairedDifference> rows_of(const PairedTable& table) {
  std::vector<PairedDifference> rows = table.languages;
  rows.push_back(table.average);
  return rows;
}

// Two decimals, and no -0.
double rounded(double value) { return std::round(value * 100) / 100 + 0.0; }

std::string interval_text(const PairedDifference& row) {
  return fmt::format("{:+.2f} to {:+.2f}", rounded(row.low), rounded(row.high));
}

ordered_json json_of(const PairedDifference& row) {
  return {{"captions", row.captions},
          {"run", rounded(row.first)},
          {"against", rounded(row.second)},
          {"difference", rounded(row.difference)},
          {"interval", {rounded(row.low), rounded(row.high)}},
          {"p", std::round(row.p * 10'000) / 10'000}};
}

}  // namespace

std::string as_text(const PairedTable& table) {
  std::string text = fmt::format("{}: {} images\nRUN   {}\nRUN2  {}\n\n", table.split, table.images,
                                 table.first_run, table.second_run);
  text += fmt::format("{:<13}  {:>6}  {:>6}  {:>10}  {:>16}  {:>6}\n", "mR", "RUN", "RUN2",
                      "difference", "95 % interval", "p");
  for (const PairedDifference& row : rows_of(table)) {
    text += fmt::format("{:<13}  {:>6.2f}  {:>6.2f}  {:>+10.2f}  {:>16}  {:>6.4f}\n", row.language,
                        row.first, row.second, rounded(row.difference), interval_text(row), row.p);
  }
  return text;
}

std::string as_markdown(const PairedTable& table) {
  std::string text =
      "| mR | RUN | RUN2 | difference | 95 % interval | p |\n"
      "|---|---|---|---|---|---|\n";
  for (const PairedDifference& row : rows_of(table)) {
    text += fmt::format("| {} | {:.2f} | {:.2f} | {:+.2f} | {} | {:.4f} |\n", row.language,
                        row.first, row.second, rounded(row.difference), interval_text(row), row.p);
  }
  return text;
}

std::string as_json(const PairedTable& table) {
  ordered_json languages = ordered_json::object();
  for (const PairedDifference& row : table.languages) languages[row.language] = json_of(row);
  const ordered_json json = {{"split", table.split},   {"images", table.images},
                             {"run", table.first_run}, {"against", table.second_run},
                             {"languages", languages}, {"average", json_of(table.average)},
                             {"rounds", kRounds}};
  // A path may be no UTF-8.
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace hinny
