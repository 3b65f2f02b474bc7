#include "server/thumbnails.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "server/server_fixture.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

TEST(Thumbnails, TheLongestUnusedGiveWayToNewOnes) {
  const Scratch folder;
  const auto picture = [&](int number) {
    const std::filesystem::path file = folder / fmt::format("{}.jpg", number);
    if (!std::filesystem::exists(file)) {
      write_file(file, picture_file(80, 40, static_cast<std::uint8_t>(number)));
    }
    return Thumbnails::Of{file, {}};
  };
  const std::size_t size = Thumbnails(1'000'000).get(picture(0), 32)->size();
  Thumbnails thumbnails(2 * size + size / 2);  // two of them
  const auto first = thumbnails.get(picture(0), 32), second = thumbnails.get(picture(1), 32);
  EXPECT_EQ(thumbnails.get(picture(0), 32), first);
  const auto third = thumbnails.get(picture(2), 32);
  EXPECT_EQ(thumbnails.get(picture(0), 32), first) << "used last before the third came";
  EXPECT_EQ(thumbnails.get(picture(2), 32), third);
  EXPECT_NE(thumbnails.get(picture(1), 32), second) << "the longest unused stayed";
  // What fits by itself nowhere is made each time, and sends nobody away.
  Thumbnails none(size / 2);
  EXPECT_NE(none.get(picture(0), 32), none.get(picture(0), 32));
  // A picture that changed is another one.
  const std::string before = Thumbnails::tag(picture(0), 32);
  write_file(picture(0).file, picture_file(40, 80, 9));
  EXPECT_NE(Thumbnails::tag(picture(0), 32), before);
  EXPECT_NE(Thumbnails::tag(picture(1), 32), Thumbnails::tag(picture(1), 64));
}

}  // namespace
}  // namespace hinny
