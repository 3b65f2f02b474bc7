// Near copies made one and the newest first, against every picture compared by hand.
#include "index/results.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/files.h"
#include "encoder/kernels.h"
#include "index/ask.h"
#include "index/attended.h"
#include "index/index_fixture.h"
#include "index/near_copies.h"
#include "index/picture_records.h"
#include "index/write_index.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::size_t kDim = 6;
constexpr std::size_t kRegions = 7;
constexpr std::size_t kPictures = 400;
constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

using Ids = std::vector<std::vector<std::string>>;  // of each result, then of its copies

// A collection of random pictures with copies among them: as many as anyone has of one subject, and
// rows of shots each of which is a near copy of the next one alone.
class ResultsTest : public IndexFixture {
 protected:
  void make(std::uint64_t seed, bool hubs = false, bool look = false) {
    IndexFixture::build({0, 1, 2, 3, 4}, "small");
    random_ = Random(seed);
    IndexContents contents = Index::open(folder / "small").contents();
    contents.hubs = hubs;
    name_pictures(contents);
    plant();
    fs::remove_all(folder / "index");
    create_folder(folder / "index");
    fs::copy(folder / "small/encoder", folder / "index/encoder");
    const auto vectors = [this](const std::string&, std::size_t first, std::span<float> out) {
      std::copy_n(vectors_.begin() + static_cast<std::ptrdiff_t>(first * kDim), out.size(),
                  out.begin());
    };
    const auto penalties = [this](const std::string&, std::size_t, std::span<const float> block) {
      std::vector<float> some(block.size() / kDim);
      for (float& one : some) one = static_cast<float>(random_.uniform(-0.2, 0));
      return some;
    };
    write_index(contents, vectors, hubs ? PenaltiesOf(penalties) : PenaltiesOf(), {},
                Graphs::where_worth, folder / "index");
    if (look) add_look(contents);
    write_times(contents);
    open();
  }

  void open(Method method = Method::scan) {
    index.emplace(Index::open(folder / "index", method));
    encoder.emplace(index->model());
    if (index->look() != nullptr) look_encoder.emplace(index->look()->model());
  }

  Ids found(const Question& question) {
    AskHelp help;
    if (index->look() != nullptr) help.read_again = reading_with(*look_encoder);
    Ids ids;
    const auto answers = ask_each(*index, reading_with(*encoder), {}, question, help);
    for (const Found& one : answers.front().found) {
      ids.push_back({one.image});
      for (const Found& copy : one.copies) ids.back().push_back(copy.image);
    }
    return ids;
  }

  // The same by comparing every picture with the question, and with every result before it.
  Ids by_hand(const Question& question, std::optional<std::size_t> known = std::nullopt) {
    std::vector<Hit> hits = everything(question);
    std::erase_if(
        hits, [&](const Hit& hit) { return hit.image == known || hit.score < question.min_score; });
    const auto newest = [&](const Hit& a, const Hit& b) {
      return times_[a.image] > times_[b.image];
    };
    const bool by_time = question.order == Question::Order::time;
    if (by_time && question.has_least_score()) std::ranges::stable_sort(hits, newest);
    std::vector<std::vector<Hit>> results;
    for (const Hit& hit : hits) {
      const auto first = std::ranges::find_if(results, [&](const std::vector<Hit>& result) {
        return question.near_copies && cosine(result.front().image, hit.image) >= kNearCopies;
      });
      if (first != results.end()) {
        first->push_back(hit);
      } else {
        results.push_back({hit});
      }
    }
    results.resize(std::min(results.size(), question.k));
    if (by_time) {
      std::ranges::stable_sort(results,
                               [&](const auto& a, const auto& b) { return newest(a[0], b[0]); });
    }
    Ids ids;
    for (const auto& result : results) {
      ids.emplace_back();
      for (const Hit& hit : result) ids.back().push_back(fmt::format("i{}", hit.image));
    }
    return ids;
  }

