#include "vision/prepared_picture.h"

#include <algorithm>
#include <cstddef>

namespace hinny {

PreparedPicture prepared_for(std::span<PictureEncoder* const> encoders, const Picture& picture) {
  PreparedPicture inputs;
  for (const PictureEncoder* encoder : encoders) inputs.push_back(encoder->prepare(picture));
  return inputs;
}

std::vector<float> encode_prepared(std::span<PictureEncoder* const> encoders,
                                   std::vector<PreparedPicture> pictures) {
  std::size_t row = 0;
  for (const PictureEncoder* encoder : encoders) {
    row += static_cast<std::size_t>(encoder->row_size());
  }
  std::vector<float> rows(pictures.size() * row);
  std::size_t column = 0;
  for (std::size_t e = 0; !pictures.empty() && e < encoders.size(); ++e) {
    std::vector<std::vector<float>> inputs;
    for (PreparedPicture& picture : pictures) inputs.push_back(std::move(picture[e]));
    const auto size = static_cast<std::size_t>(encoders[e]->row_size());
    std::vector<float> part(pictures.size() * size);
    encoders[e]->encode(inputs, part);
    for (std::size_t i = 0; i < pictures.size(); ++i) {
      std::copy_n(part.data() + i * size, size, rows.data() + i * row + column);
    }
    column += size;
  }
  return rows;
}

}  // namespace hinny
