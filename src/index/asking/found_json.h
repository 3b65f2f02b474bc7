// What an answer says of a picture, for programs: on the command line and over HTTP alike.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "index/asking/question.h"

namespace hinny {

// Adds "score", and where they are known "fit", "taken", "taken_from", "latitude", "longitude",
// "camera" and "lens".
void put_facts(const Found& found, nlohmann::ordered_json& json);

}  // namespace hinny
