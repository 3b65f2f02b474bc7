#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "model/json_node.h"
#include "model/model_config.h"
#include "retrieval/score.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
constexpr std::int64_t kLargestSize = 1 << 20;  // of a vector; far above any use
constexpr std::int64_t kMostParameters = std::numeric_limits<std::int64_t>::max();

std::size_t size_of(const JsonNode& node) {
  return static_cast<std::size_t>(node.integer(1, kLargestSize));
}

EncoderSpec read_encoder(const JsonNode& node) {
  node.only({"kind", "prefix", "input", "hidden", "bidirectional", "reset", "output"});
  EncoderSpec spec;
  spec.kind = node.at("kind").choice<EncoderKind>();
  spec.input = size_of(node.at("input"));
  if (spec.kind == EncoderKind::given) return spec;
  if (const auto output = node.find("output")) {
    spec.every_word = output->choice<EncoderOutput>() == EncoderOutput::words;
  }
  if (spec.kind == EncoderKind::mean) return spec;
  spec.prefix = node.at("prefix").string();
  spec.hidden = size_of(node.at("hidden"));
  if (const auto both = node.find("bidirectional")) spec.bidirectional = both->boolean();
  if (spec.kind == EncoderKind::gru) spec.reset = node.at("reset").choice<ResetGate>();
  return spec;
}

std::vector<LayerSpec> read_layers(const JsonNode& list) {
  std::vector<LayerSpec> layers;
  for (const JsonNode& node : list.items()) {
    node.only({"kind", "prefix", "hops", "seen"});
    LayerSpec layer;
    layer.kind = node.at("kind").choice<LayerKind>();
    if (have_tensors(layer.kind)) layer.prefix = node.at("prefix").string();
    if (layer.kind == LayerKind::memory) {
      layer.hops = static_cast<std::size_t>(node.at("hops").integer(1, 16));
      if (const auto seen = node.find("seen")) layer.seen = seen->boolean();
    }
    layers.push_back(layer);
  }
  return layers;
}

std::string read_space(const JsonNode& node, const ModelConfig& config) {
  std::string name = node.string();
  if (config.image.contains(name)) return name;
  std::vector<std::string> spaces;
  for (const auto& item : config.image) spaces.push_back(item.first);
  node.refuse(fmt::format("is '{}'{}", name, did_you_mean(name, spaces)), "a key of image");
}

// Of a model that reads by a transformer.
TextSpec read_text_layers(const JsonNode& node, const ModelConfig& config) {
  node.only({"layers", "space"});
  TextSpec spec;
  spec.encoder.input = config.transformer->width;
  spec.layers = read_layers(node.at("layers"));
  spec.space = read_space(node.at("space"), config);
  return spec;
}

TextSpec read_text(const JsonNode& node, const ModelConfig& config) {
  if (config.transformer) return read_text_layers(node, config);
  node.only({"vocabulary", "unknown", "markers", "words", "word_layers", "encoder", "layers",
             "space", "latents", "latent_of", "borrows", "borrowed", "characters",
             "most_characters"});
  TextSpec spec;
  spec.vocabulary = node.at("vocabulary").string();
  spec.unknown = node.at("unknown").choice<UnknownWords>();
  spec.markers = node.at("markers").boolean();
  if (const auto latents = node.find("latents")) {
    spec.latents = latents->string();
    spec.latent_of = node.at("latent_of").string();
  }
  if (const auto lender = node.find("borrows")) {
    spec.borrows = lender->string();
    spec.borrowed = node.at("borrowed").string();
  }
  if (const auto characters = node.find("characters")) {
    spec.characters = characters->string();
    spec.most_characters = static_cast<std::size_t>(node.at("most_characters").integer(1, 1024));
  }
  if (const auto layers = node.find("word_layers")) spec.word_layers = read_layers(*layers);
  spec.encoder = read_encoder(node.at("encoder"));
  if (spec.encoder.kind != EncoderKind::given && spec.characters.empty()) {
    spec.words = node.at("words").string();
  }
  spec.layers = read_layers(node.at("layers"));
  spec.space = read_space(node.at("space"), config);
  return spec;
}

FeatureSpec read_features(const JsonNode& node) {
  node.only({"names", "parts", "square_root", "standardise", "regions"});
  FeatureSpec spec;
  spec.names = node.at("names").string();
  for (const JsonNode& part : node.at("parts").items()) {
    part.only({"name", "dim"});
    spec.parts.push_back({part.at("name").string(), size_of(part.at("dim"))});
  }
  if (spec.parts.empty()) node.at("parts").refuse("is empty", "one feature file or more");
  spec.square_root = node.at("square_root").boolean();
  spec.standardise = node.at("standardise").boolean();
  if (const auto regions = node.find("regions")) {
    spec.regions = static_cast<std::size_t>(regions->integer(1, 65536));
    if (spec.dim() % spec.regions != 0) {
      regions->refuse(fmt::format("is {}", spec.regions),
                      fmt::format("a number that divides {}", spec.dim()));
    }
  }
  return spec;
}

constexpr double kSharpest = 1e6;                    // of an attention
constexpr double kMostWeight = 1e6;                  // of a re-ranking model
constexpr double kFlattest = 1e-6, kSteepest = 1e6;  // of a fit

