// Which frames of a film, or of a picture that moves, stand for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinny {

// A frame made very small, by which frames are compared: [kGlance, kGlance, 3].
constexpr std::size_t kGlance = 16;
using Glance = std::array<std::uint8_t, kGlance * kGlance * 3>;

// The mean difference of their numbers, between 0 and 1.
double difference(const Glance& a, const Glance& b);

// Moments, in milliseconds, at which a film of this length is looked at: evenly spaced, a second
// apart or more, none at its very ends; twice as many as the frames that are wanted, at most.
std::vector<std::int64_t> moments_of(std::int64_t duration, std::size_t wanted);

// Of frames in their order, one from the middle of each scene; a scene ends where a frame looks
// different enough from the first one of it. Of more than `most` scenes those that differ least are
// one. Frames of a single colour, as between two scenes, count only where there is no other.
std::vector<std::size_t> choose_frames(std::span<const Glance> frames, std::size_t most);

}  // namespace hinny
