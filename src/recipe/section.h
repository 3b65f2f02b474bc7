// How the files of recipe/keys declare the keys of a section.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "recipe/keys.h"

namespace hinny {

// The rest of a RecipeKey, beside its name and where its value lies.
struct KeyFacts {
  Systems acts_in{};
  std::string_view meaning{};
  NumberRange range{};
  std::vector<std::string> words{};
  std::string_view source{};
  Condition when{};
};

inline constexpr double kMostWeight = 1e6;
inline constexpr double kMostCount = 1e9;
inline constexpr double kMostSize = 65536;  // numbers of a vector

template <typename Value>
Setting setting_at(Value& value) {
  if constexpr (Named<Value>) {
    return ChoiceSetting{&value,
                         [](const void* at) { return name_of(*static_cast<const Value*>(at)); },
                         [](void* at, std::string_view name) {
                           const auto choice = choice_of<Value>(name);
                           if (choice) *static_cast<Value*>(at) = *choice;
                           return choice.has_value();
                         },
                         choice_names<Value>};
  } else {
    return &value;
  }
}

template <typename Settings>
class Section {
 public:
  // `name`: "loss", or empty for keys in front of all sections.
  Section(std::vector<RecipeKey>& keys, const std::string& name, Settings& (*of)(Recipe&))
      : keys_(keys), prefix_(name.empty() ? name : name + "."), of_(of) {}

  template <typename Value, typename Owner>
  void add(const char* name, Value Owner::*member, KeyFacts facts) const {
    keys_.push_back({prefix_ + name,
                     [of = of_, member](Recipe& recipe) { return setting_at(of(recipe).*member); },
                     facts.acts_in, facts.meaning, facts.range, std::move(facts.words),
                     facts.source, std::move(facts.when)});
  }

 private:
  std::vector<RecipeKey>& keys_;
  std::string prefix_;
  Settings& (*of_)(Recipe&);
};

// Each adds the keys of its file.
void add_general_keys(std::vector<RecipeKey>& keys);
void add_text_keys(std::vector<RecipeKey>& keys);
void add_image_keys(std::vector<RecipeKey>& keys);
void add_loss_keys(std::vector<RecipeKey>& keys);
void add_attention_keys(std::vector<RecipeKey>& keys);
void add_pretrain_keys(std::vector<RecipeKey>& keys);
void add_data_keys(std::vector<RecipeKey>& keys);
void add_parallel_keys(std::vector<RecipeKey>& keys);
void add_teacher_keys(std::vector<RecipeKey>& keys);
void add_hub_keys(std::vector<RecipeKey>& keys);
void add_rerank_keys(std::vector<RecipeKey>& keys);
void add_sample_keys(std::vector<RecipeKey>& keys);
void add_translation_keys(std::vector<RecipeKey>& keys);
void add_train_keys(std::vector<RecipeKey>& keys);

}  // namespace hinny
