#include "postgres/table.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "base/error.h"
#include "postgres/address.h"

namespace hinny {
namespace {

constexpr const char* kCollections = "hinny_collections";
constexpr const char* kStaging = "_push";
constexpr std::size_t kInPage = 7000;  // bytes of a row that a page of 8 KiB certainly holds

std::size_t count_in(std::string_view text) {
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

}  // namespace

VectorType vector_type(const std::string& name) {
  if (name == "vector") return VectorType::vector;
  if (name == "halfvec") return VectorType::halfvec;
  throw InputError(fmt::format("vectors of type '{}'", name), "vector or halfvec");
}

std::string name_of(VectorType type) { return type == VectorType::vector ? "vector" : "halfvec"; }

SqlTemplate::Names names_of(const Connection& connection, const std::string& table) {
  check_table_name(table);
  const std::size_t dot = table.find('.');
  const std::string bare = dot == std::string::npos ? table : table.substr(dot + 1);
  const std::string schema =
      dot == std::string::npos ? "" : connection.identifier(table.substr(0, dot)) + ".";
  const std::string staging = schema + connection.identifier(bare + kStaging);
  return {{"table", schema + connection.identifier(bare)},
          {"bare_table", connection.identifier(bare)},
          {"table_text", connection.literal(bare)},
          {"staging", staging},
          {"staging_text", connection.literal(staging)},
          {"collections", schema + connection.identifier(kCollections)}};
}

void add_names_of(const TableFacts& facts, SqlTemplate::Names& names) {
  const std::size_t bytes = facts.columns * (facts.type == VectorType::vector ? 4 : 2);
  names["type"] = name_of(facts.type);
  names["operators"] = name_of(facts.type) + "_ip_ops";
  names["columns"] = std::to_string(facts.columns);
  names["storage"] = bytes <= kInPage ? "PLAIN" : "EXTERNAL";
}

bool is_there(Connection& connection, const std::string& quoted) {
  const std::vector<Connection::Parameter> name = {quoted};
  return !connection.query("SELECT to_regclass($1)", name).is_null(0, 0);
}

std::optional<TableFacts> read_facts(Connection& connection, const SqlTemplate::Names& names) {
  if (!is_there(connection, names.at("collections"))) return std::nullopt;
  return read_line(connection, names);
}

std::optional<TableFacts> read_line(Connection& connection, const SqlTemplate::Names& names) {
  const Rows rows = connection.query(fmt::format(
      "SELECT model, type, columns, corrected, images, times, pictures, index_folder FROM {} "
      "WHERE name = {}",
      names.at("collections"), names.at("table_text")));
  if (rows.count() == 0) return std::nullopt;
  return TableFacts{std::string(rows.text(0, 0)), vector_type(std::string(rows.text(0, 1))),
                    count_in(rows.text(0, 2)),    rows.text(0, 3) == "t",
                    count_in(rows.text(0, 4)),    rows.text(0, 5) == "t",
                    std::string(rows.text(0, 6)), std::string(rows.text(0, 7))};
}

void write_facts(Connection& connection, const SqlTemplate::Names& names, const TableFacts& facts) {
  const std::vector<Connection::Parameter> values = {facts.model,
                                                     name_of(facts.type),
                                                     std::to_string(facts.columns),
                                                     facts.corrected ? "t" : "f",
                                                     std::to_string(facts.images),
                                                     facts.times ? "t" : "f",
                                                     facts.pictures,
                                                     facts.index_folder};
  connection.query(fmt::format("DELETE FROM {} WHERE name = {}", names.at("collections"),
                               names.at("table_text")));
  connection.query(
      fmt::format("INSERT INTO {} (name, model, type, columns, corrected, images, times, pictures, "
                  "index_folder) VALUES ({}, $1, $2, $3, $4, $5, $6, $7, $8)",
                  names.at("collections"), names.at("table_text")),
      values);
}

}  // namespace hinny
