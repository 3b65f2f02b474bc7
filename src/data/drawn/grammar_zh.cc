#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

struct Noun {
  std::string_view word, classifier;
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {"球", "个"},
    {"箱子", "个"},
    {"三角形", "个"},
    {"星星", "颗"},
    {"爱心", "颗"},
    {"房子", "座"},
    {"树", "棵"},
    {"汽车", "辆"},
    {"鱼", "条"},
    {"船", "艘"},
    {"花", "朵"},
    {"杯子", "个"},
    {"鸟", "只"},
    {"苹果", "个"},
    {"钥匙", "把"},
    {"雨伞", "把"},
}};
constexpr std::array<std::string_view, kColors> kColorWords = {"红色", "蓝色", "绿色", "黄色",
                                                               "黑色", "白色", "紫色", "橙色"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"",   "一", "两",
                                                                   "三", "四", "五"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "天空中", "草地上", "沙滩上", "夜空下", "雪地上", "水面上", "一面墙前", "房间里"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"左边", "右边", "上方",
                                                                     "下方"};

constexpr std::size_t kOneCharacter = 3;  // bytes of UTF-8

// Number, classifier, colour, size, noun: 两条蓝色小鱼. A noun of one character keeps 的 before
// it: 一条蓝色的鱼.
std::string noun_phrase(const Mention& mention) {
  const Noun& noun = kNouns[at(mention.kind)];
  std::string text(kNumbers[static_cast<std::size_t>(mention.count)]);
  text += noun.classifier;
  if (mention.size == Size::medium) text += "中等大小的";
  if (mention.color) text += kColorWords[at(*mention.color)];
  if (mention.color && !mention.size && noun.word.size() == kOneCharacter) text += "的";
  if (mention.size == Size::small) text += "小";
  if (mention.size == Size::large) text += "大";
  return text.append(noun.word);
}

std::string relation(const Plan& plan, const std::string& place) {
  const std::string first = noun_phrase(plan.mentions[0]);
  const std::string second = noun_phrase(plan.mentions[1]);
  const std::string side(kRelationWords[at(*plan.relation)]);
  const std::string front = place.empty() ? "" : place + "，";
  std::string text = choose(plan, {front + second + "的" + side + "有" + first,
                                   front + first + "在" + second + "的" + side,
                                   "图中" + (place.empty() ? "" : "的" + place) + "，" + first +
                                       "位于" + second + "的" + side});
  if (plan.mentions.size() > 2) text += "，还有" + noun_phrase(plan.mentions[2]);
  return text;
}

}  // namespace

std::string write_chinese(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string of_place = place.empty() ? "" : place + "的";
  const std::string at_place = place.empty() ? "" : "在" + place;
  const std::string front = place.empty() ? "图中" : place;
  const std::string list = join(each(plan, noun_phrase), "、", "和");
  std::string text;
  switch (plan.pattern) {
    case Pattern::phrase:
      text = choose(plan, {of_place + list, "一幅画，画着" + of_place + list, list + at_place});
      break;
    case Pattern::there:
      text = choose(plan, {front + "有" + list, front + "可以看到" + list, front + "画着" + list});
      break;
    case Pattern::shows:
      text = choose(plan, {"这张图片上是" + of_place + list, "我们看到" + of_place + list,
                           "图片展示了" + of_place + list});
      break;
    case Pattern::relation:
      text = relation(plan, place);
      break;
  }
  return text + "。";
}

}  // namespace hinny::drawn
