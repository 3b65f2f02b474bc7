#include "recipe/system_kind.h"

namespace hinny {

std::string as_text(Systems systems) {
  if (systems == kEvery) return "all";
  if (systems == kRetrieving) return "all that retrieve";
  if (systems == kRanking) return "all that retrieve, but teacher";
  std::string text;
  for (const auto& [system, name] : Choices<SystemKind>::all) {
    if (!systems.contains(system)) continue;
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace hinny
