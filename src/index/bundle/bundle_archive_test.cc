#include "index/bundle/bundle_archive.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "index/bundle/bundle_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class BundleArchive : public BundleFixture {
 protected:
  void SetUp() override {
    BundleFixture::SetUp();
    create_folder(box());
  }
  // Nothing may appear in here but below `in`.
  fs::path box() const { return folder / "box"; }
  fs::path into() const { return box() / "in"; }

  std::string unpack(const fs::path& file) const {
    fs::remove_all(into());
    create_folder(into());
    try {
      unpack_bundle(file, into());
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }
  std::string unpack(const std::vector<ArchiveEntry>& all,
                     const std::vector<int>& filters = {ARCHIVE_FILTER_GZIP}) const {
    write_archive(folder / "x.tar.gz", all, filters);
    return unpack(folder / "x.tar.gz");
  }
  // What a bundle with this entry more is refused with, in one line.
  std::string with(const ArchiveEntry& entry) const {
    std::vector<ArchiveEntry> all = entries();
    all.push_back(entry);
    std::string error = unpack(all);
    EXPECT_THAT(error, AllOf(Not(IsEmpty()), Not(HasSubstr("\n")))) << entry.name;
    for (const auto& item : fs::directory_iterator(box())) EXPECT_EQ(item.path(), into());
    for (const auto& item : fs::recursive_directory_iterator(into())) {
      EXPECT_TRUE(!item.is_symlink() && (item.is_regular_file() || item.is_directory()));
    }
    return error;
  }
};

TEST_F(BundleArchive, HoldsWhatTheFolderHolds) {
  const fs::path whole = bundle();
  for (const char* name : {"b.tar.gz", "b.tgz", "b.tar.zst"}) {
    pack_bundle(whole, folder / name);
    ASSERT_EQ(unpack(folder / name), "") << name;
    EXPECT_EQ(files_of(into()), files_of(whole)) << name;
  }
  EXPECT_EQ(read_file(folder / "b.tar.zst").substr(1, 3), "\xb5\x2f\xfd");
}

TEST_F(BundleArchive, IsTheSameBytesAgain) {
  const fs::path whole = bundle();
  pack_bundle(whole, folder / "one.tar.gz");
  for (const auto& item : fs::recursive_directory_iterator(whole)) {
    fs::last_write_time(item.path(), fs::file_time_type::clock::now() - std::chrono::hours(999));
    if (item.is_regular_file()) fs::permissions(item.path(), fs::perms::owner_read);
  }
  // As if made at another time.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  pack_bundle(whole, folder / "two.tar.gz");
  EXPECT_EQ(read_file(folder / "one.tar.gz"), read_file(folder / "two.tar.gz"));
}

TEST_F(BundleArchive, MayBeTheWorkOfTar) {
  for (const char* top : {"", "./", "photo-model/", "./photo-model/"}) {
    std::vector<ArchiveEntry> all = entries(top);
    const std::string root(top);
    all.insert(all.begin(), {root + "networks/", "", AE_IFDIR});
    if (!root.empty()) all.insert(all.begin(), {root, "", AE_IFDIR});
    EXPECT_EQ(unpack(all), "") << top;
    EXPECT_EQ(files_of(into()), files_of(folder / "bundle")) << top;
  }
}

TEST_F(BundleArchive, LeadsNowhereElse) {
  const std::string outside = box() / "outside";
  for (const std::string& name :
       {outside, std::string("../outside"), std::string("networks/../../outside"),
        std::string("networks/../../outside.onnx"), std::string("networks//x.onnx"),
        std::string("././config.json"), std::string("networks/..")}) {
    EXPECT_THAT(with({name, "x"}), HasSubstr("may lead out")) << name;
  }
  for (const std::string& name : {std::string("../"), std::string("/"), box().string() + "/"}) {
    EXPECT_THAT(with({name, "", AE_IFDIR}), HasSubstr("holds '")) << name;
  }
  EXPECT_FALSE(fs::exists(outside));
}

TEST_F(BundleArchive, HoldsFilesAndFoldersAlone) {
  const std::string target = box() / "outside";
  for (const ArchiveEntry& entry : std::vector<ArchiveEntry>{
           {"networks/x.onnx", "", AE_IFLNK, "", target},
           {"networks", "", AE_IFLNK, "", box()},
           {"networks/x.onnx", "", AE_IFREG, "config.json"},
           {"networks/x.onnx", "", AE_IFREG, target},
           {"networks/x.onnx", std::string(1 << 16, '\0'), AE_IFREG, "", "", true},
           {"networks/x.onnx", "", AE_IFIFO},
           {"networks/x.onnx", "", AE_IFCHR},
           {"networks/x.onnx", "", AE_IFBLK}}) {
    EXPECT_THAT(with(entry), HasSubstr("a link, a device")) << entry.name;
  }
}

