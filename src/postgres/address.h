// postgresql://USER@HOST:PORT/DATABASE?table=NAME
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// Whether a text is meant as such an address.
bool is_postgres_address(std::string_view text);

struct PostgresAddress {
  std::string connection;  // what libpq takes: the address without the table
  std::string table;       // "" where the address names none
};

// Throws InputError for a `table` that check_table_name would not take, or one named twice.
PostgresAddress parse_postgres_address(const std::string& text);

// The same; throws InputError for an address that names no table.
PostgresAddress parse_table_address(const std::string& text);

// A table's name is NAME or SCHEMA.NAME, each of at most 40 letters, digits and underscores and not
// beginning with a digit. Throws InputError for any other.
void check_table_name(std::string_view name);

}  // namespace hinny
