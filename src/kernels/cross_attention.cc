#include "kernels/cross_attention.h"

#include <algorithm>

#include "base/threads.h"
#include "kernels/cross_attention_blocks.h"
#include "retrieval/blas_threads.h"

namespace hinny {
namespace {

// scores [images, captions]
template <typename T>
void score(const CrossAttention& attention, const CrossAttentionInput<T>& input,
           const Captions<T>& captions, const CaptionBlock& block, ImageBlock<T>& images,
           AttentionMemory<T>& memory, T* scores) {
  images.multiply(input.words + block.first_token * input.dim, block.tokens,
                  memory.products.data());
  const std::size_t columns = input.lengths.size();
  for (std::size_t caption = block.first; caption < block.first + block.count; ++caption) {
    if (input.lengths[caption] == 0) continue;
    T found[kLanes];
    const std::int64_t row = captions.first_token[caption] - block.first_token;
    attend(attention, memory.lanes(captions, caption, row, images), memory.scratch, found);
    for (std::int64_t lane = 0; lane < images.count; ++lane) {
      scores[static_cast<std::size_t>(images.first + lane) * columns + caption] = found[lane];
    }
  }
}

}  // namespace

template <typename T>
void cross_attention_scores(const CrossAttention& attention, const CrossAttentionInput<T>& input,
                            T* scores) {
  std::fill_n(scores, static_cast<std::size_t>(input.images) * input.lengths.size(), T{0});
  if (input.regions == 0) return;
  const Captions<T> captions(attention, input);
  const AttentionGrid grid(static_cast<std::size_t>((input.images + kLanes - 1) / kLanes),
                           captions.blocks.size());
  const OneBlasThreadEach guard;
  parallel_blocks(grid.parts(), [&](std::size_t begin, std::size_t end) {
    AttentionMemory<T> memory(input, captions, captions.most_tokens, /*backward=*/false);
    ImageBlock<T> images(attention, input);
    for (std::size_t number = begin; number < end; ++number) {
      const AttentionPart part = grid.part(number);
      for (std::size_t i = part.first_images; i < part.last_images; ++i) {
        images.load(input, static_cast<std::int64_t>(i) * kLanes);
        for (std::size_t c = part.first_captions; c < part.last_captions; ++c) {
          score(attention, input, captions, captions.blocks[c], images, memory, scores);
        }
      }
    }
  });
}

template void cross_attention_scores(const CrossAttention&, const CrossAttentionInput<float>&,
                                     float*);
template void cross_attention_scores(const CrossAttention&, const CrossAttentionInput<double>&,
                                     double*);

}  // namespace hinny