TEST_F(BundleArchive, HoldsNoOtherNames) {
  for (const char* name : {"x", "recipe.toml", "networks/x.so", "networks/.onnx",
                           "networks/a/b.onnx", "look/config.json", "networks/x\x1b[2J.onnx",
                           "networks/\xff.onnx", "Config.json", "config.json "}) {
    EXPECT_THAT(with({name, "x"}), AllOf(HasSubstr("no part of a bundle"), Not(HasSubstr("\x1b"))))
        << name;
  }
  EXPECT_THAT(with({"config.json/", "", AE_IFDIR}), HasSubstr("no part of a bundle"));
  EXPECT_THAT(with({"look/", "", AE_IFDIR}), HasSubstr("no part of a bundle"));
  EXPECT_THAT(with({"networks", "x"}), HasSubstr("no part of a bundle"));
  std::vector<ArchiveEntry> all = entries("photo-model/");
  all.push_back({"config.json", "x"});
  EXPECT_THAT(unpack(all), HasSubstr("beside the bundle"));
}

TEST_F(BundleArchive, HoldsEachNameOnce) {
  EXPECT_THAT(with({"config.json", "x"}), HasSubstr("second time"));
  EXPECT_THAT(with({"./config.json", "x"}), HasSubstr("second time"));
}

TEST_F(BundleArchive, IsBoundedBeforeItIsWritten) {
  // A hundred times what it is packed to, and a MiB.
  const std::string zeros(std::size_t{4} << 20U, '\0');
  EXPECT_THAT(with({"networks/zeros.onnx", zeros}), HasSubstr("unpacks to more than"));
  EXPECT_FALSE(fs::exists(into() / "networks/zeros.onnx"));
  std::vector<ArchiveEntry> all = entries();
  for (std::size_t i = 0; i < kMostPackedFiles; ++i) {
    all.push_back({"networks/" + std::to_string(i) + ".onnx", "x"});
  }
  EXPECT_THAT(unpack(all), HasSubstr("one file too many"));
  EXPECT_EQ(most_unpacked(std::uint64_t{1} << 62), kMostUnpacked);
}

TEST_F(BundleArchive, SaysASizeThatIsThere) {
  // A header that says a petabyte, and one byte.
  write_archive(folder / "x.tar", {{"networks/x.onnx", "x"}}, {});
  std::string bytes = read_file(folder / "x.tar");
  bytes.replace(124, 12, std::string("\x80\0\0\0\0\x04\0\0\0\0\0\0", 12));
  bytes.replace(148, 8, 8, ' ');
  unsigned sum = 0;
  for (const char byte : bytes.substr(0, 512)) sum += static_cast<unsigned char>(byte);
  bytes.replace(148, 8, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  write_gzip(folder / "huge.tar.gz", bytes);
  EXPECT_THAT(unpack(folder / "huge.tar.gz"), HasSubstr("unpacks to more than"));
}

TEST_F(BundleArchive, IsPackedOnce) {
  EXPECT_THAT(unpack(entries(), {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_GZIP}),
              HasSubstr("is no bundle"));
  EXPECT_THAT(unpack(entries(), {ARCHIVE_FILTER_BZIP2}), HasSubstr("is no bundle"));
  EXPECT_THAT(unpack(entries(), {}), HasSubstr("is no bundle"));
  write_file(folder / "text.tar.gz", "no archive");
  EXPECT_THAT(unpack(folder / "text.tar.gz"), HasSubstr("is no bundle"));
  write_file(folder / "empty.tar.gz", "");
  EXPECT_THAT(unpack(folder / "empty.tar.gz"), HasSubstr("is no bundle"));
  EXPECT_THAT(unpack(folder / "none.tar.gz"), HasSubstr("cannot be read"));
}

TEST_F(BundleArchive, IsWholeOrRefused) {
  for (const char* name : {"b.tar.gz", "b.tar.zst"}) {
    pack_bundle(bundle(), folder / name);
    const std::string whole = read_file(folder / name);
    const auto expected = files_of(folder / "bundle");
    int refused = 0;
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 150) {
      std::string bytes = whole.substr(0, at);
      write_file(folder / name, bytes);
      std::string error = unpack(folder / name);
      EXPECT_TRUE(!error.empty() || files_of(into()) == expected) << at;
      EXPECT_THAT(error, Not(HasSubstr("\n")));
      bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
      write_file(folder / name, bytes);
      error = unpack(folder / name);
      refused += error.empty() ? 0 : 1;
      auto found = files_of(into());
      // These two have no hash.
      for (const char* file : {kCardFile, kBundleFile}) found[file] = expected.at(file);
      EXPECT_TRUE(!error.empty() || found == expected) << at;
    }
    EXPECT_GT(refused, 100);
  }
}

TEST_F(BundleArchive, HoldsTheFilesThatItNames) {
  std::vector<ArchiveEntry> all = entries();
  const auto without = [&](const std::string& name) {
    std::vector<ArchiveEntry> rest;
    for (const ArchiveEntry& entry : all) {
      if (entry.name != name) rest.push_back(entry);
    }
    return rest;
  };
  EXPECT_THAT(unpack(without("bundle.json")), HasSubstr("holds no bundle.json"));
  EXPECT_THAT(unpack(without("networks/net.onnx")), HasSubstr("names a file"));
  EXPECT_THAT(unpack(std::vector<ArchiveEntry>{}), HasSubstr("holds no bundle.json"));
  EXPECT_THAT(with({"networks/other.onnx", "x"}), HasSubstr("does not name"));
  all = without("networks/net.onnx");
  all.push_back({"networks/net.onnx", "another"});
  EXPECT_THAT(unpack(all), HasSubstr("is not the file"));
}

}  // namespace
}  // namespace hinny
