#include "postgres/address.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace hinny {
namespace {

constexpr std::size_t kLongestName = 40;  // PostgreSQL takes 63 bytes; ours add to it

bool is_plain(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  const auto fits = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= kLongestName && letter(name.front()) &&
         std::ranges::all_of(name, fits);
}

}  // namespace

bool is_postgres_address(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

PostgresAddress parse_postgres_address(const std::string& text) {
  constexpr std::string_view kTable = "table=";
  const std::size_t mark = text.find('?');
  PostgresAddress address{text.substr(0, mark), ""};
  char before = '?';
  for (std::size_t begin = mark; begin < text.size();) {
    const std::size_t end = std::min(text.find('&', begin + 1), text.size());
    const std::string_view parameter = std::string_view(text).substr(begin + 1, end - begin - 1);
    if (!parameter.starts_with(kTable)) {
      address.connection += before;
      address.connection += parameter;
      before = '&';
    } else if (address.table.empty()) {
      address.table = parameter.substr(kTable.size());
      check_table_name(address.table);
    } else {
      throw InputError("an address with two tables", "one table=NAME");
    }
    begin = end;
  }
  return address;
}

PostgresAddress parse_table_address(const std::string& text) {
  PostgresAddress address = parse_postgres_address(text);
  if (address.table.empty()) throw InputError("an address without a table", "?table=NAME");
  return address;
}

void check_table_name(std::string_view name) {
  const std::size_t dot = name.find('.');
  const bool plain = dot == std::string_view::npos
                         ? is_plain(name)
                         : is_plain(name.substr(0, dot)) && is_plain(name.substr(dot + 1));
  if (plain) return;
  throw InputError(
      fmt::format("a table named '{}'", name),
      fmt::format("NAME or SCHEMA.NAME of letters, digits and _, at most {} each", kLongestName));
}

}  // namespace hinny
