// The nearest pictures of a table, which PostgreSQL finds.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "index/asking/engine.h"
#include "postgres/address.h"
#include "postgres/template.h"

namespace hinny {

struct PostgresOptions {
  std::chrono::milliseconds patience{10'000};  // for each answer
  // The folder that holds the pictures' files: "" for none, nothing for the one where they were
  // when their index was pushed. A file is always below it, whatever the table says.
  std::optional<std::filesystem::path> pictures{};
  SqlTemplate sql{};
};

// Connects, and throws as Engine's calls do. Keeps as many connections as threads ask at once.
std::unique_ptr<Engine> open_postgres(const PostgresAddress& address, PostgresOptions options);

// The folder of the index that was pushed to the table, on the machine that pushed it.
std::filesystem::path pushed_index(const PostgresAddress& address,
                                   std::chrono::milliseconds patience);

}  // namespace hinny
