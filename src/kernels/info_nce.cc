#include "kernels/info_nce.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "base/every_processor.h"
#include "base/threads.h"
#include "base/vector_math.h"

namespace hinny {
namespace {

// Loops over a row's images, or over a stretch of them.
template <typename T>
[[gnu::always_inline]] inline T greatest(const T* x, std::int64_t count) {
  T best = -std::numeric_limits<T>::infinity();
  for (std::int64_t i = 0; i < count; ++i) best = x[i] > best ? x[i] : best;
  return best;
}

template <typename T>
[[gnu::always_inline]] inline void take_greatest(const T* x, std::int64_t count, T* best) {
  for (std::int64_t i = 0; i < count; ++i) best[i] = x[i] > best[i] ? x[i] : best[i];
}

template <typename T>
[[gnu::always_inline]] inline void exponentials(const T* x, std::int64_t count, T scale, T less,
                                                T* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] = quick_exp(scale * (x[i] - less));
}

template <typename T>
[[gnu::always_inline]] inline void add_exponentials(const T* x, std::int64_t count, T scale,
                                                    const T* less, T* sums) {
  for (std::int64_t i = 0; i < count; ++i) sums[i] += quick_exp(scale * (x[i] - less[i]));
}

template <typename T>
[[gnu::always_inline]] inline T total(const T* x, std::int64_t count) {
  constexpr int kSums = 16;
  T sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (int j = 0; j < kSums; ++j) sums[j] += x[i + j];
  }
  for (; i < count; ++i) sums[0] += x[i];
  T sum = 0;
  for (const T part : sums) sum += part;
  return sum;
}

template <typename T>
[[gnu::always_inline]] inline void times(std::int64_t count, T factor, T* out) {
  for (std::int64_t i = 0; i < count; ++i) out[i] *= factor;
}

template <typename T>
[[gnu::always_inline]] inline void add_shares(const T* x, std::int64_t count, T scale,
                                              const T* less, const T* weights, T* out) {
  for (std::int64_t i = 0; i < count; ++i) {
    out[i] += weights[i] * quick_exp(scale * (x[i] - less[i]));
  }
}

template <typename T>
[[gnu::always_inline]] inline T product(const T* x, const T* y, std::int64_t count) {
  constexpr int kSums = 16;
  T sums[kSums] = {};
  std::int64_t i = 0;
  for (; i + kSums <= count; i += kSums) {
    for (int j = 0; j < kSums; ++j) sums[j] += x[i + j] * y[i + j];
  }
  for (; i < count; ++i) sums[0] += x[i] * y[i];
  T sum = 0;
  for (const T part : sums) sum += part;
  return sum;
}

template <typename T>
class Passes {
 public:
  Passes(const InfoNceCase<T>& batch, T* gradient)
      : batch_(batch),
        gradient_(gradient),
        captions_(static_cast<std::int64_t>(batch.rows.size())),
        scale_(static_cast<T>(std::exp(batch.log_scale))),
        images_(static_cast<std::size_t>(batch.images)),
        greatest_(images_, -std::numeric_limits<T>::infinity()),
        sums_(images_, 0),
        weights_(images_, 0),
        own_(batch.rows.size()) {}

  InfoNceValue run() {
    if (batch_.image_to_text != 0) {
      compare_with_others();
      weigh();
    }
    fill();
    return value_;
  }

 private:
  const T* row(std::int64_t caption) const { return batch_.scores + caption * batch_.images; }
  std::int64_t own(std::int64_t caption) const {
    return batch_.rows[static_cast<std::size_t>(caption)];
  }
  T& own_share(std::int64_t caption) { return own_[static_cast<std::size_t>(caption)]; }

  // use(first image, count) around the caption's own image.
  template <typename Use>
  void others(std::int64_t caption, const Use& use) const {
    use(std::int64_t{0}, own(caption));
    use(own(caption) + 1, batch_.images - own(caption) - 1);
  }

  // use(captions' begin and end, block): each block's sums are its own.
  template <typename Use>
  void blocks(const Use& use) const {
    const auto count = std::min<std::int64_t>(thread_count(), captions_);
    parallel_blocks(static_cast<std::size_t>(count), [&](std::size_t begin, std::size_t end) {
      for (std::size_t block = begin; block < end; ++block) {
        const auto b = static_cast<std::int64_t>(block);
        use(captions_ * b / count, captions_ * (b + 1) / count, block);
      }
    });
  }
  // The same for vectors [images] that blocks fill apart and `join` brings together.
  void by_image(std::vector<T>& result,
                const std::function<void(std::int64_t caption, std::vector<T>& part)>& add,
                const std::function<void(T& whole, T part)>& join) const {
    std::vector<std::vector<T>> parts(static_cast<std::size_t>(thread_count()), result);
    blocks([&](std::int64_t begin, std::int64_t end, std::size_t block) {
      for (std::int64_t c = begin; c < end; ++c) add(c, parts[block]);
    });
    for (const std::vector<T>& part : parts) {
      for (std::size_t i = 0; i < images_; ++i) join(result[i], part[i]);
    }
  }

