// A collection of pictures with near copies, and its results by comparing every picture.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/folders.h"
#include "index/asking/ask.h"
#include "index/asking/near_copies.h"
#include "index/asking/region_scores.h"
#include "index/asking/results.h"
#include "index/folder/index_fixture.h"
#include "index/folder/write_index.h"
#include "index/tree/picture_records.h"
#include "retrieval/dot_kernels.h"

namespace hinny {

inline constexpr std::size_t kDim = 6;
inline constexpr std::size_t kRegions = 7;
inline constexpr std::size_t kPictures = 400;
inline constexpr double kAnyScore = -std::numeric_limits<double>::infinity();

using Ids = std::vector<std::vector<std::string>>;  // of each result, then of its copies

// A collection of random pictures with copies among them: as many as anyone has of one subject, and
// rows of shots each of which is a near copy of the next one alone.
class ResultsTest : public IndexFixture {
 protected:
  // `films`: some of them are frames of films.
  void make(std::uint64_t seed, bool hubs = false, bool reranker = false, bool films = false) {
    IndexFixture::build({0, 1, 2, 3, 4}, "small");
    random_ = Random(seed);
    IndexContents contents = Index::open(folder / "small").contents();
    contents.hubs = hubs;
    name_pictures(contents, films);
    ids_ = contents.images.strings();
    plant();
    std::filesystem::remove_all(folder / "index");
    create_folder(folder / "index");
    std::filesystem::copy(folder / "small/encoder", folder / "index/encoder");
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
    if (reranker) add_reranker(contents);
    write_times();
    open();
  }

  void open(Method method = Method::scan) {
    index.emplace(Index::open(folder / "index", method));
    encoder.emplace(index->model());
    if (index->reranker() != nullptr) reranker_encoder.emplace(index->reranker()->model());
  }

  Ids found(const Question& question) {
    AskHelp help;
    if (index->reranker() != nullptr) help.read_for_reranker = reading_with(*reranker_encoder);
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
      const bool shown = std::ranges::any_of(results, [&](const std::vector<Hit>& result) {
        return !question.each_frame && same_film(result.front(), hit);
      });
      if (first != results.end()) {
        const bool twice = std::ranges::any_of(*first, [&](const Hit& other) {
          return !question.each_frame && same_film(other, hit);
        });
        if (!twice) first->push_back(hit);
      } else if (!shown) {
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
      for (const Hit& hit : result) ids.back().push_back(ids_[hit.image]);
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
    dot_kernels().f32(&vectors_[a * kDim], 1, kDim, &vectors_[b * kDim], 1, &result);
    return result;
  }

  std::optional<Index> index;
  std::optional<TextEncoder> encoder, reranker_encoder;
  std::vector<float> vectors_;
  std::vector<std::int64_t> times_;

 private:
  // Of each 40 twenty are frames of two films, in turns.
  static void name_pictures(IndexContents& contents, bool films) {
    contents.images = contents.files = {};
    contents.digests = NameList(std::vector<std::string>(kPictures));
    for (std::size_t i = 0; i < kPictures; ++i) {
      const bool frame = films && i % 40 < 20;
      const std::string file = frame ? fmt::format("{}.mp4", i / 40 * 2 + i % 2) : "";
      contents.files.push_back(file);
      contents.images.push_back(frame ? fmt::format("{}#t={}.5", file, i) : fmt::format("i{}", i));
    }
  }

  bool same_film(const Hit& a, const Hit& b) const {
    const auto film = [this](const Hit& hit) {
      const std::string& id = ids_[hit.image];
      return id.substr(0, id.find('#'));
    };
    return film(a) == film(b) && film(a).ends_with(".mp4");
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
  void add_reranker(const IndexContents& whole) {
    ModelFixture model(5);
    model.attend();
    model.config.erase("attention");
    model.config["late"] = {{"sharpness", 5}, {"weight", 0.8}};
    const std::filesystem::path to = folder / "index/look";
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

  void write_times() {
    times_.clear();
    PictureRecords records{static_cast<const std::filesystem::path&>(folder), "0123", {}};
    for (std::size_t i = 0; i < kPictures; ++i) {
      times_.push_back(static_cast<std::int64_t>(random_.uniform(0, 1000)));
      if (i % 5 == 4) times_.back() = times_[i - 1];
      records.files.push_back(
          {ids_[i], 1, {}, "x", {Taken{times_.back(), TakenFrom::exif}}, "", ""});
    }
    write_picture_records(folder / "index", records);
    write_checksums(folder / "index");
  }

  // The ranking of all pictures that the filter leaves.
  std::vector<Hit> everything(const Question& question) {
    const QuestionReader reader(*index, reading_with(*encoder));
    std::vector<ReadPart> parts;
    for (const auto& part : question.parts) parts.push_back(reader.part(part, question.language));
    const Query query = query_of(*index, parts, question.language);
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
    if (index->reranker() != nullptr && parts.front().said() != nullptr) rerank(question, orders);
    std::vector<Hit> ranked;
    ranked.reserve(orders.size());
    for (const Hit& hit : orders) ranked.push_back(hits[hit.image]);
    return ranked;
  }

  void rerank(const Question& question, std::vector<Hit>& orders) {
    const Index& reranker = *index->reranker();
    const QuestionReader reader(reranker, reading_with(*reranker_encoder));
    const std::vector<ReadPart> parts = {reader.part(question.parts.front(), question.language)};
    const Query query = query_of(reranker, parts, question.language);
    const auto end = orders.begin() +
                     static_cast<std::ptrdiff_t>(std::min<std::size_t>(kReranked, orders.size()));
    for (auto hit = orders.begin(); hit != end; ++hit) {
      hit->score += 0.8F * region_scores(reranker, query, std::vector{hit->image}).front();
    }
    std::sort(orders.begin(), end, ranks_before);
  }

  Random random_{1};
  std::vector<std::string> ids_;
};

}  // namespace hinny
