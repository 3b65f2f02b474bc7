#include "data/drawn/plan.h"

#include <algorithm>
#include <span>

namespace hinny::drawn {
namespace {

// Most captions say most things: a caption should find its picture among hundreds.
constexpr double kSayBackground = 0.8;
constexpr double kSayLaterColor = 0.85;
constexpr double kSaySize = 0.35;
constexpr double kAddThird = 0.6;

struct Related {
  std::size_t first, second;
  Relation relation;
};

std::vector<Related> related_pairs(const Scene& scene) {
  std::vector<Related> pairs;
  for (std::size_t a = 0; a < scene.groups.size(); ++a) {
    for (std::size_t b = 0; b < scene.groups.size(); ++b) {
      if (a == b) continue;
      const auto relation = relation_between(scene.groups[a], scene.groups[b]);
      if (relation) pairs.push_back({a, b, *relation});
    }
  }
  return pairs;
}

Mention mention(const Group& group, bool say_color, Random& random) {
  Mention result{group.kind, group.count, std::nullopt, std::nullopt};
  if (say_color) result.color = group.color;
  if (random.uniform() < kSaySize) result.size = group.size;
  return result;
}

std::vector<std::size_t> shuffled_groups(const Scene& scene, Random& random) {
  std::vector<std::size_t> order(scene.groups.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  random.shuffle(std::span<std::size_t>(order));
  return order;
}

// Which groups are mentioned, in which order.
std::vector<std::size_t> mentioned(const Scene& scene, const std::optional<Related>& pair,
                                   Random& random) {
  auto order = shuffled_groups(scene, random);
  if (!pair) {
    const std::size_t most_left_out = order.size() - 2;
    order.resize(order.size() - (most_left_out > 0 ? random.below(most_left_out + 1) : 0));
    return order;
  }
  std::vector<std::size_t> result = {pair->first, pair->second};
  const auto third = std::find_if(order.begin(), order.end(), [&](std::size_t group) {
    return group != pair->first && group != pair->second;
  });
  if (third != order.end() && random.uniform() < kAddThird) result.push_back(*third);
  return result;
}

Plan make_plan(const Scene& scene, Pattern pattern, const std::vector<Related>& pairs,
               Random& random) {
  Plan plan;
  plan.pattern = pattern;
  std::optional<Related> pair;
  if (pattern == Pattern::relation) {
    pair = random.pick(pairs);
    plan.relation = pair->relation;
  }
  for (const std::size_t group : mentioned(scene, pair, random)) {
    const bool say_color = plan.mentions.size() < 2 || random.uniform() < kSayLaterColor;
    plan.mentions.push_back(mention(scene.groups[group], say_color, random));
  }
  if (random.uniform() < kSayBackground) plan.background = scene.background;
  plan.wording = static_cast<int>(random.below(kWordings));
  return plan;
}

bool says_the_same(const Plan& a, const Plan& b) {
  return a.relation == b.relation && a.background == b.background &&
         std::is_permutation(a.mentions.begin(), a.mentions.end(), b.mentions.begin(),
                             b.mentions.end());
}

std::vector<Pattern> shuffled_patterns(bool has_relation, Random& random) {
  std::vector<Pattern> patterns = {Pattern::phrase, Pattern::there, Pattern::shows};
  if (has_relation) patterns.push_back(Pattern::relation);
  random.shuffle(std::span<Pattern>(patterns));
  return patterns;
}

}  // namespace

std::vector<Plan> plan_captions(const Scene& scene, std::size_t count, Random& random) {
  const auto pairs = related_pairs(scene);
  const auto patterns = shuffled_patterns(!pairs.empty(), random);
  std::vector<Plan> plans;
  while (plans.size() < std::min(count, patterns.size())) {
    Plan plan = make_plan(scene, patterns[plans.size()], pairs, random);
    const bool said = std::any_of(plans.begin(), plans.end(),
                                  [&](const Plan& other) { return says_the_same(plan, other); });
    if (!said) plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace hinny::drawn
