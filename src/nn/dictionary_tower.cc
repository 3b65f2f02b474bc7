#include "nn/dictionary_tower.h"

namespace hinny {

DictionaryTower::DictionaryTower(const TextTowerOptions& own, const torch::Tensor& borrowed,
                                 std::shared_ptr<SentenceHead> head)
    : TextTower(own, std::move(head)), own_(own.vocabulary) {
  borrowed_ = register_buffer("borrowed", borrowed.to(at::kFloat), {TensorPart::words});
}

void DictionaryTower::borrow_from(TextTower* lender, std::string language) {
  lender_ = lender;
  language_ = std::move(language);
}

CaptionWords DictionaryTower::words(const CaptionBatch& captions) {
  return words_and_stand_ins(captions, own_, borrowed_, [this](const torch::Tensor& lent) {
    return lender_->own_words(lent);
  });
}

void DictionaryTower::set_words(const torch::Tensor& vectors) {
  TextTower::set_words(vectors.slice(0, 0, own_));
}

TextSpec DictionaryTower::describe(const std::string& prefix,
                                   const std::string& head_prefix) const {
  TextSpec spec = TextTower::describe(prefix, head_prefix);
  spec.borrows = language_;
  spec.borrowed = prefix + ".borrowed";
  return spec;
}

}  // namespace hinny
