// Of a build without PostgreSQL's headers.
#include "base/error.h"
#include "postgres/postgres_engine.h"
#include "postgres/push.h"

namespace hinny {
namespace {

[[noreturn]] void refuse() {
  throw InputError("this hinny was built without PostgreSQL",
                   "one that was built where libpq-dev is installed");
}

}  // namespace

std::unique_ptr<Engine> open_postgres(const PostgresAddress&, PostgresOptions) { refuse(); }

std::filesystem::path pushed_index(const PostgresAddress&, std::chrono::milliseconds) { refuse(); }

PushDone push_index(const Index&, const PostgresAddress&, const PushOptions&) { refuse(); }

VectorType vector_type(const std::string&) { refuse(); }

}  // namespace hinny
