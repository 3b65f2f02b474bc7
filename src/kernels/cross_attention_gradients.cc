// Cross attention's way back: products are formed anew, block by block.
#include <algorithm>

#include "base/threads.h"
#include "kernels/cross_attention_sums.h"
#include "retrieval/blas_threads.h"

namespace hinny {
namespace {

// Losses of the hardest negatives leave most pairs without a gradient: only the words of captions
// that have one with some image of a block are gathered, about this many at once.
constexpr std::int64_t kRows = 128;
// Products are prepared for one shape each: fewer shapes.
constexpr std::int64_t kRowsStep = 16;

std::int64_t round_up(std::int64_t rows) { return (rows + kRowsStep - 1) / kRowsStep * kRowsStep; }

// What one thread does.
template <typename T>
class BackwardPart {
 public:
  BackwardPart(const CrossAttention& attention, const CrossAttentionInput<T>& input,
               const Captions<T>& captions, const T* score_gradients)
      : attention_(attention),
        input_(input),
        captions_(captions),
        score_gradients_(score_gradients),
        memory_(input, captions, round_up(std::max(kRows, captions.longest)), true),
        factors_(captions.longest * (captions.words_ask ? 1 : captions.longest)),
        words_(rows_most()),
        word_gradients_(rows_most()) {}

  // Image blocks [begin, end).
  void run(std::size_t begin, std::size_t end, WordSums<T>& sums, T* image_gradients) {
    ImageBlock<T> images(attention_, input_);
    for (std::size_t i = begin; i < end; ++i) {
      images.load(input_, static_cast<std::int64_t>(i) * kLanes);
      ImageGradient<T> gradient(captions_.words_ask, images);
      std::vector<std::size_t> chosen;
      std::int64_t rows = 0;
      for (std::size_t caption = 0; caption < input_.lengths.size(); ++caption) {
        if (!has_gradient(images, caption)) continue;
        if (rows + captions_.words(caption) > kRows) {
          use(chosen, images, gradient, sums);
          chosen.clear();
          rows = 0;
        }
        chosen.push_back(caption);
        rows += captions_.words(caption);
      }
      use(chosen, images, gradient, sums);
      gradient.write(image_gradients);
    }
  }

 private:
  std::size_t rows_most() const {
    return static_cast<std::size_t>(round_up(std::max(kRows, captions_.longest)) * input_.dim);
  }

  const T* gradient_of(const ImageBlock<T>& images, std::int64_t lane, std::size_t caption) const {
    return score_gradients_ +
           static_cast<std::size_t>(images.first + lane) * input_.lengths.size() + caption;
  }

  bool has_gradient(const ImageBlock<T>& images, std::size_t caption) const {
    if (input_.lengths[caption] == 0) return false;
    for (std::int64_t lane = 0; lane < images.count; ++lane) {
      if (*gradient_of(images, lane, caption) != T{0}) return true;
    }
    return false;
  }

  // These captions' share with these images.
  void use(const std::vector<std::size_t>& chosen, ImageBlock<T>& images,
           ImageGradient<T>& gradient, WordSums<T>& sums) {
    if (chosen.empty()) return;
    const std::int64_t dim = input_.dim;
    std::int64_t row = 0;
    for (const std::size_t caption : chosen) {
      std::copy_n(input_.words + captions_.first_token[caption] * dim,
                  captions_.words(caption) * dim, words_.data() + row * dim);
      row += captions_.words(caption);
    }
    const std::int64_t rows = round_up(row);
    std::fill_n(words_.data() + row * dim, (rows - row) * dim, T{0});
    images.multiply(words_.data(), rows, memory_.products.data());
    row = 0;
    for (const std::size_t caption : chosen) {
      use(caption, row, images, gradient, sums);
      row += captions_.words(caption);
    }
    gradient.add_products(words_.data(), rows, memory_.products.numbers(), word_gradients_.data());
    row = 0;
    for (const std::size_t caption : chosen) {
      const std::int64_t count = captions_.words(caption);
      add_multiple(word_gradients_.data() + row * dim, count * dim, T{1},
                   sums.words.data() + captions_.first_token[caption] * dim);
      row += count;
    }
  }

  void use(std::size_t caption, std::int64_t row, ImageBlock<T>& images, ImageGradient<T>& gradient,
           WordSums<T>& sums) {
    AttentionLanes<T> lanes = memory_.lanes(captions_, caption, row, images);
    const std::int64_t count = captions_.norm_count(caption);
    std::fill_n(factors_.data(), count, Lanes<T>{});
    lanes.context_factors = captions_.words_ask ? gradient.factors() : factors_.data();
    lanes.query_factors = captions_.words_ask ? factors_.data() : gradient.factors();
    T given[kLanes] = {};
    for (std::int64_t lane = 0; lane < images.count; ++lane) {
      given[lane] = *gradient_of(images, lane, caption);
    }
    T scores[kLanes];
    attend(attention_, lanes, memory_.scratch, scores);
    attend_backward(attention_, lanes, memory_.scratch, given);
    T* sum = sums.factors.data() + captions_.first_norm[caption];
    for (std::int64_t i = 0; i < count; ++i) sum[i] += sum_of<T>(factors_.data()[i]);
  }

  const CrossAttention& attention_;
  const CrossAttentionInput<T>& input_;
  const Captions<T>& captions_;
  const T* score_gradients_;
  AttentionMemory<T> memory_;
  LaneArray<T> factors_;           // of one caption
  std::vector<T> words_;           // [rows, dim] gathered
  std::vector<T> word_gradients_;  // [rows, dim]
};

}  // namespace

template <typename T>
void cross_attention_gradients(const CrossAttention& attention, const CrossAttentionInput<T>& input,
                               const T* score_gradients, T* image_gradients, T* word_gradients) {
  std::fill_n(image_gradients, input.images * input.regions * input.dim, T{0});
  const Captions<T> captions(attention, input);
  std::fill_n(word_gradients, captions.first_token.back() * input.dim, T{0});
  if (input.regions == 0 || input.images == 0 || input.lengths.empty()) return;
  const auto blocks = static_cast<std::size_t>((input.images + kLanes - 1) / kLanes);
  const std::size_t threads = in_parallel_blocks() ? 1 : static_cast<std::size_t>(thread_count());
  std::vector<WordSums<T>> parts(std::min(threads, blocks));
  const OneBlasThreadEach guard;
  parallel_blocks(parts.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; ++part) {
      WordSums<T>& sums = parts[part];
      sums.words.resize(static_cast<std::size_t>(captions.first_token.back() * input.dim));
      sums.factors.resize(captions.norms.size());
      BackwardPart<T>(attention, input, captions, score_gradients)
          .run(blocks * part / parts.size(), blocks * (part + 1) / parts.size(), sums,
               image_gradients);
    }
  });
  write_words(input, captions, parts, word_gradients);
}

template void cross_attention_gradients(const CrossAttention&, const CrossAttentionInput<float>&,
                                        const float*, float*, float*);
template void cross_attention_gradients(const CrossAttention&, const CrossAttentionInput<double>&,
                                        const double*, double*, double*);

}  // namespace hinny
