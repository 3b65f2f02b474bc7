#include "tensors/panels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/every_processor.h"

namespace hinny {
namespace {

// A panel's numbers as floats.
[[gnu::always_inline]] inline void widen_halves(const std::uint16_t* from, std::size_t count,
                                                float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t bits = static_cast<std::uint32_t>(from[i]) << 16U;
    std::memcpy(to + i, &bits, sizeof bits);
  }
}
[[gnu::always_inline]] inline void widen_bytes(const std::int8_t* from, std::size_t count,
                                               float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

// What comes after a panel in memory, `step` bytes for each input, or nothing.
struct Next {
  const std::byte* data = nullptr;
  std::size_t step = 0;
};

// kTimes vectors with one panel: sums[t][o]. Meanwhile `next` comes from memory, if it is wanted.
template <int kBytes, std::size_t kTimes, bool kFetches>
[[gnu::always_inline]] inline void add_panel(const float* panel, const float* x, std::size_t inputs,
                                             float (*sums)[kPanelOutputs], const Next& next) {
  using Some [[gnu::vector_size(kBytes)]] = float;
  constexpr std::size_t kParts = kPanelOutputs * sizeof(float) / kBytes;
  Some totals[kTimes][kParts] = {};
  for (std::size_t i = 0; i < inputs; ++i) {
    if constexpr (kFetches) __builtin_prefetch(next.data + i * next.step);
    Some weights[kParts];  // one by one: a copy of all goes through memory
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      std::memcpy(&weights[part], panel + i * kPanelOutputs + part * kPanelOutputs / kParts,
                  sizeof(Some));
    }
#pragma GCC unroll 16
    for (std::size_t t = 0; t < kTimes; ++t) {
      const float number = x[t * inputs + i];
#pragma GCC unroll 4
      for (std::size_t part = 0; part < kParts; ++part) totals[t][part] += weights[part] * number;
    }
  }
  std::memcpy(sums, totals, sizeof totals);
}

struct MultiplyPanel {
  template <int kBytes>
  [[gnu::always_inline]] static void run(const float* panel, const float* x, std::size_t times,
                                         std::size_t inputs, const Next& next, const float* scales,
                                         std::size_t count, std::size_t outputs, float* out) {
    // As many sums as registers hold, of which arm64 has twice those of SSE: so many are under way
    // at once.
#if defined(__aarch64__)
    constexpr std::size_t kTimes = 5;
#else
    constexpr std::size_t kTimes = kBytes == 64 ? 12 : kBytes == 32 ? 6 : 2;
#endif
    float sums[kTimes][kPanelOutputs];
    std::size_t t = 0;
    const auto put = [&](std::size_t some) {
      for (std::size_t i = 0; i < some; ++i) {
        for (std::size_t o = 0; o < count; ++o) out[(t + i) * outputs + o] = sums[i][o] * scales[o];
      }
      t += some;
    };
    if (next.data != nullptr && times >= kTimes) {
      add_panel<kBytes, kTimes, true>(panel, x, inputs, sums, next);
      put(kTimes);
    }
    while (t + kTimes <= times) {
      add_panel<kBytes, kTimes, false>(panel, x + t * inputs, inputs, sums, next);
      put(kTimes);
    }
    if constexpr (kTimes > 4) {
      while (t + 4 <= times) {
        add_panel<kBytes, 4, false>(panel, x + t * inputs, inputs, sums, next);
        put(4);
      }
    }
    while (t + 2 <= times) {
      add_panel<kBytes, 2, false>(panel, x + t * inputs, inputs, sums, next);
      put(2);
    }
    if (t == times) return;
    add_panel<kBytes, 1, false>(panel, x + t * inputs, inputs, sums, next);
    put(1);
  }
};

}  // namespace

void multiply(const Panels& w, const float* x, std::size_t times, float* out) {
  const std::size_t numbers = w.inputs * kPanelOutputs;
  const std::size_t bytes = numbers * bytes_per_number(w.type);
  thread_local std::vector<float> widened;
  widened.resize(numbers);
  static constexpr auto kOnes = [] {
    std::array<float, kPanelOutputs> ones{};
    ones.fill(1.0F);
    return ones;
  }();
  for (std::size_t panel = 0; panel < panels_of(w.outputs); ++panel) {
    const std::byte* const from = w.data + panel * bytes;
    const float* floats = widened.data();
    const auto aligned = [&](std::size_t size) {
      return reinterpret_cast<std::uintptr_t>(from) % size == 0;
    };
    if (w.type == TensorType::bfloat16 && aligned(sizeof(std::uint16_t))) {
      on_this_processor<widen_halves>(reinterpret_cast<const std::uint16_t*>(from), numbers,
                                      widened.data());
    } else if (w.type == TensorType::int8) {
      on_this_processor<widen_bytes>(reinterpret_cast<const std::int8_t*>(from), numbers,
                                     widened.data());
    } else if (w.type == TensorType::float32 && aligned(alignof(float))) {
      floats = reinterpret_cast<const float*>(from);
    } else {  // whatever stands at an odd place in its file
      const TensorView view{w.type, {static_cast<std::int64_t>(numbers)}, {from, bytes}};
      std::ranges::copy(view.floats(), widened.begin());
    }
    const std::size_t first = panel * kPanelOutputs;
    const float* scales = w.scales.empty() ? kOnes.data() : w.scales.data() + first;
    std::size_t count = std::min(kPanelOutputs, w.outputs - first);
    float* to = out + first;
    std::size_t inputs = w.inputs, outputs = w.outputs;
    Next next;
    if (panel + 1 < panels_of(w.outputs)) {
      next = {from + bytes, kPanelOutputs * bytes_per_number(w.type)};
    }
    at_register_width<MultiplyPanel>(floats, x, times, inputs, next, scales, count, outputs, to);
  }
}

}  // namespace hinny
