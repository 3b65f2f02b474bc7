#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>

#include "base/error.h"
#include "index/folder/change_index.h"
#include "index/folder/index_fixture.h"
#include "index/vectors/scan.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// An index with graphs, of int8 rows or of codes of so many bits, whose images come, go and change.
class GrowingGraphTest : public IndexFixture, public testing::WithParamInterface<int> {
 protected:
  static constexpr std::size_t kImages = 200;

  void SetUp() override {
    IndexFixture::SetUp();
    write_picture_set(folder / "data", kImages);
    rows.clear();
    for (std::size_t i = 0; i < kImages * 7; ++i) rows.push_back(number());
    write_rows();
    make(first(150), "index");
    add_graphs(folder / "index");
  }
  float number() { return static_cast<float>(random_.uniform(-1, 3)); }
  void write_rows() const {
    write_npy(folder / "data/features/f.npy", rows, {static_cast<std::int64_t>(kImages), 7});
  }
  static std::vector<int> first(std::size_t count) {
    std::vector<int> images(count);
    std::iota(images.begin(), images.end(), 0);
    return images;
  }
  void make(const std::vector<int>& images, const char* name) const {
    const Dataset dataset = Dataset::load(folder / "data");
    IndexInput input{images, "test", {}, WeightType::float32, 100};
    input.codes = GetParam();
    build_index(Model::open(folder / "run"), dataset, Features::open(dataset, "f"), input,
                folder / name);
  }
  template <typename Change>
  IndexChange change_to(Change change, const std::vector<int>& images) const {
    const Dataset dataset = Dataset::load(folder / "data");
    const Features features = Features::open(dataset, "f");
    return change(folder / "index", {dataset, features, images});
  }
  // All files but the graphs are those of an index made of these images at once, and the graphs
  // find the same.
  void expect_like_new(const std::vector<int>& images) const {
    make(images, "fresh");
    auto changed = files_of(folder / "index"), fresh = files_of(folder / "fresh");
    auto contents = nlohmann::ordered_json::parse(changed.at(kContentsFile));
    const std::size_t graphs = contents["graphs"].size();
    contents["graphs"].clear();
    changed[kContentsFile] = contents.dump();
    fresh[kContentsFile] = nlohmann::ordered_json::parse(fresh.at(kContentsFile)).dump();
    for (std::size_t space = 0; space < graphs; ++space) {
      EXPECT_EQ(changed.erase(graph_file(space)), 1U);
    }
    // Changes leave sentences as they are; checksums are of these and of graphs, too.
    for (const char* other : {"sentences.jsonl", "sentences.npy", kChecksumsFile}) {
      changed.erase(other);
      fresh.erase(other);
    }
    EXPECT_TRUE(changed == fresh);
    if (graphs == 0) return;
    const Index by_graph = Index::open(folder / "index", Method::graph);
    const Index by_scan = Index::open(folder / "fresh");
    std::vector<std::size_t> all(by_scan.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::size_t right = 0, all_wanted = 0;
    for (const std::string& space : by_scan.contents().spaces) {
      std::vector<float> vectors;  // compared in full, as they lie close
      for (const std::size_t image : all) {
        std::ranges::copy(by_scan.vector(image, space), std::back_inserter(vectors));
      }
      for (std::size_t image = 0; image < by_scan.size(); image += 20) {
        const Query query{by_scan.contents().model, space, by_scan.vector(image, space), false, {}};
        const auto found = by_graph.search(query, 10);
        const auto wanted = best_rows(all, vectors, query.vector, 10);
        ASSERT_EQ(found.size(), wanted.size());
        for (const Hit& hit : wanted) {
          right += static_cast<std::size_t>(std::ranges::count(found, hit.image, &Hit::image));
        }
        all_wanted += wanted.size();
      }
    }
    // Of near copies, which these are, any graph may lose one or the other.
    EXPECT_GE(right, all_wanted * 98 / 100);
  }
  bool has_graphs() const {
    return !Index::open(folder / "index").contents().graphs.empty() &&
           fs::exists(folder / "index" / graph_file(1));
  }

  Random random_{3};
};

TEST_P(GrowingGraphTest, RandomHistoriesFindWhatAnIndexMadeAtOnceFinds) {
  std::vector<int> images = first(150);
  std::vector<std::size_t> unused(50);
  std::iota(unused.begin(), unused.end(), std::size_t{150});
  int with_graphs = 0;
  for (int turn = 0; turn < 8; ++turn) {
    for (int i = 0; i < 4; ++i) {  // other pictures
      const auto changed = static_cast<std::size_t>(images[random_.below(images.size())]);
      for (std::size_t d = 0; d < 7; ++d) rows[changed * 7 + d] = number();
    }
    for (int i = 0; i < 3; ++i) {  // go, and come elsewhere
      const auto at = images.begin() + static_cast<std::ptrdiff_t>(random_.below(images.size()));
      std::iter_swap(at,
                     images.begin() + static_cast<std::ptrdiff_t>(random_.below(images.size())));
      unused.push_back(static_cast<std::size_t>(images.back()));
      images.pop_back();
      const auto place = static_cast<std::ptrdiff_t>(random_.below(images.size()));
      images.insert(images.begin() + place, static_cast<int>(unused.front()));
      unused.erase(unused.begin());
    }
    write_rows();
    change_to(update_index, images);
    expect_like_new(images);
    with_graphs += has_graphs() ? 1 : 0;
  }
  EXPECT_GE(with_graphs, 5);
}

TEST_P(GrowingGraphTest, AddedRemovedAndChangedImagesAreLinkedToWhatIsThere) {
  std::vector<int> some(30);
  std::iota(some.begin(), some.end(), 145);
  rows[146 * 7] += 1;
  write_rows();
  EXPECT_EQ(change_to(add_to_index, some).added, 25U);
  expect_like_new(first(175));
  EXPECT_TRUE(has_graphs());
  remove_from_index(folder / "index", {"p0", "p100", "p146"});
  std::vector<int> left = first(175);
  std::erase_if(left, [](int image) { return image == 0 || image == 100 || image == 146; });
  expect_like_new(left);
  EXPECT_TRUE(has_graphs());
}

// As in every index of so few.
TEST_P(GrowingGraphTest, GraphsThatAreNotWorthItAnyMoreGo) {
  change_to(update_index, first(100));
  EXPECT_FALSE(has_graphs());
  expect_like_new(first(100));
}

TEST_P(GrowingGraphTest, TheSameHistoryGivesTheSameFiles) {
  const auto copy = fs::copy_options::recursive;
  fs::copy(folder / "index", folder / "before", copy);
  std::map<std::string, std::string> files[2];
  for (auto& after : files) {
    fs::remove_all(folder / "index");
    fs::copy(folder / "before", folder / "index", copy);
    change_to(add_to_index, first(180));
    remove_from_index(folder / "index", {"p7", "p170"});
    after = files_of(folder / "index");
  }
  EXPECT_TRUE(files[0] == files[1]);
  EXPECT_TRUE(files[0].contains(graph_file(1)));
}

TEST_P(GrowingGraphTest, ADamagedGraphIsSaidAndLeftBehind) {
  std::string bytes = read_file(folder / "index" / graph_file(1));
  bytes[bytes.size() / 2] ^= 1;
  write_file(folder / "index" / graph_file(1), bytes);
  testing::internal::CaptureStderr();
  change_to(add_to_index, first(160));
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("graph-1.hnsw: is not the graph that belongs to this index"));
  EXPECT_FALSE(has_graphs());
  expect_like_new(first(160));
}

TEST_P(GrowingGraphTest, AChangeThatFailsLeavesTheIndexAsItWas) {
  const auto before = files_of(folder / "index");
  rows[150 * 7] = std::numeric_limits<float>::quiet_NaN();
  write_rows();
  EXPECT_THROW(change_to(add_to_index, first(160)), InputError);
  EXPECT_TRUE(files_of(folder / "index") == before);
}

INSTANTIATE_TEST_SUITE_P(Bits, GrowingGraphTest, testing::Values(kInt8, 2),
                         [](const auto& info) { return fmt::format("Bits{}", info.param); });

}  // namespace
}  // namespace hinny
