// Frames of films, and of pictures that move, as images of an index.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// The id of a frame: that of its file, and its second, "walks/lake.mp4#t=42.5" (a fragment as URLs
// of films have it). `at`: milliseconds from the film's beginning.
std::string frame_id(std::string_view file_id, std::int64_t at);

// The moment of an image that is a frame, in milliseconds; nullopt for a picture. `file`: where the
// index has it, whose name says that it may have frames.
std::optional<std::int64_t> frame_moment(std::string_view id, std::string_view file);

// "42.5": seconds, as ids have them; and such seconds one behind the other, "0 42.5 61".
std::string seconds_text(std::int64_t at);
std::string moments_text(const std::vector<std::int64_t>& moments);
// nullopt for anything but growing seconds.
std::optional<std::vector<std::int64_t>> parse_moments(std::string_view text);

// "0:42", "1:02:03": as players show it.
std::string clock_text(std::int64_t at);

// 32 hexadecimal digits that identify a frame of a film with this content.
std::string frame_content(const std::string& film_content, std::int64_t at);
// 32 hexadecimal digits that identify a film: its size and a sample of its bytes, those at both
// ends among them, since reading all of it takes longer than choosing its frames. Throws as
// content_hash.
std::string film_content(const std::filesystem::path& film);

}  // namespace hinny
