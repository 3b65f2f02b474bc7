// Whatever is asked, a model says nearly the same with its weights in 8 or 16 bits: the same words
// known, and vectors whose cosine stays near 1.
#include <cstdlib>
#include <numeric>

#include "base/error.h"
#include "encoder/export_model.h"
#include "encoder/model_fixture.h"
#include "encoder/text_encoder.h"
#include "tests/scratch.h"

namespace {

constexpr double kNearest = 0.999;

struct Opened {
  explicit Opened(hinny::WeightType type) : model(exported(type)), encoder(model) {}
  static hinny::Model exported(hinny::WeightType type) {
    static const hinny::Scratch scratch;
    const std::filesystem::path run = scratch / "run";
    if (!std::filesystem::exists(run)) hinny::ModelFixture().write(run);
    const auto folder = scratch / std::to_string(static_cast<int>(type));
    std::filesystem::create_directories(folder);
    hinny::export_model(hinny::Model::open(run), type, folder);
    return hinny::Model::open(folder);
  }
  hinny::Model model;
  hinny::TextEncoder encoder;
};

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Opened whole(hinny::WeightType::float32), half(hinny::WeightType::bfloat16),
      quarter(hinny::WeightType::int8);
  if (size == 0) return 0;
  const std::string language = data[0] % 2 == 0 ? "en" : "de";
  static const char* const words[] = {"a",   "dog",  "runs",  "on", "the",    "beach",
                                      "ein", "hund", "lauft", "am", "strand", "hunde"};
  std::string text;
  for (std::size_t i = 1; i < size; ++i) {  // words it may know, or letters of any kind
    text += data[i] < 0x20 ? std::string(words[data[i] % std::size(words)]) + " "
                           : std::string(1, static_cast<char>(data[i]));
  }
  try {
    const hinny::EncodedText wanted = whole.encoder.encode(text, language);
    for (Opened* other : {&half, &quarter}) {
      const hinny::EncodedText found = other->encoder.encode(text, language);
      if (found.known_words != wanted.known_words || found.vector.size() != wanted.vector.size()) {
        std::abort();
      }
      const double length = dot(wanted.vector, wanted.vector);
      if (length > 0.5 && dot(found.vector, wanted.vector) < kNearest) std::abort();
    }
  } catch (const hinny::InputError&) {
  }
  return 0;
}
