// When a key has an effect, beside the systems in which it acts: by what other keys say.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hinny {

struct Recipe;

// Keys that are said to have some value, all of them; or others, all of them; and so on.
class Condition {
 public:
  // No condition: it always holds.
  Condition() = default;
  // `key` has one of these values, by their names in TOML. None given: it is not 0, false or empty.
  Condition(std::string_view key, std::vector<std::string_view> values);

  Condition operator&&(const Condition& other) const;
  Condition operator||(const Condition& other) const;

  bool always() const { return ways_.empty(); }
  bool holds(const Recipe& recipe) const;
  // "loss.kind = triplet and loss.mining = hardest, or ..."; "" without a condition.
  std::string text() const;
  // What the recipe says of the keys in it: "loss.kind = infonce".
  std::string found(const Recipe& recipe) const;

 private:
  struct Says {
    std::string_view key;
    std::vector<std::string_view> values;
    bool operator==(const Says&) const = default;
    bool holds(const Recipe& recipe) const;
    std::string text() const;
  };
  std::vector<std::vector<Says>> ways_;
};

inline Condition is(std::string_view key, std::vector<std::string_view> values) {
  return {key, std::move(values)};
}
inline Condition on(std::string_view key) { return {key, {}}; }

}  // namespace hinny
