#include "data/drawn/scene.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hinny::drawn {
namespace {

constexpr double kMargin = 6;     // between boxes and the canvas edge
constexpr double kGap = 9;        // between the boxes of two groups
constexpr double kObjectGap = 5;  // between the objects of a group
constexpr int kPlacementTries = 60;
constexpr std::array<double, kSizes> kPixels = {32, 52, 84};

// Objects per row, from the top.
const std::vector<int>& rows_of(int count) {
  static const std::array<std::vector<int>, kMostCount> rows = {{{1}, {2}, {1, 2}, {2, 2}, {3, 2}}};
  return rows[static_cast<std::size_t>(count - 1)];
}

double extent(int objects, double pixels) { return objects * (pixels + kObjectGap) - kObjectGap; }

bool visible(Color color, Background background) {
  switch (background) {
    case Background::meadow:
      return color != Color::green;
    case Background::sand:
      return color != Color::yellow;
    case Background::night:
      return color != Color::black;
    case Background::snow:
      return color != Color::white;
    case Background::water:
      return color != Color::blue;
    default:
      return true;
  }
}

Size sample_size(int count, Random& random) {
  if (count > 2) return Size::small;  // larger ones would fill the canvas
  return static_cast<Size>(random.below(count == 2 ? 2 : kSizes));
}

Group sample_group(Kind kind, Background background, Random& random) {
  Group group;
  group.kind = kind;
  do {
    group.color = static_cast<Color>(random.below(kColors));
  } while (!visible(group.color, background));
  group.count = random.uniform() < 0.5 ? 1 : 2 + static_cast<int>(random.below(kMostCount - 1));
  group.size = sample_size(group.count, random);
  const auto& rows = rows_of(group.count);
  const double pixels = kPixels[at(group.size)];
  group.box.width = extent(*std::max_element(rows.begin(), rows.end()), pixels);
  group.box.height = extent(static_cast<int>(rows.size()), pixels);
  return group;
}

// Distance between two boxes along the axis where they are farther apart; negative: they overlap.
double distance(const Box& a, const Box& b) {
  const double x = std::abs(a.middle_x() - b.middle_x()) - (a.width + b.width) / 2;
  const double y = std::abs(a.middle_y() - b.middle_y()) - (a.height + b.height) / 2;
  return std::max(x, y);
}

bool place(Group& group, const std::vector<Group>& others, Random& random) {
  for (int attempt = 0; attempt < kPlacementTries; ++attempt) {
    group.box.x = random.uniform(kMargin, kCanvas - kMargin - group.box.width);
    group.box.y = random.uniform(kMargin, kCanvas - kMargin - group.box.height);
    const bool free = std::all_of(others.begin(), others.end(), [&](const Group& other) {
      return distance(group.box, other.box) >= kGap;
    });
    if (free) return true;
  }
  return false;
}

std::size_t sample_group_count(Random& random) {
  const double chance = random.uniform();
  if (chance < 0.25) return 2;
  return chance < 0.65 ? 3 : 4;
}

// False when the groups found no room.
bool sample_groups(Scene& scene, Random& random) {
  std::array<Kind, kKinds> kinds{};
  for (std::size_t i = 0; i < kKinds; ++i) kinds[i] = static_cast<Kind>(i);
  random.shuffle(std::span<Kind>(kinds));
  scene.groups.clear();
  const std::size_t count = sample_group_count(random);
  for (std::size_t i = 0; i < count; ++i) {
    Group group = sample_group(kinds[i], scene.background, random);
    if (!place(group, scene.groups, random)) return false;
    scene.groups.push_back(group);
  }
  return true;
}

}  // namespace

Scene sample_scene(Random& random) {
  Scene scene;
  scene.background = static_cast<Background>(random.below(kBackgrounds));
  while (!sample_groups(scene, random)) {
  }
  scene.details = random.next();
  return scene;
}

std::vector<Box> object_boxes(const Group& group) {
  const double pixels = kPixels[at(group.size)];
  std::vector<Box> boxes;
  double y = group.box.y;
  for (const int objects : rows_of(group.count)) {
    double x = group.box.middle_x() - extent(objects, pixels) / 2;
    for (int i = 0; i < objects; ++i, x += pixels + kObjectGap) {
      boxes.push_back({x, y, pixels, pixels});
    }
    y += pixels + kObjectGap;
  }
  return boxes;
}

std::optional<Relation> relation_between(const Group& a, const Group& b) {
  constexpr double kSlant = 0.6;  // beyond this a viewer would say "diagonally"
  const double x = a.box.middle_x() - b.box.middle_x();
  const double y = a.box.middle_y() - b.box.middle_y();
  const double apart_x = std::abs(x) - (a.box.width + b.box.width) / 2;
  const double apart_y = std::abs(y) - (a.box.height + b.box.height) / 2;
  if (apart_x > 0 && std::abs(y) <= kSlant * std::abs(x)) {
    return x < 0 ? Relation::left_of : Relation::right_of;
  }
  if (apart_y > 0 && std::abs(x) <= kSlant * std::abs(y)) {
    return y < 0 ? Relation::above : Relation::below;
  }
  return std::nullopt;
}

}  // namespace hinny::drawn
