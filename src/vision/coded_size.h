// The sizes that the streams inside a HEIF file state.
#pragma once

#include <cstddef>
#include <span>

namespace hinny {

// A HEIF file states its pictures' sizes beside their streams, and decoders go by what the streams
// say themselves. Throws RequestError where a stream of HEVC or AV1, in any part of the file that
// is an item or describes one, is of more than kMostHeifPixels, or the file's tables are cut off.
// False when data of an item lie beyond the end.
bool check_coded_sizes(std::span<const std::byte> file);

}  // namespace hinny
