#include "postgres/parts.h"

#include <fmt/format.h>

namespace hinny {
namespace {

// A part of the template once for each server.
std::string of_each(const SqlTemplate& sql, std::string_view part, const SqlTemplate::Names& names,
                    std::span<const SqlTemplate::Names> parts) {
  std::string statements;
  for (const SqlTemplate::Names& own : parts) {
    SqlTemplate::Names both = own;
    both.insert(names.begin(), names.end());
    statements += sql.fill(part, both);
  }
  return statements;
}

}  // namespace

std::vector<SqlTemplate::Names> parts_of(const Connection& connection, const std::string& table,
                                         std::span<const std::string> servers) {
  const std::size_t dot = table.find('.');
  const std::string bare = dot == std::string::npos ? table : table.substr(dot + 1);
  std::vector<SqlTemplate::Names> parts;
  for (const std::string& address : servers) {
    const ServerPlace place = server_place(address);
    const std::string name = fmt::format("{}_{}", bare, parts.size() + 1);
    parts.push_back({{"server", connection.identifier(name)},
                     {"server_text", connection.literal(name)},
                     {"part", connection.identifier(name)},
                     {"part_text", connection.literal(name)},
                     {"host", connection.literal(place.host)},
                     {"port", connection.literal(place.port)},
                     {"database", connection.literal(place.database)},
                     {"user", connection.literal(place.user)},
                     {"password", connection.literal(place.password)},
                     {"count", std::to_string(servers.size())},
                     {"remainder", std::to_string(parts.size())}});
  }
  return parts;
}

std::string create_parted(const SqlTemplate& sql, const SqlTemplate::Names& names,
                          std::span<const SqlTemplate::Names> parts) {
  return sql.fill("servers", names) + of_each(sql, "server", names, parts) +
         sql.fill("create_parted", names) + of_each(sql, "part", names, parts);
}

std::string index_parted(const SqlTemplate& sql, const SqlTemplate::Names& names,
                         std::span<const SqlTemplate::Names> parts) {
  return of_each(sql, "index_part", names, parts) + of_each(sql, "await_part", names, parts) +
         fmt::format("ANALYZE {};", names.at("staging"));
}

}  // namespace hinny
