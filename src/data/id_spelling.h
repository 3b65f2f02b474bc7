// When two files spell the ids of the same images differently: the hint in the error message.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hinny {

// All that two spellings of one id differ in, such as "the ending" or "zeros in front"; empty where
// they are equal or differ in more than spelling.
std::vector<std::string_view> spelling_differences(std::string_view a, std::string_view b);

// Known ids, asked for one that is not among them.
class IdSpellings {
 public:
  void add(std::string_view id);
  // The first of them that differs from `id` in spelling alone: "'000042.jpg', which differs in the
  // ending and zeros in front"; or "".
  std::string near(std::string_view id) const;

 private:
  std::unordered_map<std::string, std::string> by_key_;
};

}  // namespace hinny
