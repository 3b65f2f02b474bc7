#include "vision/film_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <sstream>

#include "base/day.h"
#include "base/error.h"
#include "base/read_file.h"
#include "film/film_stream.h"
#include "film/written_film_fixture.h"
#include "tests/scratch.h"
#include "vision/damaged_bytes_fixture.h"
#include "vision/film_facts.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using film::write_film;
using film::WrittenFilm;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

int brightness_of(const Picture& picture) {
  long sum = 0;
  for (const std::uint8_t number : picture.pixels) sum += number;
  return static_cast<int>(sum / static_cast<long>(picture.pixels.size()));
}

class FilmProgram : public testing::Test {
 protected:
  fs::path film() const { return folder_ / "film.mp4"; }
  struct Read {
    std::vector<std::int64_t> at;
    std::vector<int> brightness;
  };
  Read read(int most = 30) const {
    Read read;
    read_film_frames(film(), most, [&](std::int64_t at, const Picture& frame) {
      read.at.push_back(at);
      read.brightness.push_back(brightness_of(frame));
    });
    return read;
  }
  // What is said of a film that cannot be read.
  std::string refusal() const {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  const Scratch folder_;
};

TEST_F(FilmProgram, GivesAFrameOfEachScene) {
  ASSERT_TRUE(reads_films());
  EXPECT_NE(film_reader_version(), "");
  write_film(film(), {{{60, 128, 128, 100}, {190, 128, 128, 100}, {120, 90, 200, 75}}});
  const Read all = read();
  ASSERT_EQ(all.at.size(), 3U);
  EXPECT_LT(all.at[0], 4000);
  EXPECT_GE(all.at[1], 4000);
  EXPECT_GE(all.at[2], 8000);
  EXPECT_LT(all.brightness[0], 80);
  EXPECT_GT(all.brightness[1], 180);
  for (std::size_t i = 0; i < 3; ++i) {
    const Picture frame = read_film_frame(film(), all.at[i], 32);
    EXPECT_EQ(frame.width, 32);
    EXPECT_EQ(frame.height, 24);
    EXPECT_NEAR(brightness_of(frame), all.brightness[i], 3);
  }
  EXPECT_EQ(read(2).at.size(), 2U);
  EXPECT_EQ(read(1).at.size(), 1U);
}

// As a service that was started without them.
TEST_F(FilmProgram, ReadsWithoutStandardDescriptors) {
  write_film(film(), {{{60, 128, 128, 20}}});
  const std::array<int, 2> kept = {::dup(STDIN_FILENO), ::dup(STDOUT_FILENO)};
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) ::close(standard);
  const Read all = read();
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) {
    ::dup2(kept[static_cast<std::size_t>(standard)], standard);
    ::close(kept[static_cast<std::size_t>(standard)]);
  }
  EXPECT_EQ(all.at.size(), 1U);
}

TEST_F(FilmProgram, SaysWhenAndWhereAFilmWasTaken) {
  WrittenFilm written{{{60, 128, 128, 10}}, "mov"};
  written.notes = {{"creation_time", "2024-06-15T08:30:00.000000Z"},
                   {"location", "+47.3769-008.5417+400/"},
                   {"make", "Apple"},
                   {"model", "iPhone 12"}};
  write_film(film(), written);
  PictureFacts facts = film_facts(film());
  ASSERT_TRUE(facts.taken.has_value());
  EXPECT_EQ(facts.taken->at, local_time(parse_period("2024-06-15 08:30:00")->begin));
  EXPECT_EQ(facts.taken->from, TakenFrom::film);
  ASSERT_TRUE(facts.place.has_value());
  EXPECT_DOUBLE_EQ(facts.place->latitude, 47.3769);
  EXPECT_DOUBLE_EQ(facts.place->longitude, -8.5417);
  EXPECT_EQ(facts.camera, "Apple iPhone 12");
  EXPECT_EQ(facts.width, 64);
  EXPECT_EQ(facts.height, 48);
  for (const char* size : {"", "64", "x 48", "-64 48", "64 -48", "99999999999 1"}) {
    const PictureFacts said = film_facts("a.mp4", {{film::kSize, size}});
    EXPECT_TRUE(said.width == 0 || said.height == 0) << size;
  }
  facts = film_facts("VID_20240615_103000.mp4", {{film::kCreated, "2024-06-15T08:30:00Z"}});
  EXPECT_EQ(facts.taken->from, TakenFrom::name);
  facts = film_facts("VID_20240615_103000.mp4", {{film::kTaken, "2024-06-15T10:31:00+0200"}});
  EXPECT_EQ(facts.taken->from, TakenFrom::film);
  EXPECT_EQ(time_text(facts.taken->at), "2024-06-15 10:31:00");
  EXPECT_EQ(film_facts("a.mp4", {{film::kCreated, "1970-01-01T00:00:00Z"}}).taken, std::nullopt);
  for (const char* place : {"+91+008/", "47+8", "+47.3", "+0.0+0.0/", "x", "+-1+2"}) {
    EXPECT_FALSE(film_facts("a.mp4", {{film::kPlace, place}}).place.has_value()) << place;
  }
}

