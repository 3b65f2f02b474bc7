// Dictionary mapping: a text tower whose rare words are words of another language (a baseline of
// Burns et al. 2020, Sec. 4).
#pragma once

#include "nn/text_tower.h"

namespace hinny {

// Ids below TextTowerOptions::vocabulary are the language's own words; the others are, one by one,
// words of the lender, in the space that both share.
class DictionaryTower : public TextTower {
 public:
  // borrowed [words - own] int64: ids of the lender's vocabulary.
  DictionaryTower(const TextTowerOptions& own, const torch::Tensor& borrowed,
                  std::shared_ptr<SentenceHead> head);
  // Once, before anything else. The lender is registered elsewhere.
  void borrow_from(TextTower* lender, std::string language);

  CaptionWords words(const CaptionBatch& captions) override;
  // [own + borrowed, word_dim], of which the own ones count.
  void set_words(const torch::Tensor& vectors) override;
  TextSpec describe(const std::string& prefix, const std::string& head_prefix) const override;

 private:
  std::int64_t own_;
  torch::Tensor borrowed_;  // [words - own] float32, whole numbers: files keep no others
  TextTower* lender_ = nullptr;
  std::string language_;
};

}  // namespace hinny
