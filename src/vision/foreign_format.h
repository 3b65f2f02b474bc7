// The kind of a file that is no picture we read, for messages.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace hinny {

// "a GIF picture", "a film", ... by how a file begins; empty for what is not known.
std::string_view foreign_format(std::span<const std::byte> head);

}  // namespace hinny
