// Where cross attention's gradients add up: over captions for images, over images for words.
#pragma once

#include "kernels/cross_attention_blocks.h"

namespace hinny {

// The gradient of sixteen images' regions.
template <typename T>
class ImageGradient {
 public:
  // `images` has to outlive this.
  ImageGradient(bool words_ask, const ImageBlock<T>& images);

  Lanes<T>* factors() { return factors_.data(); }  // as AttentionLanes has them

  // word_gradients [rows, dim] =, given those of the products [rows, regions, 16].
  void add_products(const T* words, std::int64_t rows, const T* products, T* word_gradients);
  // image_gradients [images, regions, dim] =, those of the block
  void write(T* image_gradients);

 private:
  bool words_ask_;
  const ImageBlock<T>& images_;
  LaneArray<T> factors_;
  Factor<T> as_rows_;
  std::vector<T> gradient_;  // [regions, 16, dim]
  std::vector<BFloat16> scratch_;
};

// What the images of one thread add to the words.
template <typename T>
struct WordSums {
  std::vector<T> words;    // [tokens, dim], without the factors' share
  std::vector<T> factors;  // as Captions::norms
};

// to[i] += factor from[i]
template <typename T>
void add_multiple(const T* from, std::int64_t count, T factor, T* to);

// word_gradients [tokens, dim] = the sum of all parts (at least one) and the factors' share.
template <typename T>
void write_words(const CrossAttentionInput<T>& input, const Captions<T>& captions,
                 std::vector<WordSums<T>>& parts, T* word_gradients);

}  // namespace hinny
