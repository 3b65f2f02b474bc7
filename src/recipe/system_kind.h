// The systems that Hinny trains, and sets of them.
#pragma once

#include <initializer_list>
#include <string>

#include "base/choice.h"

namespace hinny {

enum class SystemKind { bag, dan, embn, late, mule, san, scan, smalr, teacher, vse, nmt, mmt };

template <>
struct Choices<SystemKind> {
  static constexpr Choice<SystemKind> all[] = {
      {SystemKind::bag, "bag"},   {SystemKind::dan, "dan"},     {SystemKind::embn, "embn"},
      {SystemKind::late, "late"}, {SystemKind::mule, "mule"},   {SystemKind::san, "san"},
      {SystemKind::scan, "scan"}, {SystemKind::smalr, "smalr"}, {SystemKind::teacher, "teacher"},
      {SystemKind::vse, "vse"},   {SystemKind::nmt, "nmt"},     {SystemKind::mmt, "mmt"}};
};

class Systems {
 public:
  constexpr Systems() = default;
  constexpr Systems(std::initializer_list<SystemKind> systems) {
    for (const SystemKind system : systems) bits_ |= bit(system);
  }
  constexpr bool contains(SystemKind system) const { return (bits_ & bit(system)) != 0; }
  constexpr Systems operator|(Systems other) const {
    other.bits_ |= bits_;
    return other;
  }
  constexpr bool operator==(const Systems&) const = default;

 private:
  static constexpr unsigned bit(SystemKind system) { return 1U << static_cast<unsigned>(system); }
  unsigned bits_ = 0;
};

// A vector a sentence, from a branch of words, beside a branch of pictures (systems/two_branch.h).
inline constexpr Systems kTwoBranches = {SystemKind::bag, SystemKind::embn, SystemKind::mule,
                                         SystemKind::smalr, SystemKind::vse};
// Of those, the ones with MULE's space of words that languages share.
inline constexpr Systems kSharedWords = {SystemKind::mule, SystemKind::smalr};
// Words against regions of pictures (systems/region_system.h).
inline constexpr Systems kRegions = {SystemKind::dan, SystemKind::san, SystemKind::scan};
// The same without a sentence's vector or encoder (systems/late.h).
inline constexpr Systems kLate = {SystemKind::late};
// A branch of words alone, that learns where another model's vectors lie (systems/teacher.h).
inline constexpr Systems kTaught = {SystemKind::teacher};
// Trained on pictures and their captions.
inline constexpr Systems kRanking = kTwoBranches | kRegions | kLate;
inline constexpr Systems kRetrieving = kRanking | kTaught;
inline constexpr Systems kTranslating = {SystemKind::nmt, SystemKind::mmt};
inline constexpr Systems kEvery = kRetrieving | kTranslating;

// A model that translates, and does not retrieve.
constexpr bool translates(SystemKind system) { return kTranslating.contains(system); }

// "bag, embn", "all", "all that retrieve".
std::string as_text(Systems systems);

}  // namespace hinny
