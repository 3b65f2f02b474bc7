// The pictures of an index as rows of a table, in the form that COPY ... BINARY takes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "index/folder/index.h"
#include "postgres/table.h"

namespace hinny {

// What stands before and behind the rows.
std::string copy_header();
std::string copy_trailer();

class TableRows {
 public:
  // The index must outlive it. Throws InputError for one whose pictures a table of one vector each
  // cannot hold: of several spaces, of regions, or of more numbers than an index takes.
  TableRows(const Index& index, VectorType type);

  const TableFacts& facts() const { return facts_; }
  std::size_t size() const { return index_.size(); }
  std::string id(std::size_t image) const { return std::string(index_.id(image)); }

  struct Row {
    std::string bytes;
    std::string digest;  // 32 hexadecimal digits
  };
  Row row(std::size_t image) const;

 private:
  const Index& index_;
  std::string space_;
  TableFacts facts_;
  std::filesystem::path root_;
  const std::vector<std::int64_t>* times_ = nullptr;
};

}  // namespace hinny
