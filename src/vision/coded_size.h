// The sizes that the streams inside a HEIF file state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace hinny {

// A HEIF file states its pictures' sizes beside their streams, and decoders go by what the streams
// say themselves. Throws RequestError where a stream of HEVC or AV1, in any part of the file that
// is an item or describes one, is of more than kMostHeifPixels, or the file's tables are cut off.
// Returns how many bytes of items lie beyond
// the end: so many were cut off at least.
std::uint64_t check_coded_sizes(std::span<const std::byte> file);

}  // namespace hinny
