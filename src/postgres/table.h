// A table of pictures in a database, and what Hinny writes down of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "postgres/connection.h"
#include "postgres/template.h"

namespace hinny {

// Numbers of four bytes or of two.
enum class VectorType { vector, halfvec };
// "vector" and "halfvec", as PostgreSQL names them. Throws InputError for another name.
VectorType vector_type(const std::string& name);
std::string name_of(VectorType type);

// A line of hinny_collections.
struct TableFacts {
  std::string model;  // its hash
  VectorType type = VectorType::halfvec;
  std::size_t columns = 0;  // numbers of a row
  bool corrected = false;   // the last of them is added to the scores of sentences
  std::size_t images = 0;
  bool times = false;
  std::string pictures;      // folder, where they were indexed
  std::string index_folder;  // that was pushed
};

// What the template's names stand for, of a table with or without its schema.
SqlTemplate::Names names_of(const Connection& connection, const std::string& table);
void add_names_of(const TableFacts& facts, SqlTemplate::Names& names);

// None where the table was not pushed by Hinny.
std::optional<TableFacts> read_facts(Connection& connection, const SqlTemplate::Names& names);
// The same where the table of such tables is known to be there.
std::optional<TableFacts> read_line(Connection& connection, const SqlTemplate::Names& names);
void write_facts(Connection& connection, const SqlTemplate::Names& names, const TableFacts& facts);
// Whether a table has this (quoted) name.
bool is_there(Connection& connection, const std::string& quoted);

}  // namespace hinny