  // Of each image the exponentials of captions of other images, by the greatest of them.
  void compare_with_others() {
    by_image(
        greatest_,
        [&](std::int64_t c, std::vector<T>& best) {
          others(c, [&](std::int64_t first, std::int64_t count) {
            on_this_processor<take_greatest<T>>(row(c) + first, count, best.data() + first);
          });
        },
        [](T& whole, T part) { whole = std::max(whole, part); });
    by_image(
        sums_,
        [&](std::int64_t c, std::vector<T>& sums) {
          others(c, [&](std::int64_t first, std::int64_t count) {
            on_this_processor<add_exponentials<T>>(row(c) + first, count, scale_,
                                                   greatest_.data() + first, sums.data() + first);
          });
        },
        [](T& whole, T part) { whole += part; });
  }

  // The loss of images to text, and what it makes of each image's exponentials and own captions.
  void weigh() {
    const auto weight = static_cast<T>(batch_.image_to_text / static_cast<double>(captions_));
    for (std::int64_t c = 0; c < captions_; ++c) {
      const auto image = static_cast<std::size_t>(own(c));
      if (sums_[image] == 0) continue;  // nothing else to be told from
      const T ahead = scale_ * (greatest_[image] - row(c)[image]) + std::log(sums_[image]);
      const T share = T{1} / (T{1} + std::exp(-ahead));  // of the others
      value_.loss += weight * (std::max(ahead, T{0}) + std::log1p(std::exp(-std::abs(ahead))));
      own_share(c) = -weight * share * scale_;
      weights_[image] += weight * share * scale_ / sums_[image];
    }
  }

  void fill() {
    std::vector<InfoNceValue> parts(static_cast<std::size_t>(thread_count()));
    blocks([&](std::int64_t begin, std::int64_t end, std::size_t block) {
      for (std::int64_t c = begin; c < end; ++c) fill_row(c, parts[block]);
    });
    for (const InfoNceValue& part : parts) {
      value_.loss += part.loss;
      value_.scale_gradient += part.scale_gradient;
    }
  }

  void fill_row(std::int64_t c, InfoNceValue& value) {
    T* out = gradient_ + c * batch_.images;
    const std::int64_t image = own(c);
    if (batch_.text_to_image != 0) {
      const auto weight = static_cast<T>(batch_.text_to_image / static_cast<double>(captions_));
      const T best = on_this_processor<greatest<T>>(row(c), batch_.images);
      on_this_processor<exponentials<T>>(row(c), batch_.images, scale_, best, out);
      const T sum = on_this_processor<total<T>>(out, batch_.images);
      value.loss += weight * (std::log(sum) - scale_ * (row(c)[image] - best));
      on_this_processor<times<T>>(batch_.images, weight * scale_ / sum, out);
      out[image] -= weight * scale_;
    } else {
      std::fill_n(out, batch_.images, T{0});
    }
    if (batch_.image_to_text != 0) {
      others(c, [&](std::int64_t first, std::int64_t count) {
        on_this_processor<add_shares<T>>(row(c) + first, count, scale_, greatest_.data() + first,
                                         weights_.data() + first, out + first);
      });
      out[image] += own_share(c);
    }
    value.scale_gradient += on_this_processor<product<T>>(row(c), out, batch_.images);
  }

  const InfoNceCase<T>& batch_;
  T* gradient_;
  std::int64_t captions_;
  T scale_;
  std::size_t images_;
  std::vector<T> greatest_, sums_;  // [images]
  std::vector<T> weights_;          // [images] of an exponential in the gradient
  std::vector<T> own_;              // [captions] in the gradient, of images to text
  InfoNceValue value_;
};

}  // namespace

template <typename T>
InfoNceValue info_nce(const InfoNceCase<T>& batch, T* gradient) {
  return Passes<T>(batch, gradient).run();
}
template InfoNceValue info_nce(const InfoNceCase<float>&, float*);
template InfoNceValue info_nce(const InfoNceCase<double>&, double*);

}  // namespace hinny
