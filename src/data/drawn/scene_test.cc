#include "data/drawn/scene.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "data/drawn/painter.h"
#include "data/drawn/plan.h"

namespace hinny::drawn {
namespace {

bool inside(const Box& inner, const Box& outer) {
  constexpr double kRounding = 1e-9;
  return inner.x >= outer.x - kRounding && inner.y >= outer.y - kRounding &&
         inner.x + inner.width <= outer.x + outer.width + kRounding &&
         inner.y + inner.height <= outer.y + outer.height + kRounding;
}

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

TEST(Scene, ObjectsLieInsideThePictureAndApart) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const Scene scene = sample_scene(random);
    ASSERT_GE(scene.groups.size(), 2U);
    ASSERT_LE(scene.groups.size(), 4U);
    std::set<Kind> kinds;
    std::vector<Box> all;
    for (const Group& group : scene.groups) {
      kinds.insert(group.kind);
      const auto objects = object_boxes(group);
      ASSERT_EQ(objects.size(), static_cast<std::size_t>(group.count));
      for (const Box& object : objects) {
        EXPECT_TRUE(inside(object, group.box));
        EXPECT_TRUE(inside(object, {0, 0, kCanvas, kCanvas}));
        for (const Box& other : all) EXPECT_FALSE(overlap(object, other));
        all.push_back(object);
      }
    }
    EXPECT_EQ(kinds.size(), scene.groups.size());  // so that counts are true
  }
}

TEST(Scene, RelationsAreTrueAndMirrored) {
  Group left, right;
  left.box = {10, 100, 50, 50};
  right.box = {120, 110, 80, 40};
  EXPECT_EQ(relation_between(left, right), Relation::left_of);
  EXPECT_EQ(relation_between(right, left), Relation::right_of);
  right.box = {15, 10, 50, 50};  // y grows downwards
  EXPECT_EQ(relation_between(left, right), Relation::below);
  EXPECT_EQ(relation_between(right, left), Relation::above);
  // Diagonal, and overlapping either way.
  for (const Box& box : {Box{100, 10, 50, 50}, Box{30, 105, 50, 50}, Box{15, 120, 50, 50}}) {
    right.box = box;
    EXPECT_EQ(relation_between(left, right), std::nullopt) << box.x;
  }
}

TEST(Painter, EveryKindColorAndBackgroundShows) {
  std::set<std::string> pictures;
  for (std::size_t i = 0; i < kKinds; ++i) {
    Scene scene;
    scene.groups = {{static_cast<Kind>(i), Color::red, Size::large, 1, {60, 60, 84, 84}}};
    pictures.insert(paint_png(scene));
  }
  for (std::size_t i = 1; i < kColors; ++i) {
    Scene scene;
    scene.groups = {{Kind::ball, static_cast<Color>(i), Size::large, 1, {60, 60, 84, 84}}};
    pictures.insert(paint_png(scene));
  }
  for (std::size_t i = 0; i < kBackgrounds; ++i) {
    Scene scene;
    scene.background = static_cast<Background>(i);
    pictures.insert(paint_png(scene));
  }
  EXPECT_EQ(pictures.size(), kKinds + kColors - 1 + kBackgrounds);
}

TEST(Plans, SayOnlyWhatIsTrueAndEnoughOfIt) {
  std::set<std::pair<std::size_t, std::size_t>> numbers;  // of groups, and of those that are said
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const Scene scene = sample_scene(random);
    const auto plans = plan_captions(scene, 3, random);
    ASSERT_EQ(plans.size(), 3U);
    for (const Plan& plan : plans) {
      ASSERT_GE(plan.mentions.size(), 2U);
      std::vector<const Group*> groups;
      for (const Mention& mention : plan.mentions) {
        for (const Group& group : scene.groups) {
          if (group.kind == mention.kind) groups.push_back(&group);
        }
        ASSERT_EQ(groups.size(), static_cast<std::size_t>(&mention - plan.mentions.data()) + 1);
        EXPECT_EQ(mention.count, groups.back()->count);
        EXPECT_EQ(mention.color.value_or(groups.back()->color), groups.back()->color);
        EXPECT_EQ(mention.size.value_or(groups.back()->size), groups.back()->size);
      }
      EXPECT_TRUE(plan.mentions[0].color && plan.mentions[1].color);
      EXPECT_EQ(plan.background.value_or(scene.background), scene.background);
      EXPECT_EQ(plan.relation.has_value(), plan.pattern == Pattern::relation);
      if (plan.relation) {
        EXPECT_EQ(plan.relation, relation_between(*groups[0], *groups[1]));
        EXPECT_LE(plan.mentions.size(), 3U);
      } else {
        numbers.emplace(scene.groups.size(), plan.mentions.size());
      }
    }
  }
  const decltype(numbers) each = {{2, 2}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {4, 4}};
  EXPECT_EQ(numbers, each);
}

}  // namespace
}  // namespace hinny::drawn