  void expect_as_by_hand(const Question& question, const std::string& about,
                         std::optional<std::size_t> known = std::nullopt) {
    EXPECT_EQ(found(question), by_hand(question, known)) << about;
  }

  // Every kind of question that there is.
  void expect_all_kinds(const std::string& about) {
    Question question;
    question.parts = {said("a dog")};
    question.language = "en";
    for (const std::size_t k : {std::size_t{1}, std::size_t{7}, std::size_t{60}, kPictures}) {
      for (const double min_score : {kAnyScore, -0.5, 0.4, 0.8, 2.0}) {
        for (const bool near_copies : {false, true}) {
          for (const auto order : {Question::Order::score, Question::Order::time}) {
            for (const bool filtered : {false, true}) {
              question.k = k;
              question.min_score = min_score;
              question.near_copies = near_copies;
              question.order = order;
              question.filter.since.reset();
              if (filtered) question.filter.since = 500;
              // What k cuts off of corrected scores is cut off before the least score is asked for.
              if (!near_copies && order == Question::Order::score) continue;
              expect_as_by_hand(
                  question, fmt::format("{}: k {}, min_score {}, {}{}{}", about, k, min_score,
                                        near_copies ? "near copies " : "", filtered ? "since " : "",
                                        static_cast<int>(order)));
            }
          }
        }
      }
    }
  }

  float cosine(std::size_t a, std::size_t b) const {
    float result = 0;
    kernels().f32(&vectors_[a * kDim], 1, kDim, &vectors_[b * kDim], 1, &result);
    return result;
  }

  std::optional<Index> index;
  std::optional<TextEncoder> encoder, look_encoder;
  std::vector<float> vectors_;
  std::vector<std::int64_t> times_;

 private:
  static void name_pictures(IndexContents& contents) {
    contents.images.clear();
    for (std::size_t i = 0; i < kPictures; ++i) contents.images.push_back(fmt::format("i{}", i));
    contents.files.assign(kPictures, "");
    contents.digests.assign(kPictures, "");
  }

  std::vector<float> near(std::span<const float> vector, double distance) {
    std::vector<float> other(vector.begin(), vector.end());
    for (float& x : other) x += static_cast<float>(distance * random_.uniform(-1, 1));
    const float length =
        std::sqrt(std::inner_product(other.begin(), other.end(), other.begin(), 0.0F));
    for (float& x : other) x /= length;
    return other;
  }

  void plant() {
    vectors_.clear();
    const std::vector<float> nowhere(kDim);
    std::vector<float> last = near(nowhere, 1);
    const std::vector<float> dog =
        TextEncoder(Model::open(folder / "run")).encode("a dog", "en").vector;
    for (std::size_t i = 0; i < kPictures; ++i) {
      if (i % 4 == 0) {
        last = near(dog, 0.2);  // most look the same
      } else if (i % 4 == 1) {
        last = near(nowhere, 1);
      } else if (i % 32 != 2) {  // and the others are copies of what stands before them
        last = i % 64 == 3 ? last : near(last, 0.2);
      }
      vectors_.insert(vectors_.end(), last.begin(), last.end());
    }
  }

  // The same pictures in a model that compares words with regions.
  void add_look(const IndexContents& whole) {
    ModelFixture model(5);
    model.attend();
    model.config.erase("attention");
    model.config["late"] = {{"sharpness", 5}, {"weight", 0.8}};
    const fs::path to = folder / "index/look";
    model.write(to / "encoder");
    IndexContents contents = whole;
    contents.hubs = false;
    contents.model = model_hash(to / "encoder");
    contents.spaces = {"image"};
    const auto random = [this](std::span<float> out) {
      for (std::size_t i = 0; i < out.size(); i += kDim) {
        std::ranges::copy(near(std::vector<float>(kDim), 1),
                          out.begin() + static_cast<std::ptrdiff_t>(i));
      }
    };
    write_index(
        contents, [&](const std::string&, std::size_t, std::span<float> out) { random(out); }, {},
        {kRegionsFile,
         {static_cast<std::int64_t>(kRegions), static_cast<std::int64_t>(kDim)},
         [&](std::size_t, std::span<float> out) { random(out); }},
        Graphs::where_worth, to);
  }

