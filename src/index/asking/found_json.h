// What an answer says of a picture, for programs: on the command line and over HTTP alike.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "index/asking/question.h"

namespace hinny {

// Adds "score", of a frame of a film its "second", and where they are known "fit", "taken",
// "taken_from", "latitude", "longitude", "town", "camera", "lens", "exposure", "width" and
// "height".
void put_facts(const Found& found, nlohmann::ordered_json& json);

// [{"text", and "since" and "until" (days), "town", "camera" or "in"}]: what was heard in the
// sentence.
nlohmann::ordered_json heard_json(const Answer& answer);

// "2026-06-01", the first day and the last of a time that was heard.
std::string first_day(const Period& period);
std::string last_day(const Period& period);

}  // namespace hinny
