// /v1/embeddings, in the shape of OpenAI's API: what is asked, and the answer.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/http_message.h"
#include "vision/picture_reader.h"

namespace hinny {

using EmbeddingInput = std::variant<std::string, PictureBytes>;  // a sentence, or a picture

struct EmbeddingRequest {
  std::vector<EmbeddingInput> inputs;
  std::string language;  // "" where none is given
  bool base64 = false;   // so the vectors are to be written
};

// `dim`: of the model's vectors. Throws HttpError (400) for tokens, vectors of another length,
// sentences that check_text refuses, pictures that do not come with the request, too many inputs.
EmbeddingRequest read_embedding_request(std::string_view body, std::size_t dim);

// A string, which may be null or missing: "". Throws HttpError (400).
std::string optional_text(const nlohmann::json& object, const char* name);

struct Embedding {
  std::vector<float> vector;
  std::size_t words = 0;  // of a sentence, known or not
};

void send_embeddings(HttpResponse& response, const std::string& model,
                     std::span<const Embedding> embeddings, bool base64);

}  // namespace hinny