  void write_times(const IndexContents& contents) {
    times_.clear();
    PictureRecords records{static_cast<const fs::path&>(folder), "", {}};
    for (std::size_t i = 0; i < kPictures; ++i) {
      times_.push_back(static_cast<std::int64_t>(random_.uniform(0, 1000)));
      if (i % 5 == 4) times_.back() = times_[i - 1];
      records.files.push_back({contents.images[i], 1, 0, "x", times_.back(), ""});
    }
    write_picture_records(folder / "index", records);
  }

  // The ranking of all pictures that the filter leaves.
  std::vector<Hit> everything(const Question& question) {
    const QuestionReader reader(*index, reading_with(*encoder));
    std::vector<ReadPart> parts;
    for (const auto& part : question.parts) parts.push_back(reader.part(part, question.language));
    const Query query = meaning_of(*index, parts, question.language);
    std::vector<Hit> orders, hits;
    for (std::size_t i = 0; i < kPictures; ++i) {
      const auto vector = std::span(vectors_).subspan(i * kDim, kDim);
      const double score =
          std::inner_product(vector.begin(), vector.end(), query.vector.begin(), 0.0);
      hits.push_back({i, static_cast<float>(score)});
      if (question.filter.since && times_[i] < *question.filter.since) continue;
      orders.push_back(hits.back());
      if (query.corrected) orders.back().score += index->penalty(i, query.space);
    }
    std::ranges::sort(orders, ranks_before);
    if (index->look() != nullptr && parts.front().said() != nullptr) look_again(question, orders);
    std::vector<Hit> ranked;
    for (const Hit& hit : orders) ranked.push_back(hits[hit.image]);
    return ranked;
  }

  void look_again(const Question& question, std::vector<Hit>& orders) {
    const Index& look = *index->look();
    const QuestionReader reader(look, reading_with(*look_encoder));
    const std::vector<ReadPart> parts = {reader.part(question.parts.front(), question.language)};
    const Query query = meaning_of(look, parts, question.language);
    const auto end = orders.begin() +
                     static_cast<std::ptrdiff_t>(std::min<std::size_t>(kLookedAt, orders.size()));
    for (auto hit = orders.begin(); hit != end; ++hit) {
      hit->score += 0.8F * attended_scores(look, query, std::vector{hit->image}).front();
    }
    std::sort(orders.begin(), end, ranks_before);
  }

  Random random_{1};
};

TEST_F(ResultsTest, AreThoseOfAllPicturesComparedByHand) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    make(seed);
    expect_all_kinds(fmt::format("seed {}", seed));
  }
}

TEST_F(ResultsTest, WhereHubsStandFurtherBehind) {
  make(4, true);
  expect_all_kinds("hubs");
}

TEST_F(ResultsTest, WithASecondLook) {
  make(5, true, true);
  ASSERT_NE(index->look(), nullptr);
  expect_all_kinds("a second look");
}

TEST_F(ResultsTest, AsAGraphFindsThem) {
  make(6);
  auto json = nlohmann::ordered_json::parse(read_file(folder / "index/index.json"));
  {
    const Weights scan(folder / "index/scan.safetensors");
    for (std::size_t space = 0; space < 2; ++space) {
      const fs::path file = folder / "index" / graph_file(space);
      Graph::build(scan.matrix("rows").part(space * kPictures, kPictures), file);
      json["graphs"].push_back(content_hash(file));
    }
  }
  write_file(folder / "index/index.json", json.dump());
  open(Method::graph);
  expect_all_kinds("a graph");
}

