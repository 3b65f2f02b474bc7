#include "vision/picture_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include "base/atomic_file.h"
#include "base/request_error.h"
#include "tests/scratch.h"
#include "vision/damaged_bytes_fixture.h"
#include "vision/frames.h"
#include "vision/gif_files_fixture.h"
#include "vision/jxl_files_fixture.h"
#include "vision/picture_files_fixture.h"
#include "vision/picture_program_fixture.h"
#include "vision/picture_stream.h"
#include "vision/raw_files_fixture.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// One file of each kind that is decoded.
std::map<std::string, std::string> a_file_of_each_kind() {
  cv::Mat picture(60, 90, CV_8UC3);
  cv::randu(picture, 0, 255);
  cv::blur(picture, picture, {9, 9});
  return {{"jpeg", encoded(".jpg", picture)},
          {"progressive jpeg", encoded(".jpg", picture, {.progressive = true})},
          {"png", encoded(".png", picture)},
          {"webp", encoded(".webp", picture)},
          {"moving webp", moving_webp_file({picture, 255 - picture})},
          {"gif", gif_file(32, 24, {{.pixels = halves(32, 24, 'r', 'b')}})},
          {"moving gif", moving_gif_file()},
          {"lossless webp", encoded(".webp", picture, {.lossless = true})},
          {"heic", heic_file()},
          {"avif", avif_file()},
          {"jxl", jxl_file(picture)},
          {"tiff", tiff_file(6)},
          {"raw", dng_file()}};
}

// All that is said of a file, as text.
std::string what_is_said(const fs::path& file, const std::string& bytes) {
  std::string said;
  const auto add = [&](const auto& read) {
    try {
      read();
    } catch (const RequestError& error) {
      said += fmt::format("request: {}\n", error.what());
    } catch (const InputError& error) {
      said += fmt::format("file: {}\n", error.what());
    }
  };
  const auto add_picture = [&](const Picture& picture) {
    said += fmt::format("{} x {}: {} ", picture.width, picture.height, picture.warning);
    said.append(picture.pixels.begin(), picture.pixels.end());
  };
  const auto span = std::as_bytes(std::span(bytes));
  for (const Enough& enough : {Enough{}, {.shorter = 20}, {.longer = 30}}) {
    add([&] { add_picture(read_picture(file, enough)); });
    add([&] { add_picture(decode_picture(span, enough)); });
    add([&] { use_picture(file, enough, add_picture); });
  }
  add([&] {
    const PictureSize size = stated_size(span);
    said += fmt::format("{} x {}", size.width, size.height);
  });
  add([&] {
    for (const std::int64_t at : scenes_of_picture(file, 4)) {
      said += fmt::format("{} ", at);
      add_picture(read_picture_at(file, at, {}));
    }
  });
  said += picture_stream::notes_text(picture_notes(file));
  return said;
}

class PictureProgram : public testing::Test {
 protected:
  void SetUp() override { decode_by_the_program(); }
  void TearDown() override { decode_by_the_program(); }
  std::string said_by(const fs::path& program, const std::string& bytes) const {
    set_picture_program(program, std::chrono::seconds(picture_stream::kMostSeconds));
    return what_is_said(file_, bytes);
  }
  void expect_the_same(const std::string& bytes, const std::string& of) const {
    write_file(file_, bytes);
    EXPECT_EQ(said_by(picture_program(), bytes) == said_by("", bytes), true) << of;
  }

  const Scratch folder_;
  const fs::path file_ = folder_ / "picture";
};

TEST_F(PictureProgram, SaysWhatThisProcessSays) {
  ASSERT_TRUE(decodes_apart());
  for (const auto& [kind, bytes] : a_file_of_each_kind()) {
    expect_the_same(bytes, kind);
    expect_the_same(bytes.substr(0, bytes.size() * 3 / 4), "cut " + kind);
    expect_the_same(bytes.substr(0, 40), "begun " + kind);
  }
  expect_the_same("", "nothing");
  expect_the_same("text", "no picture");
  expect_the_same("8BPS and more", "a foreign format");
}

