// The masked cross-language model, MCLM (SMALR: Burns et al. 2020, Sec. 3.2).
#pragma once

#include "nn/caption_batch.h"
#include "nn/neighbourhood.h"
#include "nn/product.h"

namespace hinny {

// Sentences of one language, whole and with words masked: [captions, dim] each, row by row the
// same.
struct MaskedSentences {
  torch::Tensor whole, masked;
  torch::Tensor rows;  // [captions] int64: the row of the caption's image in the batch
};

class CrossLanguageMasking : public torch::nn::Module {
 public:
  // `space`: size of the words' space and of averaged sentences; `joint`: of the final vectors.
  CrossLanguageMasking(std::int64_t space, std::int64_t joint);

  // Each word is replaced with probability `share` by one learned vector, the same in every
  // language. The table gets that vector as its last row.
  CaptionWords mask(const CaptionWords& words, double share) const;

  // Eq. 2, the mean over pairs: a sentence of each of two languages on one image; a layer that all
  // pairs share reads both masked ones and adds what is missing to each. Images with a caption in
  // one language alone are left out; of several captions of an image the first counts.
  torch::Tensor averaged(const MaskedSentences& a, const MaskedSentences& b);  // `space` numbers
  torch::Tensor final(const MaskedSentences& a, const MaskedSentences& b);     // `joint` numbers

 private:
  torch::Tensor vector_;                      // [1, space]
  std::shared_ptr<Linear> averaged_, final_;  // 2 n -> 2 n
};

}  // namespace hinny
