#include "data/drawn/grammar.h"

namespace hinny::drawn {
namespace {

struct Noun {
  std::string_view word, counter;
  bool alive = false;  // います rather than あります
};
constexpr std::array<Noun, kKinds> kNouns = {{
    {"ボール", "つ"},
    {"箱", "つ"},
    {"三角形", "つ"},
    {"星", "つ"},
    {"ハート", "つ"},
    {"家", "軒"},
    {"木", "本"},
    {"車", "台"},
    {"魚", "匹", true},
    {"船", "隻"},
    {"花", "本"},
    {"カップ", "つ"},
    {"鳥", "羽", true},
    {"りんご", "つ"},
    {"鍵", "本"},
    {"傘", "本"},
}};
constexpr std::array<std::string_view, kColors> kColorWords = {
    "赤い", "青い", "緑の", "黄色い", "黒い", "白い", "紫の", "オレンジ色の"};
constexpr std::array<std::string_view, kSizes> kSizeWords = {"小さな", "中くらいの大きさの",
                                                             "大きな"};
constexpr std::array<std::string_view, kMostCount + 1> kNumbers = {"", "", "二", "三", "四", "五"};
constexpr std::array<std::string_view, kBackgrounds> kPlaces = {
    "空", "草原", "砂の上", "夜空", "雪の上", "水の上", "壁の前", "部屋の中"};
constexpr std::array<std::string_view, kRelations> kRelationWords = {"左", "右", "上", "下"};

// Number with counter, size, colour, noun: 二匹の小さな青い魚.
std::string noun_phrase(const Mention& mention) {
  const Noun& noun = kNouns[at(mention.kind)];
  std::string text;
  if (mention.count > 1) {
    text.append(kNumbers[static_cast<std::size_t>(mention.count)]).append(noun.counter) += "の";
  }
  if (mention.size) text += kSizeWords[at(*mention.size)];
  if (mention.color) text += kColorWords[at(*mention.color)];
  return text.append(noun.word);
}

std::string relation(const Plan& plan, const std::string& place) {
  const std::string first = noun_phrase(plan.mentions[0]);
  const std::string side =
      noun_phrase(plan.mentions[1]) + "の" + std::string(kRelationWords[at(*plan.relation)]);
  const std::string is = kNouns[at(plan.mentions[0].kind)].alive ? "います" : "あります";
  const std::string front = place.empty() ? "" : place + "で、";
  std::string text = choose(
      plan, {front + first + "は" + side + "に" + is, front + side + "に" + first + "が" + is,
             (place.empty() ? "" : place + "の") + side + "に" + first + "が描かれています"});
  if (plan.mentions.size() > 2) text += "。" + noun_phrase(plan.mentions[2]) + "も見えます";
  return text;
}

}  // namespace

std::string write_japanese(const Plan& plan) {
  const std::string place = background_words(plan, kPlaces);
  const std::string of_place = place.empty() ? "" : place + "の";
  const std::string at_place = place.empty() ? "" : place + "に";
  const std::string front = place.empty() ? "絵" : place;
  const std::string list = join(each(plan, noun_phrase), "、", "と");
  std::string text;
  switch (plan.pattern) {
    case Pattern::phrase:
      text = choose(
          plan, {of_place + list, at_place + list + "が見える絵", at_place + list + "を描いた絵"});
      break;
    case Pattern::there:
      text = choose(plan, {front + "に" + list + "が見えます", front + "には" + list + "が見えます",
                           front + "に" + list + "が描かれています"});
      break;
    case Pattern::shows:
      text = choose(plan, {"この絵では、" + at_place + list + "が見えます",
                           "この絵には、" + of_place + list + "が描かれています",
                           "これは" + of_place + list + "の絵です"});
      break;
    case Pattern::relation:
      text = relation(plan, place);
      break;
  }
  return text + "。";
}

}  // namespace hinny::drawn