CrossAttention read_attention(const JsonNode& node) {
  node.only({"direction", "norm", "pooling", "lambda_softmax", "lambda_lse"});
  CrossAttention attention;
  attention.direction = node.at("direction").choice<AttentionDirection>();
  attention.norm = node.at("norm").choice<AttentionNorm>();
  attention.pooling = node.at("pooling").choice<AttentionPooling>();
  attention.lambda_softmax = node.at("lambda_softmax").number(0, kSharpest);
  attention.lambda_lse = node.at("lambda_lse").number(1e-6, kSharpest);
  return attention;
}

void read_languages(const JsonNode& root, ModelConfig& config) {
  config.languages = root.at("languages").strings();
  std::vector<std::string> sorted = config.languages;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> described;
  for (const auto& [language, node] : root.at("text").members()) {
    config.text[language] = read_text(node, config);
    described.push_back(language);
  }
  if (sorted.empty() || sorted != described) {
    root.at("languages").refuse("are not those of text", "the same languages, one or more");
  }
}

void read_consistency(const JsonNode& node, ModelConfig& config) {
  constexpr double kMost = 1e6;
  for (const auto& [language, weight] : node.members()) {
    if (!config.text.contains(language)) {
      weight.refuse("is of no language of the model",
                    fmt::format("{}", fmt::join(config.languages, ", ")));
    }
    config.consistency[language] = weight.number(-kMost, kMost);
  }
}

}  // namespace

std::size_t EncoderSpec::output() const {
  const bool recurrent = kind == EncoderKind::gru || kind == EncoderKind::lstm;
  return recurrent ? hidden * (bidirectional && !every_word ? 2 : 1) : input;
}

bool have_tensors(LayerKind kind) {
  return kind == LayerKind::linear || kind == LayerKind::batch_norm || kind == LayerKind::context ||
         kind == LayerKind::memory;
}

std::size_t FeatureSpec::dim() const {
  std::size_t sum = 0;
  for (const Part& part : parts) sum += part.dim;
  return sum;
}

std::vector<std::string> FeatureSpec::part_names() const {
  std::vector<std::string> names;
  for (const Part& part : parts) names.push_back(part.name);
  return names;
}

ModelConfig read_model_config(const std::filesystem::path& path) {
  const JsonNode root = JsonNode::read(path, kMostBytes);
  if (!root.find("format") && (root.find("model_type") || root.find("architectures"))) {
    root.refuse("a pretrained model's configuration",
                "a bundle of it: hinny bundle FOLDER --out NAME");
  }
  root.at("format").integer(1, 1);
  if (const auto directions = root.find("directions")) {
    directions->refuse("of a model that translates",
                       "a model that retrieves; this one is for "
                       "hinny translate, augment, eval and inspect");
  }
  root.only({"format", "system", "languages", "dim", "features", "tokenizer", "text", "image",
             "parameters", "score", "attention", "late", "consistency", "transformer", "fit"});
  ModelConfig config;
  config.system = root.at("system").string();
  config.dim = size_of(root.at("dim"));
  if (const auto score = root.find("score")) config.score = score->choice<Score>();
  if (const auto attention = root.find("attention")) config.attention = read_attention(*attention);
  if (const auto late = root.find("late")) {
    late->only({"sharpness", "weight"});
    config.late = LateInteraction{late->at("sharpness").number(1e-6, kSharpest)};
    if (const auto weight = late->find("weight"))
      config.late->weight = weight->number(0, kMostWeight);
  }
  config.features = read_features(root.at("features"));
  const JsonNode tokenizer = root.at("tokenizer");
  tokenizer.only({"given", "max_words", "stems"});
  config.given_tokens = tokenizer.at("given").boolean();
  if (const auto stems = tokenizer.find("stems")) config.stems = stems->boolean();
  config.max_words = static_cast<int>(tokenizer.at("max_words").integer(0, 1 << 20));
  for (const auto& [space, node] : root.at("image").members()) {
    node.only({"layers"});
    config.image[space] = read_layers(node.at("layers"));
  }
  if (const auto transformer = root.find("transformer")) {
    config.transformer = read_transformer(*transformer);
    if (config.transformer->sees_pictures()) {
      transformer->refuse("sees pictures", "a vocabulary");
    }
  }
  read_languages(root, config);
  if (const auto weights = root.find("consistency")) read_consistency(*weights, config);
  if (const auto fit = root.find("fit")) {
    fit->only({"slope", "offset"});
    config.fit = Fit{fit->at("slope").number(kFlattest, kSteepest),
                     fit->at("offset").number(-kSteepest, kSteepest)};
  }
  const JsonNode parameters = root.at("parameters");
  parameters.only({"train", "search", "parts"});
  config.train_parameters = parameters.at("train").integer(0, kMostParameters);
  config.search_parameters = parameters.at("search").integer(0, kMostParameters);
  if (const auto parts = parameters.find("parts")) {
    for (const auto& [part, count] : parts->members()) {
      config.parameter_parts[part] = count.integer(0, kMostParameters);
    }
  }
  return config;
}

}  // namespace hinny
