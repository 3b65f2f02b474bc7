// What a photo server asks the container that sees and reads for it (immich's machine learning).
#pragma once

#include <string>
#include <string_view>

#include "server/embedding_request.h"

namespace hinny {

struct PredictRequest {
  EmbeddingInput input;
  std::string language;  // of the photo server's page; "" where it is not said
};

// A form of `entries`, {"clip": {"textual": {...}}} with the field `text`, or {"clip": {"visual":
// {...}}} with the file `image`. The name of a model in it is not looked at. Throws HttpError: 501
// for another task than clip, 400 for anything else.
PredictRequest read_predict_request(std::string_view body, std::string_view content_type);

}  // namespace hinny
