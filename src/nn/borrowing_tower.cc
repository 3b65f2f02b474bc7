#include "nn/borrowing_tower.h"

#include <ATen/ops/cat.h>

namespace hinny {

BorrowingTower::BorrowingTower(const TextTowerOptions& own, const torch::Tensor& borrowed,
                               std::shared_ptr<SentenceHead> head)
    : TextTower(own, std::move(head)), own_(own.vocabulary) {
  borrowed_ = register_buffer("borrowed", borrowed.to(at::kFloat));
}

void BorrowingTower::borrow_from(TextTower* lender, std::string language) {
  lender_ = lender;
  language_ = std::move(language);
}

CaptionWords BorrowingTower::words(const CaptionBatch& captions) {
  const DistinctWords distinct =
      distinct_words(captions.ids.to(at::kCPU), own_ + borrowed_.size(0));
  const std::int64_t own = (distinct.ids < own_).sum().item<std::int64_t>();  // ids rise
  const torch::Tensor ids = distinct.ids.to(captions.ids.device());
  const torch::Tensor lent = borrowed_.index_select(0, ids.slice(0, own) - own_).to(at::kLong);
  return {at::cat({own_words(ids.slice(0, 0, own)), lender_->own_words(lent)}),
          renumbered(captions, distinct)};
}

void BorrowingTower::set_words(const torch::Tensor& vectors) {
  TextTower::set_words(vectors.slice(0, 0, own_));
}

nlohmann::json BorrowingTower::describe(const std::string& prefix,
                                        const std::string& head_prefix) const {
  nlohmann::json entry = TextTower::describe(prefix, head_prefix);
  entry["borrows"] = language_;
  entry["borrowed"] = prefix + ".borrowed";
  return entry;
}

}  // namespace hinny
