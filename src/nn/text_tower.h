// Captions of one language -> the joint space: word vectors, perhaps a layer into a space that
// languages share, and a sentence head of its own or a shared one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "nn/caption_batch.h"
#include "nn/sentence_head.h"

namespace hinny {

struct TextTowerOptions {
  std::int64_t vocabulary = 0;  // ids, the reserved ones included; 0: vectors from outside
  std::int64_t word_dim = 300;
  std::int64_t space = 0;    // size of the shared space (MULE); 0: words go in as they are
  bool finetune = true;      // false: word vectors stay as given
  bool store_start = false;  // remembers the first word vectors, for word_drift()
  double word_range = 0.1;   // word vectors start from U(-word_range, word_range)
  bool whiten = false;       // HybridTower: its own words start with equal spread in all numbers
  SentenceHeadOptions head;  // of a tower with a head of its own
};

class TextTower : public ModuleWithRoles {
 public:
  // `head` shared: its modules are registered elsewhere. None: one of its own.
  explicit TextTower(const TextTowerOptions& options, std::shared_ptr<SentenceHead> head = nullptr);

  // -> [captions, size()], rows of unit length.
  torch::Tensor forward(const CaptionBatch& captions) { return head_->forward(words(captions)); }
  // The captions' words, in the shared space where there is one.
  virtual CaptionWords words(const CaptionBatch& captions);
  torch::Tensor sentences(const CaptionWords& words) { return head_->forward(words); }
  std::int64_t size() const { return head_->size(); }

  // Replaces the word vectors before training: [vocabulary, word_dim].
  virtual void set_words(const torch::Tensor& vectors);
  // The layer into the shared space becomes the one that takes the vectors of `ids` [words] closest
  // to targets [words, space] (least squares, a little damped).
  void fit_space(const torch::Tensor& ids, const torch::Tensor& targets);
  // SentenceHead::start_as_identity, or start_along, of its head.
  void start_as_identity() { head_->start_as_identity(); }
  void start_along(const torch::Tensor& directions) { head_->start_along(directions); }
  // [vocabulary, word_dim]; undefined where vectors come from outside.
  const torch::Tensor& word_vectors() const { return words_; }
  // For as long as it is true, words() gives the word vectors no gradient.
  void freeze_words(bool frozen) { frozen_ = frozen; }
  // 1/2 |words - first words|^2 -> scalar; needs store_start.
  torch::Tensor word_drift() const;

  // What a language's description says of tensors. `prefix` is this module's name in the model,
  // `head_prefix` that of the module which owns the head.
  virtual TextSpec describe(const std::string& prefix, const std::string& head_prefix) const;

  // Rows of the word vectors in the shared space: ids [words] int64 -> [words, space].
  torch::Tensor own_words(const torch::Tensor& ids) {
    return space_->forward((frozen_ ? words_.detach() : words_).index_select(0, ids));
  }

 protected:
  // Words below `own` by own_words; the others stand for rows of another table, as stands_for
  // [words - own] says in whole numbers, and `of` gives the vectors of such rows.
  CaptionWords words_and_stand_ins(const CaptionBatch& captions, std::int64_t own,
                                   const torch::Tensor& stands_for,
                                   const std::function<torch::Tensor(const torch::Tensor&)>& of);
  bool frozen() const { return frozen_; }
  std::int64_t word_dim() const { return options_.word_dim; }

 private:
  TextTowerOptions options_;
  torch::Tensor words_;  // [vocabulary, word_dim]
  torch::Tensor start_;  // the same before training
  std::shared_ptr<Linear> space_;
  std::shared_ptr<SentenceHead> head_;
  bool frozen_ = false;
};

}  // namespace hinny
