// A table whose rows several servers hold: PostgreSQL's own partitions and foreign tables, made by
// the template. Hinny speaks to the one that holds them together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "postgres/connection.h"
#include "postgres/template.h"

namespace hinny {

// What the template's names stand for, for each of the servers. Throws InputError for one that is
// no address.
std::vector<SqlTemplate::Names> parts_of(const Connection& connection, const std::string& table,
                                         std::span<const std::string> servers);

std::string create_parted(const SqlTemplate& sql, const SqlTemplate::Names& names,
                          std::span<const SqlTemplate::Names> parts);
std::string index_parted(const SqlTemplate& sql, const SqlTemplate::Names& names,
                         std::span<const SqlTemplate::Names> parts);

}  // namespace hinny
