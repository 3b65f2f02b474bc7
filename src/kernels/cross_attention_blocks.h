// Both sides of cross attention's products, prepared: captions once for all images, and sixteen
// images with their regions side by side.
#pragma once

#include <optional>
#include <vector>

#include "kernels/cross_attention_lanes.h"

namespace hinny {

// Whole captions, few enough that their products with an image block stay in a core's cache.
struct CaptionBlock {
  std::size_t first = 0, count = 0;  // captions
  std::int64_t first_token = 0, tokens = 0;
};

template <typename T>
struct Captions {
  Captions(const CrossAttention& attention, const CrossAttentionInput<T>& input);
  std::int64_t words(std::size_t caption) const {
    return first_token[caption + 1] - first_token[caption];
  }
  std::int64_t norm_count(std::size_t caption) const {
    return first_norm[caption + 1] - first_norm[caption];
  }

  bool words_ask;  // text_to_image
  std::vector<CaptionBlock> blocks;
  std::int64_t longest = 0, most_tokens = 0;  // of a caption, of a block
  std::vector<std::int64_t> first_token;      // [captions + 1]
  // Where words ask, |word|^2 of each; else the Gram matrix of each caption's words.
  std::vector<T> norms;
  std::vector<std::int64_t> first_norm;  // [captions + 1]
};

// Regions of sixteen images, zeros where there is no such image. One for a thread: fresh memory for
// each block would cost more than filling it.
template <typename T>
struct ImageBlock {
  ImageBlock(const CrossAttention& attention, const CrossAttentionInput<T>& input);
  void load(const CrossAttentionInput<T>& input, std::int64_t first_image);
  // products [tokens, regions, 16]
  void multiply(const T* words, std::int64_t tokens, Lanes<T>* products);
  const T* row(std::int64_t number) const { return rows.numbers() + number * dim; }

  std::int64_t first = 0, count = 0, regions, dim;
  bool words_ask;
  Reads reads;
  LaneArray<T> rows;     // [regions, 16, dim]
  LaneArray<T> gram;     // [regions, regions], where words ask
  LaneArray<T> squares;  // [regions] |region|^2, where regions ask
  std::optional<Factor<T>> columns;
};

// Which image blocks and caption blocks one thread takes: images are shared out, and where there
// are fewer blocks than threads, captions too.
struct AttentionPart {
  std::size_t first_images = 0, last_images = 0;      // blocks [first, last)
  std::size_t first_captions = 0, last_captions = 0;  // blocks [first, last)
};
class AttentionGrid {
 public:
  AttentionGrid(std::size_t image_blocks, std::size_t caption_blocks);
  std::size_t parts() const { return image_parts_ * caption_parts_; }
  AttentionPart part(std::size_t number) const;

 private:
  std::size_t image_blocks_, caption_blocks_, image_parts_, caption_parts_;
};

// What each thread needs for a caption with an image block.
template <typename T>
struct AttentionMemory {
  // `rows`: words at a time.
  AttentionMemory(const CrossAttentionInput<T>& input, const Captions<T>& captions,
                  std::int64_t rows, bool backward);
  // The caption whose products begin at row `row`. Its factors are left out.
  AttentionLanes<T> lanes(const Captions<T>& captions, std::size_t caption, std::int64_t row,
                          ImageBlock<T>& images);

  LaneArray<T> products;  // [rows, regions] of a caption block
  LaneArray<T> norms;     // of one caption, the same in all lanes
  AttentionScratch<T> scratch;
};

}  // namespace hinny
