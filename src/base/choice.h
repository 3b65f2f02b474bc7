// An enumeration whose values have names in files and on command lines. The names are declared
// once, beside the enumeration:
//
//   enum class Norm { none, l2 };
//   template <>
//   struct Choices<Norm> {
//     static constexpr Choice<Norm> all[] = {{Norm::none, "none"}, {Norm::l2, "l2"}};
//   };
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

template <typename Enum>
struct Choice {
  Enum value;
  std::string_view name;
};

template <typename Enum>
struct Choices;

// Something with declared names; a type without them is none of these.
template <typename Enum>
concept Named = requires {
  Choices<Enum>::all;
};

template <Named Enum>
constexpr std::string_view name_of(Enum value) {
  for (const Choice<Enum>& choice : Choices<Enum>::all) {
    if (choice.value == value) return choice.name;
  }
  return {};  // no value of the enumeration
}

// The value of that name, or none.
template <Named Enum>
constexpr std::optional<Enum> choice_of(std::string_view name) {
  for (const Choice<Enum>& choice : Choices<Enum>::all) {
    if (choice.name == name) return choice.value;
  }
  return std::nullopt;
}

// All names, in the order of their declaration.
template <Named Enum>
std::vector<std::string> choice_names() {
  std::vector<std::string> names;
  for (const Choice<Enum>& choice : Choices<Enum>::all) names.emplace_back(choice.name);
  return names;
}

}  // namespace hinny
