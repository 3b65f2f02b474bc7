// An index -> a table of a database that other programs ask too.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "index/folder/index.h"
#include "postgres/address.h"
#include "postgres/table.h"
#include "postgres/template.h"

namespace hinny {

struct PushOptions {
  VectorType type = VectorType::halfvec;
  std::size_t memory = std::size_t{2} << 30U;  // bytes that the server may take to make its index
  std::chrono::milliseconds patience{60'000};  // for each answer
  SqlTemplate sql{};
  // Addresses of servers that a new table's rows are spread over; none: the one that is pushed to.
  std::vector<std::string> servers{};
};

struct PushDone {
  std::size_t added = 0, changed = 0, removed = 0, kept = 0;
  std::size_t sent = 0;              // rows; others were there from a push that was interrupted
  double sending = 0, indexing = 0;  // seconds
};

// Makes the table hold the index's pictures and no other. Rows go to a table beside it first, so
// that whoever searches sees the old table until all is there; what an interrupted push has sent
// stays there, and the next one goes on. Throws InputError for a table that is not Hinny's or holds
// vectors of another model or size, and as Connection. Shows progress, stops at Ctrl-C.
PushDone push_index(const Index& index, const PostgresAddress& address, const PushOptions& options);

}  // namespace hinny