TEST_F(ResultsTest, APictureThatIsAskedWithIsNoCopyEither) {
  make(7);
  for (const std::size_t known : {std::size_t{0}, std::size_t{37}}) {
    Question question;
    question.parts = {like(fmt::format("i{}", known))};
    question.near_copies = true;
    for (const std::size_t k : {std::size_t{1}, std::size_t{5}, kPictures}) {
      question.k = k;
      expect_as_by_hand(question, fmt::format("like {}, k {}", known, k), known);
    }
  }
}

TEST_F(ResultsTest, SeveralQuestionsHaveTheirOwn) {
  make(8);
  Question shared;
  shared.language = "en";
  shared.near_copies = true;
  shared.k = 3;
  const std::vector<std::string> sentences = {"a dog", "the beach"};
  const auto answers = ask_each(*index, reading_with(*encoder), sentences, shared);
  for (std::size_t i = 0; i < 2; ++i) {
    Question alone = shared;
    alone.parts = {said(sentences[i])};
    const Ids wanted = by_hand(alone);
    ASSERT_EQ(answers[i].found.size(), wanted.size());
    for (std::size_t r = 0; r < wanted.size(); ++r) {
      EXPECT_EQ(answers[i].found[r].image, wanted[r].front());
      EXPECT_EQ(answers[i].found[r].copies.size() + 1, wanted[r].size());
    }
  }
}

TEST_F(ResultsTest, NothingIsLeftOfNothing) {
  make(9);
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.filter.since = 5000;
  for (const bool near_copies : {false, true}) {
    question.near_copies = near_copies;
    question.order = Question::Order::time;
    EXPECT_TRUE(found(question).empty());
    question.min_score = 0;
    EXPECT_TRUE(found(question).empty());
  }
}

TEST_F(ResultsTest, DetailsAreSaidOfCopiesToo) {
  make(10);
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.near_copies = true;
  question.details = true;
  const auto results = ask(*index, *encoder, question).found;
  std::size_t copies = 0;
  for (const Found& one : results) {
    EXPECT_EQ(one.taken.size(), 19U);
    for (const Found& copy : one.copies) {
      ++copies;
      EXPECT_EQ(copy.taken.size(), 19U);
      EXPECT_TRUE(copy.copies.empty());
      const std::size_t a = *index->find(one.image), b = *index->find(copy.image);
      EXPECT_GE(cosine(a, b), kNearCopies);
    }
  }
  EXPECT_GT(copies, kPictures / 8);
}

TEST_F(ResultsTest, TheNewestOfAnIndexWithoutTimesAreRefused) {
  IndexFixture::build();
  open();
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  question.order = Question::Order::time;
  for (const double min_score : {kAnyScore, 0.1}) {
    question.min_score = min_score;
    EXPECT_THAT([&] { ask(*index, *encoder, question); },
                ThrowsMessage<RequestError>(HasSubstr("does not know when")));
  }
}

// Of a model that compares words with regions: of the pictures that are compared.
TEST_F(IndexFixture, NearCopiesOfAModelThatComparesRegions) {
  fixture = ModelFixture();
  fixture.attend();
  fixture.config["image"]["image"]["layers"].push_back({{"kind", "l2"}});
  fixture.write(folder / "run");
  std::copy_n(rows.begin(), 7, rows.begin() + 21);  // p3 is p0 again
  write_npy(folder / "data/features/f.npy", rows, {5, 7});
  build();
  const Index index = Index::open(folder / "index");
  ASSERT_TRUE(index.attends());
  TextEncoder encoder(index.model());
  Question question;
  question.parts = {said("a dog")};
  question.language = "en";
  const auto plain = ask(index, encoder, question).found;
  question.near_copies = true;
  std::size_t together = 0, all = 0;
  for (const Found& one : ask(index, encoder, question).found) {
    all += 1 + one.copies.size();
    const auto has = [&](const char* id) {
      return one.image == id ||
             std::ranges::any_of(one.copies, [&](const Found& copy) { return copy.image == id; });
    };
    together += has("p0") && has("p3") ? 1 : 0;
  }
  EXPECT_EQ(together, 1U);
  EXPECT_EQ(all, plain.size());
}

}  // namespace
}  // namespace hinny