TEST_F(PictureProgram, NotesComeAsTheyAre) {
  PictureNotes notes{"a",
                     "",
                     "c",
                     std::string(100'000, 'x'),
                     std::string("\0y", 2),
                     "m",
                     "n",
                     "o",
                     -47.5,
                     {},
                     0.004,
                     {},
                     100,
                     50,
                     4000,
                     3000,
                     2};
  const std::string text = picture_stream::notes_text(notes);
  PictureNotes read;
  ASSERT_TRUE(picture_stream::read_notes_text(text, read));
  EXPECT_EQ(picture_stream::notes_text(read), text);
  EXPECT_EQ(read.latitude, -47.5);
  EXPECT_EQ(read.longitude, std::nullopt);
  EXPECT_EQ(read.exposure, 0.004);
  EXPECT_EQ(read.height, 3000);
  EXPECT_EQ(read.more_xmp, notes.more_xmp);
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{3}, std::size_t{30}, text.size() - 1})
    EXPECT_FALSE(picture_stream::read_notes_text(text.substr(0, length), read)) << length;
  EXPECT_FALSE(picture_stream::read_notes_text(text + "x", read));
}

TEST_F(PictureProgram, AFileThatTheDiskDoesNotGiveIsNoBrokenPicture) {
  const int folder = ::open(fs::path(folder_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_THROW(decode_apart(folder, {}, [](Picture&&) {}), CannotRead);
  ::close(folder);
}

// The processes that this one has started.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (pid_t child = 0; file >> child;) all.push_back(child);
  }
  return all;
}

TEST_F(PictureProgram, GoesOnToTheNextPictureAndIsReplacedWhereItEnded) {
  write_file(file_, encoded(".png", cv::Mat(8, 8, CV_8UC3, cv::Scalar(1, 2, 3))));
  read_picture(file_);
  const std::vector<pid_t> first = children();
  ASSERT_EQ(first.size(), 1U);
  read_picture(file_);
  picture_notes(file_);
  EXPECT_EQ(children(), first);
  ::kill(first[0], SIGTERM);  // is for this process alone, as Ctrl-C is
  ::kill(first[0], SIGINT);
  read_picture(file_);
  EXPECT_EQ(children(), first);
  ::kill(first[0], SIGKILL);
  EXPECT_EQ(read_picture(file_).width, 8);
  EXPECT_NE(children(), first);
  set_picture_program("", {});
  EXPECT_TRUE(children().empty());
}

TEST_F(PictureProgram, ThreadsHaveEachTheirOwnWhateverBecomesOfThem) {
  const auto files = a_file_of_each_kind();
  std::map<std::string, Picture> expected;
  for (const auto& [kind, bytes] : files)
    expected[kind] = decode_picture(std::as_bytes(std::span(bytes)));
  std::atomic<bool> ended = false;
  std::atomic<int> wrong = 0, named = 0, killed = 0;
  std::jthread killer([&] {
    while (!ended) {
      for (const pid_t child : children()) killed += ::kill(child, SIGKILL) == 0 ? 1 : 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
    }
  });
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int round = 0; round < 12; ++round) {
          for (const auto& [kind, bytes] : files) {
            try {
              const Picture picture = decode_picture(std::as_bytes(std::span(bytes)));
              if (picture.pixels != expected[kind].pixels) ++wrong;
            } catch (const RequestError& error) {
              ++named;
              EXPECT_THAT(error.what(), HasSubstr("its decoder crashed (signal 9)"));
            } catch (const Failure& error) {  // before it has begun
              EXPECT_THAT(error.what(), HasSubstr("it ended"));
            }
          }
        }
      });
    }
  }
  ended = true;
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(killed, 0);
  EXPECT_LT(named, 400);
}

// What stands in the place of hinny-picture is not believed.
class OtherPictureProgram : public PictureProgram {
 protected:
  static std::string answer(picture_stream::Said said, std::int64_t first = 0,
                            std::int64_t second = 0, std::uint64_t bytes = 0) {
    const picture_stream::Answer answer{
        .said = said, .first = first, .second = second, .bytes = bytes};
    std::string escaped;
    const auto* begin = reinterpret_cast<const unsigned char*>(&answer);
    for (std::size_t i = 0; i < sizeof answer; ++i) escaped += fmt::format("\\{:03o}", begin[i]);
    return fmt::format("printf '{}' >&0\n", escaped);
  }
  static std::string ready() {
    return answer(picture_stream::Said::ready, picture_stream::kVersion);
  }
  // What is said of a picture where a program does this.
  std::string refusal_where_it_does(const std::string& commands) {
    const fs::path program = folder_ / "program";
    std::ofstream(program) << "#!/bin/sh\n" << commands << "\n";
    fs::permissions(program, fs::perms::owner_all);
    set_picture_program(program, std::chrono::milliseconds(500));
    write_file(file_, "picture");
    try {
      return fmt::format("read: {}", read_picture(file_).warning);
    } catch (const InputError& error) {
      return error.what();
    } catch (const Failure& error) {
      return fmt::format("failure: {}", error.what());
    }
  }
  static constexpr const char* kReadOne = "dd bs=64 count=1 <&0 >&2\n";
};

