#include "kernels/cross_attention_sums.h"

#include <algorithm>

#include "base/threads.h"

namespace hinny {
namespace {

// [n, n], both triangles, from the lower one: at(row * n + column).
template <typename T, typename At>
std::vector<T> symmetric(std::int64_t n, At at) {
  std::vector<T> full(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      full[static_cast<std::size_t>(i * n + j)] = at(std::max(i, j) * n + std::min(i, j));
    }
  }
  return full;
}

}  // namespace

template <typename T>
void add_multiple(const T* from, std::int64_t count, T factor, T* to) {
  for (std::int64_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

template <typename T>
ImageGradient<T>::ImageGradient(bool words_ask, const ImageBlock<T>& images)
    : words_ask_(words_ask),
      images_(images),
      factors_(images.regions * (words_ask ? images.regions : 1)),
      as_rows_(images.regions * kLanes, images.dim, {images.row(0), images.dim}, images.reads),
      gradient_(static_cast<std::size_t>(images.regions * kLanes * images.dim)) {}

template <typename T>
void ImageGradient<T>::add_products(const T* words, std::int64_t rows, const T* products,
                                    T* word_gradients) {
  const std::int64_t columns = images_.regions * kLanes, dim = images_.dim;
  as_rows_.multiply(rows, products, word_gradients, dim);
  add_product_of_columns<T>({columns, dim, rows}, products, words, gradient_.data(), images_.reads,
                            scratch_);
}

template <typename T>
void ImageGradient<T>::write(T* image_gradients) {
  const std::int64_t n = images_.regions, dim = images_.dim, apart = kLanes * dim;
  for (std::int64_t lane = 0; lane < images_.count; ++lane) {
    T* sum = gradient_.data() + lane * dim;
    if (words_ask_) {
      const auto factors =
          symmetric<T>(n, [&](std::int64_t i) { return factors_.data()[i][lane]; });
      gemm<T>({n, dim, n}, {factors.data(), n}, {images_.row(lane), apart}, sum, apart,
              /*accumulate=*/true);
    }
    for (std::int64_t r = 0; r < n; ++r) {
      T* out = image_gradients + ((images_.first + lane) * n + r) * dim;
      std::copy_n(sum + r * apart, dim, out);
      if (words_ask_) continue;
      add_multiple(images_.row(r * kLanes + lane), dim, factors_.data()[r][lane], out);
    }
  }
}

template <typename T>
void write_words(const CrossAttentionInput<T>& input, const Captions<T>& captions,
                 std::vector<WordSums<T>>& parts, T* word_gradients) {
  const std::int64_t dim = input.dim;
  parallel_blocks(input.lengths.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t caption = begin; caption < end; ++caption) {
      const std::int64_t first = captions.first_token[caption] * dim;
      const std::int64_t words = captions.words(caption), norm = captions.first_norm[caption];
      T* out = word_gradients + first;
      std::fill_n(out, words * dim, T{0});
      for (const WordSums<T>& part : parts) {
        add_multiple(part.words.data() + first, words * dim, T{1}, out);
      }
      T* factors = parts[0].factors.data() + norm;
      for (std::size_t part = 1; part < parts.size(); ++part) {
        add_multiple(parts[part].factors.data() + norm, captions.norm_count(caption), T{1},
                     factors);
      }
      if (captions.words_ask) {
        for (std::int64_t i = 0; i < words; ++i) {
          add_multiple(input.words + first + i * dim, dim, factors[i], out + i * dim);
        }
      } else {
        const auto full = symmetric<T>(words, [&](std::int64_t i) { return factors[i]; });
        gemm<T>({words, dim, words}, {full.data(), words}, {input.words + first, dim}, out, dim,
                /*accumulate=*/true);
      }
    }
  });
}

template class ImageGradient<float>;
template void add_multiple(const float*, std::int64_t, float, float*);
template void write_words(const CrossAttentionInput<float>&, const Captions<float>&,
                          std::vector<WordSums<float>>&, float*);
template class ImageGradient<double>;
template void add_multiple(const double*, std::int64_t, double, double*);
template void write_words(const CrossAttentionInput<double>&, const Captions<double>&,
                          std::vector<WordSums<double>>&, double*);

}  // namespace hinny
