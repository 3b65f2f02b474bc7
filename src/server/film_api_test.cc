// Films over HTTP: frames as pictures, files in parts.
#include <gmock/gmock.h>

#include "base/read_file.h"
#include "film/written_film_fixture.h"
#include "server/api_fixture.h"
#include "vision/gif_files_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kFilm = "film.mp4%23t%3D1.5";
constexpr const char* kLarge = "large.webm%23t%3D0";

// Some images become frames: the id of each, by number. Returns the folder of the files.
std::filesystem::path make_frames(PictureIndex& index,
                                  const std::map<std::size_t, std::string>& frames) {
  const std::filesystem::path contents = index.index() / kContentsFile;
  json all = json::parse(read_file(contents));
  const NameTable names = read_names(index.index(), nullptr);
  auto ids = names.images.strings(), files = names.files.strings();
  for (const auto& [i, id] : frames) {
    ids[i] = id;
    files[i] = id.substr(0, id.find('#'));
  }
  write_names(index.index(), NameList(ids), NameList(files), names.digests);
  all["films"] = true;
  write_file(contents, all.dump());
  write_checksums(index.index());
  return all["pictures"].get<std::string>();
}

// p5 becomes a frame of a film, p4 one of a file of a megabyte that is none.
void make_films(PictureIndex& index) {
  const auto folder = make_frames(index, {{5, "film.mp4#t=1.5"}, {4, "large.webm#t=0"}});
  film::write_film(folder / "film.mp4", {{{60, 128, 128, 30}, {190, 128, 128, 30}}});
  std::string large(std::size_t{1} << 20U, 'x');
  for (std::size_t i = 0; i < large.size(); i += 7) large[i] = static_cast<char>(i / 1000);
  write_file(folder / "large.webm", large);
}

class FilmApi : public ApiTest {
 protected:
  FilmApi() : ApiTest(make_films) {}
  std::filesystem::path pictures() const { return folder / "data/images"; }
};

TEST_F(FilmApi, AResultHasItsSecondAndItsFilm) {
  const json results = get("/v1/search?q=dog&k=6")["results"];
  int films = 0;
  for (const json& result : results) {
    EXPECT_EQ(result.contains("film"), result.contains("second"));
    if (result["image"] != "film.mp4#t=1.5") continue;
    ++films;
    EXPECT_EQ(result["second"], 1.5);
    EXPECT_EQ(result["film"], std::string("film/") + kFilm);
  }
  EXPECT_EQ(films, 1);
  EXPECT_EQ(get("/v1/search?q=dog&k=6&kind=film")["results"].size(), 2U);
  EXPECT_EQ(get("/v1/collection")["films"], 2);
}

TEST_F(FilmApi, AFrameIsAPicture) {
  const HttpAnswer answer = client.get(std::string("/v1/image/") + kFilm + "?size=32");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.header("content-type"), "image/jpeg");
  EXPECT_THAT(answer.body, StartsWith("\xFF\xD8"));
  const HttpAnswer again = client.get(std::string("/v1/image/") + kFilm + "?size=32",
                                      {{"If-None-Match", answer.header("etag")}});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(client.get(std::string("/image/") + kFilm + "?size=full").status, 200);
  get(std::string("/v1/image/") + kLarge, 404);
}

TEST_F(FilmApi, AFilmIsSentWholeOrInParts) {
  const std::string whole = read_file(pictures() / "large.webm");
  const std::string path = std::string("/v1/film/") + kLarge;
  const HttpAnswer all = client.get(path);
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(all.header("content-type"), "video/webm");
  EXPECT_EQ(all.header("accept-ranges"), "bytes");
  EXPECT_TRUE(all.body == whole);
  const HttpAnswer part = client.get(path, {{"Range", "bytes=1000-600000"}});
  EXPECT_EQ(part.status, 206);
  EXPECT_EQ(part.header("content-range"), "bytes 1000-600000/1048576");
  EXPECT_TRUE(part.body == whole.substr(1000, 599'001));
  const HttpAnswer head = client.ask("HEAD", path, {{"Range", "bytes=1-2"}});
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.header("content-length"), "1048576");
  EXPECT_EQ(head.body, "");
  const HttpAnswer beyond = client.get(path, {{"Range", "bytes=1048576-"}});
  EXPECT_EQ(beyond.status, 416);
  EXPECT_EQ(beyond.header("content-range"), "bytes */1048576");
  EXPECT_THAT(beyond.body, HasSubstr("no such bytes"));
  EXPECT_EQ(client.get(path, {{"If-None-Match", all.header("etag")}}).status, 304);
  EXPECT_EQ(client.get(std::string("/film/") + kFilm).header("content-type"), "video/mp4");
}

TEST_F(FilmApi, NothingElseIsSentAsAFilm) {
  get("/v1/film/p0", 404);
  get("/v1/film/nothing.mp4", 404);
  get("/v1/film/film.mp4", 404);
  get("/v1/film/", 404);
  std::filesystem::remove(pictures() / "film.mp4");
  get(std::string("/v1/film/") + kFilm, 404);
}

class AnimationApi : public ApiTest {
 protected:
  AnimationApi()
      : ApiTest([](PictureIndex& index) {
          write_file(make_frames(index, {{5, "dance.gif#t=0.2"}}) / "dance.gif", moving_gif_file());
        }) {}
};

// Browsers show it as a picture, moving; its frames are pictures.
TEST_F(AnimationApi, APictureThatMovesIsSentAsItIs) {
  const std::string id = "dance.gif%23t%3D0.2";
  const HttpAnswer all = client.get("/v1/film/" + id);
  EXPECT_EQ(all.header("content-type"), "image/gif");
  EXPECT_EQ(all.body, moving_gif_file());
  const HttpAnswer frame = client.get("/v1/image/" + id + "?size=full");
  EXPECT_EQ(frame.header("content-type"), "image/jpeg");
  const Picture picture = decode_picture(std::as_bytes(std::span(frame.body)));
  ASSERT_EQ(picture.width, 32);
  EXPECT_GT(picture.pixels[1], 200) << "green, as the second scene is on its left";
  EXPECT_LT(picture.pixels[0], 60);
  EXPECT_EQ(get("/v1/search?q=dog&k=6&kind=film")["results"][0]["second"], 0.2);
}

// A player sends no key.
TEST_F(FilmApi, APassOpensFilmsAlone) {
  const ServedIndex keyed(index.index(), "0123456789abcdef");
  HttpClient other = keyed.server.client();
  const HttpFields key = {{"Authorization", "Bearer 0123456789abcdef"}};
  const json results =
      json::parse(other.get("/v1/search?q=dog&k=6&kind=film", key).body)["results"];
  ASSERT_EQ(results.size(), 2U);
  const std::string film = results[0]["film"];
  ASSERT_THAT(film, HasSubstr("?pass="));
  EXPECT_EQ(other.get("/v1/" + film).status, 200);
  EXPECT_EQ(other.get("/v1/" + film + "0").status, 401);
  EXPECT_EQ(other.get(std::string("/v1/film/") + kFilm).status, 401);
  EXPECT_EQ(other.get(std::string("/v1/film/") + kFilm, key).status, 200);
  const std::string pass = film.substr(film.find('?'));
  for (const char* path : {"/v1/image/p0", "/v1/collection", "/metrics"}) {
    EXPECT_EQ(other.get(path + pass).status, 401) << path;
  }
}

}  // namespace
}  // namespace hinny