TEST_F(OtherPictureProgram, ThatCrashesOrHangsIsNamedWithThePicture) {
  EXPECT_THAT(refusal_where_it_does(ready() + kReadOne + "kill -SEGV $$"),
              HasSubstr("picture: its decoder crashed (signal 11)"));
  EXPECT_THAT(refusal_where_it_does(ready() + kReadOne + "exit 0"),
              HasSubstr("picture: its decoder broke off"));
  EXPECT_THAT(refusal_where_it_does(ready() + "exec sleep 1000"),
              HasSubstr("picture: its decoder took longer than 1 s"));
  EXPECT_THAT(refusal_where_it_does(ready() + kReadOne + "while true; do :; done"),
              HasSubstr("picture: its decoder took longer than 1 s"));
  EXPECT_THAT(refusal_where_it_does(ready() + kReadOne + answer(picture_stream::Said::no_memory)),
              HasSubstr("picture: its decoder takes more memory than a picture may"));
}

TEST_F(OtherPictureProgram, ThatDoesNotStartIsTheMachinesFault) {
  EXPECT_THAT(refusal_where_it_does("exit 1"), HasSubstr("failure: cannot start"));
  EXPECT_THAT(refusal_where_it_does("kill -SEGV $$"), HasSubstr("failure: cannot start"));
  EXPECT_THAT(refusal_where_it_does(answer(picture_stream::Said::ready, 12345)),
              HasSubstr("is of another version; start again"));
  set_picture_program(folder_ / "nothing", std::chrono::seconds(1));
  EXPECT_THROW(read_picture(file_), Failure);
}

TEST_F(OtherPictureProgram, ThatLiesIsNotBelieved) {
  using picture_stream::Said;
  for (const std::string& lie :
       {std::string("printf nonsense >&0\n"), answer(Said::ready), answer(Said::size, 3, 4),
        answer(Said::notes), answer(Said::picture), answer(Said::picture, -1, -1, 3),
        answer(Said::picture, 1'000'000, 1'000'000, 100),
        answer(Said::picture, std::int64_t{1} << 62U, std::int64_t{1} << 62U, 100),
        answer(Said::picture, 2, 2, 11), answer(Said::picture, 2, 2, 12),
        answer(Said::picture, 1, 1, std::uint64_t{1} << 62U), answer(Said::gave_up),
        answer(Said::refused, 0, 0, std::uint64_t{1} << 40U), answer(Said::refused, 0, 0, 100),
        answer(Said::needs, -5), answer(Said::needs, 5) + kReadOne + answer(Said::needs, 5)}) {
    EXPECT_THAT(refusal_where_it_does(ready() + kReadOne + lie + "sleep 1000"),
                HasSubstr("picture: its decoder went astray"))
        << lie;
  }
  EXPECT_EQ(refusal_where_it_does(ready() + kReadOne + "printf abcw >&1\n" +
                                  answer(Said::picture, 1, 1, 4) + "sleep 1000"),
            "read: w");
}

// A picture that is named where an earlier one broke its decoder's memory would be named wrongly.
TEST_F(OtherPictureProgram, IsAskedAnewByAFreshOneBeforeAPictureIsNamed) {
  const std::string once =
      fmt::format("printf abc >&1\n{}", answer(picture_stream::Said::picture, 1, 1, 3));
  const std::string commands = ready() + kReadOne + once + kReadOne + "kill -SEGV $$";
  EXPECT_EQ(refusal_where_it_does(commands), "read: ");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read_picture(file_).pixels.size(), 3U);
}

// Whatever has happened to a picture's bytes, it is read or named, and this process goes on.
TEST_F(PictureProgram, DamagedPicturesAreReadOrNamed) {
  Random random(12);
  const int most = damaged_files(30);
  for (const auto& [kind, whole] : a_file_of_each_kind()) {
    std::map<std::string, int> outcomes;
    for (int round = 0; round < most; ++round) {
      std::ofstream(file_, std::ios::binary) << damaged(whole, round, random);
      picture_notes(file_);
      try {
        ++outcomes[read_picture(file_, {.shorter = 30}).warning.empty() ? "read" : "read in part"];
      } catch (const InputError& error) {
        const std::string_view why = error.what();
        const std::size_t decoder = why.find("its decoder");
        ++outcomes[decoder == why.npos ? "named" : std::string(why.substr(decoder))];
      }
    }
    EXPECT_GT(outcomes["named"], 0) << kind;
    for (const auto& [what, count] : outcomes) fmt::print("{}: {} {}\n", kind, count, what);
  }
}

}  // namespace
}  // namespace hinny
