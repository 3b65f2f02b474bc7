#include "recipe/section.h"

namespace hinny {
namespace {

// Where each language has its own words, or all share one table of them: not behind MULE's space.
constexpr Systems kOwnWords = {SystemKind::bag, SystemKind::embn, SystemKind::vse};

Condition is_recurrent() { return is("text.encoder", {"gru", "lstm"}); }

}  // namespace

void add_text_keys(std::vector<RecipeKey>& keys) {
  const Section<TextSettings> text(keys, "text",
                                   [](Recipe& r) -> TextSettings& { return r.model.text; });
  text.add("vocabulary", &TextSettings::vocabulary,
           {.acts_in = kOwnWords | kRegions,
            .meaning = "per-language: a table of words each, and in a model of two branches a "
                       "tower; shared: one for all"});
  text.add("min_count", &TextSettings::min_count,
           {.acts_in = kRetrieving,
            .meaning = "words seen less often in training captions are unknown",
            .range = {1, kMostCount}});
  text.add("max_words", &TextSettings::max_words,
           {.acts_in = kRetrieving,
            .meaning = "a caption's words after these are cut; 0: none",
            .range = {0, 100000}});
  text.add("given", &TextSettings::given,
           {.acts_in = kRetrieving, .meaning = "captions are tokenised already: split at spaces"});
  text.add("stems", &TextSettings::stems,
           {.acts_in = kRetrieving,
            .meaning = "words without their endings (Snowball; Czech by a list), Chinese and "
                       "Japanese ones with each of their characters beside"});
  text.add(
      "unknown", &TextSettings::unknown,
      {.acts_in = kRetrieving, .meaning = "unknown words: drop, or token (one vector for all)"});
  text.add("markers", &TextSettings::markers,
           {.acts_in = kRetrieving, .meaning = "put start and end markers around a caption"});
  text.add(
      "vectors", &TextSettings::vectors,
      {.acts_in = kRetrieving,
       .meaning = "word vectors start from: random, train (fastText on the captions), pictures "
                  "(those that captions say a word of), or a folder with LANGUAGE.vec"});
  text.add("whiten", &TextSettings::whiten,
           {.acts_in = kRetrieving,
            .meaning = "text.vectors of a language start without what its words share: no mean, "
                       "equal spread in every direction"});
  text.add("finetune", &TextSettings::finetune,
           {.acts_in = kRetrieving, .meaning = "false: word vectors stay as given"});
  text.add("word_range", &TextSettings::word_range,
           {.acts_in = kTwoBranches | kRegions | kTaught,
            .meaning = "random word vectors: uniform in +- this",
            .range = {0, kMostWeight}});
  text.add("dim", &TextSettings::dim,
           {.acts_in = kRetrieving, .meaning = "size of a word vector", .range = {1, kMostSize}});
  text.add("pca", &TextSettings::pca,
           {.acts_in = kRetrieving,
            .meaning = "text.vectors have this size and are reduced to text.dim by PCA over the "
                       "training words; 0: they have text.dim",
            .range = {0, kMostSize}});
  text.add(
      "mule_dim", &TextSettings::mule_dim,
      {.acts_in = kTwoBranches,
       .meaning =
           "size of a word space that languages share, and behind it the sentence encoder; 0: none",
       .range = {0, kMostSize},
       .source = "Kim et al. 2020"});
  text.add("latents", &TextSettings::latents,
           {.acts_in = kTwoBranches,
            .meaning = "at most so many tokens that words of all languages share; 0: none",
            .range = {0, 1 << 24},
            .source = "Burns et al. 2020, section 3.1",
            .when = on("text.mule_dim")});
  text.add("own_words", &TextSettings::own_words,
           {.acts_in = kTwoBranches,
            .meaning = "the most frequent words of a language, which keep vectors of their own",
            .range = {0, kMostCount},
            .when = on("text.latents")});
  text.add("own_dim", &TextSettings::own_dim,
           {.acts_in = kTwoBranches,
            .meaning = "size of those vectors (principal components of text.vectors)",
            .range = {1, kMostSize},
            .when = on("text.latents")});
  text.add("dictionary", &TextSettings::dictionary,
           {.acts_in = kTwoBranches,
            .meaning = "folder with de-en.tsv: rare words are words of "
                       "text.lender by it; empty: none",
            .source = "Burns et al. 2020, Fig. 3",
            .when = on("text.mule_dim")});
  text.add("lender", &TextSettings::lender,
           {.acts_in = kTwoBranches,
            .meaning = "the language whose words they are",
            .when = on("text.dictionary")});
  text.add("rare", &TextSettings::rare,
           {.acts_in = kTwoBranches,
            .meaning = "words seen less often are looked up, and dropped "
                       "where it lacks them",
            .range = {1, kMostCount},
            .when = on("text.dictionary")});
  text.add(
      "characters", &TextSettings::characters,
      {.acts_in = kOwnWords,
       .meaning =
           "words are known by their spelling: size of a character's vector; 0: each has its own",
       .range = {0, 4096},
       .source = "Wehrmann et al. 2019"});
  text.add("most_characters", &TextSettings::most_characters,
           {.acts_in = kOwnWords,
            .meaning = "a word's characters after these are cut",
            .range = {1, 1024},
            .when = on("text.characters")});
  text.add(
      "explore", &TextSettings::explore,
      {.acts_in = kSharedWords,
       .meaning = "in the pretraining of latents: how often another of the best tokens is taken",
       .range = {0, 1},
       .when = on("text.latents")});
  text.add("explore_among", &TextSettings::explore_among,
           {.acts_in = kSharedWords,
            .meaning = "in the pretraining of latents: of how many of the best",
            .range = {1, 1 << 20},
            .when = on("text.latents")});
  text.add("encoder", &TextSettings::encoder,
           {.acts_in = kRetrieving,
            .meaning = "of words, or given: sentence vectors from outside; san, dan and scan need "
                       "gru or lstm, late needs mean"});
  text.add("sentences", &TextSettings::sentences,
           {.acts_in = kOwnWords,
            .meaning = "DATA/sentences/NAME.npy, text.dim numbers a row",
            .when = is("text.encoder", {"given"})});
  text.add("hidden", &TextSettings::hidden,
           {.acts_in = kTwoBranches | kRegions | kTaught,
            .meaning = "size of the recurrent state",
            .range = {1, kMostSize},
            .when = is_recurrent()});
  text.add("bidirectional", &TextSettings::bidirectional,
           {.acts_in = kTwoBranches | kRegions | kTaught,
            .meaning = "read the caption both ways",
            .when = is_recurrent()});
  text.add(
      "reset", &TextSettings::reset,
      {.acts_in = kTwoBranches | kRegions | kTaught,
       .meaning = "the reset gate, after (PyTorch) or before (TensorFlow) the recurrent product",
       .when = is("text.encoder", {"gru"})});
  text.add("gate_bias", &TextSettings::gate_bias,
           {.acts_in = kTwoBranches | kRegions | kTaught,
            .meaning = "added to where the biases of the gru's gates and of the lstm's "
                       "forget gate start",
            .range = {-kMostWeight, kMostWeight},
            .source = "1: TensorFlow's cells, in MULE's code",
            .when = is_recurrent()});
  text.add("dropout", &TextSettings::dropout,
           {.acts_in = kTwoBranches | kLate | kTaught,
            .meaning = "on the sentence vector; late: share of a caption's words that are left out",
            .range = {0, 0.99}});
  text.add("project", &TextSettings::project,
           {.acts_in = kTwoBranches | kLate | kTaught,
            .meaning = "a linear layer from the sentence vector to the joint space; late: false"});
}

}  // namespace hinny
