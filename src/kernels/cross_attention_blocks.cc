#include "kernels/cross_attention_blocks.h"

#include <algorithm>
#include <numeric>

#include "base/threads.h"
#include "retrieval/blas_threads.h"

namespace hinny {
namespace {

constexpr std::int64_t kTokens = 256;  // of a block: enough for products at full speed

// In partial sums, which vectorise; one sum would wait for itself.
template <typename T>
T square(const T* vector, std::int64_t dim) {
  T sums[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= dim; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      sums[lane] += vector[i + lane] * vector[i + lane];
    }
  }
  for (; i < dim; ++i) sums[0] += vector[i] * vector[i];
  return std::accumulate(sums, sums + kLanes, T{0});
}

// [count, count] products of `count` vectors with each other.
template <typename T>
void multiply_by_themselves(const T* vectors, std::int64_t count, std::int64_t dim, T* products) {
  gemm<T>({count, count, dim}, {vectors, dim}, {vectors, dim, true}, products, count);
}

}  // namespace

template <typename T>
Captions<T>::Captions(const CrossAttention& attention, const CrossAttentionInput<T>& input)
    : words_ask(attention.direction == AttentionDirection::text_to_image),
      first_token(1),
      first_norm(1) {
  for (const std::int64_t words : input.lengths) {
    if (blocks.empty() || blocks.back().tokens + words > kTokens) {
      blocks.push_back({first_token.size() - 1, 0, first_token.back(), 0});
    }
    ++blocks.back().count;
    blocks.back().tokens += words;
    most_tokens = std::max(most_tokens, blocks.back().tokens);
    longest = std::max(longest, words);
    first_token.push_back(first_token.back() + words);
    first_norm.push_back(first_norm.back() + (words_ask ? words : words * words));
  }
  norms.resize(static_cast<std::size_t>(first_norm.back()));
  const OneBlasThreadEach guard;
  parallel_blocks(input.lengths.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t caption = begin; caption < end; ++caption) {
      const T* words = input.words + first_token[caption] * input.dim;
      T* out = norms.data() + first_norm[caption];
      const std::int64_t count = input.lengths[caption];
      if (!words_ask) {
        multiply_by_themselves(words, count, input.dim, out);
        continue;
      }
      for (std::int64_t word = 0; word < count; ++word) {
        out[word] = square(words + word * input.dim, input.dim);
      }
    }
  });
}

template <typename T>
ImageBlock<T>::ImageBlock(const CrossAttention& attention, const CrossAttentionInput<T>& input)
    : regions(input.regions),
      dim(input.dim),
      words_ask(attention.direction == AttentionDirection::text_to_image),
      reads(input.reads),
      rows(regions * dim),
      gram(words_ask ? regions * regions : 0),
      squares(words_ask ? 0 : regions) {}

template <typename T>
void ImageBlock<T>::load(const CrossAttentionInput<T>& input, std::int64_t first_image) {
  first = first_image;
  count = std::min(kLanes, input.images - first);
  std::vector<T> products(static_cast<std::size_t>(regions * regions));
  const std::vector<T> nothing(static_cast<std::size_t>(regions * dim));
  for (std::int64_t lane = 0; lane < kLanes; ++lane) {
    const T* image =
        lane < count ? input.regions_of_images + (first + lane) * regions * dim : nothing.data();
    for (std::int64_t region = 0; region < regions; ++region) {
      const T* from = image + region * dim;
      std::copy_n(from, dim, rows.numbers() + (region * kLanes + lane) * dim);
      if (!words_ask) squares.data()[region][lane] = square(from, dim);
    }
    if (!words_ask) continue;
    multiply_by_themselves(image, regions, dim, products.data());
    for (std::size_t i = 0; i < products.size(); ++i) gram.data()[i][lane] = products[i];
  }
  columns.emplace(dim, regions * kLanes, Operand<T>{rows.numbers(), dim, true}, reads);
}

template <typename T>
void ImageBlock<T>::multiply(const T* words, std::int64_t tokens, Lanes<T>* products) {
  columns->multiply(tokens, words, reinterpret_cast<T*>(products), regions * kLanes);
}

AttentionGrid::AttentionGrid(std::size_t image_blocks, std::size_t caption_blocks)
    : image_blocks_(image_blocks), caption_blocks_(caption_blocks) {
  const std::size_t threads = in_parallel_blocks() ? 1 : static_cast<std::size_t>(thread_count());
  image_parts_ = std::max<std::size_t>(1, std::min(threads, image_blocks));
  caption_parts_ = std::max<std::size_t>(1, std::min(threads / image_parts_, caption_blocks));
}

AttentionPart AttentionGrid::part(std::size_t number) const {
  const std::size_t i = number / caption_parts_, c = number % caption_parts_;
  return {image_blocks_ * i / image_parts_, image_blocks_ * (i + 1) / image_parts_,
          caption_blocks_ * c / caption_parts_, caption_blocks_ * (c + 1) / caption_parts_};
}

template <typename T>
AttentionMemory<T>::AttentionMemory(const CrossAttentionInput<T>& input,
                                    const Captions<T>& captions, std::int64_t rows, bool backward)
    : products(rows * input.regions),
      norms(captions.longest * (captions.words_ask ? 1 : captions.longest)),
      scratch(captions.words_ask ? captions.longest : input.regions,
              captions.words_ask ? input.regions : captions.longest, backward) {}

template <typename T>
AttentionLanes<T> AttentionMemory<T>::lanes(const Captions<T>& captions, std::size_t caption,
                                            std::int64_t row, ImageBlock<T>& images) {
  const T* from = captions.norms.data() + captions.first_norm[caption];
  const std::int64_t count = captions.norm_count(caption);
  for (std::int64_t i = 0; i < count; ++i) norms.data()[i] = Lanes<T>{} + from[i];
  AttentionLanes<T> lanes;
  lanes.products = products.data() + row * images.regions;
  if (captions.words_ask) {
    lanes.queries = captions.words(caption), lanes.context = images.regions;
    lanes.query_step = images.regions, lanes.context_step = 1;
    lanes.gram = images.gram.data(), lanes.squares = norms.data();
  } else {
    lanes.queries = images.regions, lanes.context = captions.words(caption);
    lanes.query_step = 1, lanes.context_step = images.regions;
    lanes.gram = norms.data(), lanes.squares = images.squares.data();
  }
  return lanes;
}

#define HINNY_CROSS_ATTENTION_BLOCKS(T) \
  template struct Captions<T>;          \
  template struct ImageBlock<T>;        \
  template struct AttentionMemory<T>;
HINNY_CROSS_ATTENTION_BLOCKS(float)
HINNY_CROSS_ATTENTION_BLOCKS(double)
#undef HINNY_CROSS_ATTENTION_BLOCKS

}  // namespace hinny
