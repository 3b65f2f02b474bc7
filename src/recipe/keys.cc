#include "recipe/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "recipe/section.h"

namespace hinny {
namespace {

struct Values {
  const RecipeKey& key;

  std::string operator()(const bool*) const { return "true, false"; }
  std::string operator()(const ChoiceSetting& choice) const {
    return fmt::format("{}", fmt::join(choice.names(), ", "));
  }
  std::string operator()(const std::int64_t*) const { return range(); }
  std::string operator()(const double*) const { return range(); }
  std::string operator()(const std::map<std::string, std::int64_t>*) const { return range(); }
  std::string operator()(const std::map<std::string, double>*) const { return range(); }
  template <typename Strings>
  std::string operator()(const Strings*) const {
    return fmt::format("{}", fmt::join(key.words, ", "));
  }
  std::string range() const { return fmt::format("{} to {}", key.range.low, key.range.high); }
};

}  // namespace

std::string RecipeKey::values() const {
  Recipe any;
  return std::visit(Values{*this}, setting(any));
}

const std::vector<RecipeKey>& recipe_keys() {
  static const std::vector<RecipeKey> keys = [] {
    std::vector<RecipeKey> all;
    add_general_keys(all);
    add_text_keys(all);
    add_image_keys(all);
    add_loss_keys(all);
    add_attention_keys(all);
    add_pretrain_keys(all);
    add_data_keys(all);
    add_parallel_keys(all);
    add_teacher_keys(all);
    add_hub_keys(all);
    add_rerank_keys(all);
    add_sample_keys(all);
    add_translation_keys(all);
    add_train_keys(all);
    return all;
  }();
  return keys;
}

}  // namespace hinny
