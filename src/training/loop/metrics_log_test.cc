#include "training/loop/metrics_log.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

class MetricsLogTest : public testing::Test {
 protected:
  std::string opened_at(std::int64_t step, bool gathers) const {
    write_file(folder_ / "log",
               R"({"loss":3,"step":2}
{"step":3,"validation":40}
{"loss":2,"step":3}
{"loss":1,"step":4}
{"loss":)");
    MetricsLog(folder_ / "log", step, gathers).add({{"step", 9}});
    return read_file(folder_ / "log");
  }

 private:
  const Scratch folder_;
};

TEST_F(MetricsLogTest, GoesOnBehindTheCheckpointsStep) {
  EXPECT_EQ(opened_at(3, false), R"({"loss":3,"step":2}
{"step":3,"validation":40}
{"loss":2,"step":3}
{"step":9}
)");
  EXPECT_EQ(opened_at(0, false), "{\"step\":9}\n");
}

// Killed between the last block's line and the last checkpoint: the block comes again.
TEST_F(MetricsLogTest, HasABlockOnceThatTheCheckpointStillGathers) {
  EXPECT_EQ(opened_at(3, true), R"({"loss":3,"step":2}
{"step":3,"validation":40}
{"step":9}
)");
}

}  // namespace
}  // namespace hinny
