#include "index/asking/question.h"

#include <fmt/format.h>

#include <cmath>

namespace hinny {

UnknownImage::UnknownImage(std::string id)
    : RequestError(fmt::format("the index has no image '{}'", id), "an id as search prints them"),
      id_(std::move(id)) {}

double shown_score(float score) { return std::round(static_cast<double>(score) * 1e6) / 1e6; }

double shown_fit(double fit) { return std::round(fit * 1e3) / 1e3; }

}  // namespace hinny