TEST_F(FilmProgram, NamesWhatItCannotRead) {
  std::ofstream(film()) << "";
  EXPECT_THAT(refusal(), AllOf(HasSubstr("film.mp4: no film of a kind that is read"),
                               HasSubstr("(expected a film that FFmpeg reads)")));
  WrittenFilm sound{{}, "mov"};
  sound.sound_alone = true;
  write_film(film(), sound);
  EXPECT_THAT(refusal(), HasSubstr("film.mp4: sound without a picture"));
  fs::remove(film());
  EXPECT_THAT(refusal(), HasSubstr("no such file"));
  fs::create_directory(film());
  EXPECT_THAT(refusal(), HasSubstr("not a regular file"));
}

// What stands in the place of hinny-film is not believed.
class OtherFilmProgram : public FilmProgram {
 protected:
  void SetUp() override { std::ofstream(film()) << "film"; }
  void TearDown() override {
    set_film_program(fs::read_symlink("/proc/self/exe").parent_path() / film::kProgram,
                     std::chrono::minutes(5));
  }
  std::string refusal_where_it_does(const std::string& commands) {
    const fs::path program = folder_ / "program";
    std::ofstream(program) << "#!/bin/sh\n" << commands << "\n";
    fs::permissions(program, fs::perms::owner_all);
    set_film_program(program, std::chrono::milliseconds(2000));
    return refusal();
  }
};

TEST_F(OtherFilmProgram, ThatCrashesIsNamed) {
  EXPECT_THAT(refusal_where_it_does("kill -SEGV $$"),
              HasSubstr("film.mp4: what reads it crashed (signal 11)"));
  EXPECT_THAT(refusal_where_it_does("kill -XCPU $$"), HasSubstr("it takes too long to read"));
  EXPECT_THAT(refusal_where_it_does("exit 0"), HasSubstr("what reads it broke off"));
  EXPECT_THAT(refusal_where_it_does("echo error it is broken"), HasSubstr("it is broken"));
}

// Ctrl-C reaches every process of a terminal: no film is broken by it.
TEST_F(OtherFilmProgram, LeavesCtrlCToThisProcess) {
  EXPECT_THAT(refusal_where_it_does("kill -INT $$; kill -TERM $$; echo error it went on"),
              HasSubstr("it went on"));
}

// Then nobody is told how a program ended; that it did is known.
TEST_F(OtherFilmProgram, ThatEndsIsNamedWhereNobodyWaitsForPrograms) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const std::string said = refusal_where_it_does("exit 0");
  std::signal(SIGCHLD, before);
  EXPECT_THAT(said, HasSubstr("what reads it broke off"));
}

TEST_F(OtherFilmProgram, ThatHangsIsKilled) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(refusal_where_it_does("exec sleep 1000"), HasSubstr("it takes too long to read"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(OtherFilmProgram, ThatLiesIsNotBelieved) {
  for (const char* lie :
       {"echo nonsense", "echo frame", "echo frame 0 0 0", "echo frame 0 1 -1",
        "echo frame 0 1 1 1", "echo frame 0 100000 100000", "echo frame 99999999999999999999 1 1",
        "yes | tr -d '\\n'", "while true; do echo frame 0 1 1; printf abc; done"}) {
    EXPECT_THAT(refusal_where_it_does(lie), HasSubstr("what reads it")) << lie;
  }
  EXPECT_THAT(refusal_where_it_does("echo frame 0 10 10; echo end"), HasSubstr("broke off"));
  EXPECT_EQ(refusal_where_it_does("echo frame 5 1 1; printf abc; echo end"), "");
}

// Whatever has happened to a film's bytes, it is read or named, and this process goes on.
TEST_F(FilmProgram, DamagedFilmsAreReadOrNamed) {
  Random random(11);
  int frames = 0, named = 0;
  for (const auto& [format, codec] :
       std::vector<std::pair<const char*, AVCodecID>>{{"mp4", AV_CODEC_ID_MPEG4},
                                                      {"matroska", AV_CODEC_ID_FFV1},
                                                      {"webm", AV_CODEC_ID_VP8},
                                                      {"avi", AV_CODEC_ID_MJPEG},
                                                      {"mpegts", AV_CODEC_ID_MPEG2VIDEO}}) {
    write_film(film(), {{{60, 128, 128, 30}, {190, 128, 128, 30}}, format, codec});
    const std::string whole = read_file(film());
    for (int round = 0; round < damaged_files(24); ++round) {
      std::ofstream(film()) << damaged(whole, round, random);
      try {
        read_film_frames(film(), 4, [&](std::int64_t, const Picture&) { ++frames; });
        film_facts(film());
      } catch (const InputError&) {
        ++named;
      }
    }
  }
  EXPECT_GT(frames, 50);
  EXPECT_GT(named, 10);
}

}  // namespace
}  // namespace hinny
