#include "tokenizer/family_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "tokenizer/text_steps.h"

namespace hinny {
namespace {

bool is_lower_step(const Step& step) {
  return step.name == "lower-case" || (step.name == "bert" && step.options[3] == "yes");
}

// Whether a step takes the signs out of words, whatever else it does.
bool drops_signs(const Step& step, const std::filesystem::path& source) {
  if (step.name == "drop-punctuation") return true;
  const bool replaces = step.name == "replace" || step.name == "replace-pattern";
  if (!replaces || !step.options[1].empty()) return false;
  std::string text = "a!b?c";
  make_text_step(step, {source, {}, {}})(text);
  return text == "abc" || text == "ab?c" || text == "a!bc";
}

template <typename Is>
bool any_step(const TokenizerImport& import, const Is& is) {
  const auto& steps = import.parts.normalisers;
  return std::any_of(steps.begin(), steps.end(), is);
}

void stop_lowering(TokenizerImport& import) {
  auto& steps = import.parts.normalisers;
  std::erase_if(steps, [](const Step& step) { return step.name == "lower-case"; });
  for (Step& step : steps) {
    if (step.name == "bert") step.options[3] = "no";
  }
}

const char* kept_or_removed(bool removed) { return removed ? "removed" : "kept"; }

bool canonicalises(const FolderFacts& facts) { return facts.cleaning == "canonicalize"; }

// Steps that the folder's own program takes before the tokenizer.
std::vector<Step> program_steps(const FolderFacts& facts, TokenizerImport& import) {
  std::vector<Step> steps;
  if (facts.kind == FolderKind::hugging_face) return steps;
  const bool open_clip = facts.kind == FolderKind::open_clip;
  if (open_clip) {
    steps = {{"entities", {}}, {"entities", {}}};
    if (canonicalises(facts)) steps.push_back({"replace", {"_", " "}});
    import.say("HTML entities read twice, white space joined; ftfy's repairs are not made",
               "open_clip_config.json");
  } else {
    import.say("white space joined", "as photo servers do");
  }
  return steps;
}

}  // namespace

std::int32_t TokenizerImport::id_of(std::string_view text) const {
  // From the end: added tokens are there, and of equal pieces the later counts.
  const auto found = std::find(parts.pieces.rbegin(), parts.pieces.rend(), text);
  return static_cast<std::int32_t>(parts.pieces.rend() - found) - 1;
}

std::int32_t TokenizerImport::required(std::string_view text) const {
  const std::int32_t id = id_of(text);
  if (id < 0) {
    throw InputError(source, fmt::format("'{}' is not in the vocabulary", text), "a piece");
  }
  return id;
}

void TokenizerImport::say(std::string what, std::string_view why) {
  chosen.push_back(fmt::format("{} ({})", what, why));
}

void choose_cleaning(std::string_view family, const FolderFacts& facts,
                     const TokenizerChoices& choices, TokenizerImport& import) {
  const bool siglip = family == "siglip" || family == "siglip2";
  const bool program = facts.kind != FolderKind::hugging_face;
  const auto signs = [&](const Step& step) { return drops_signs(step, import.source); };
  std::vector<Step> front = program_steps(facts, import);

  // Punctuation
  const bool removed_by_file = any_step(import, signs);
  bool removes = removed_by_file || canonicalises(facts) || family == "siglip";
  const std::string file = import.source.filename().string();
  std::string_view why = family;
  if (removed_by_file) {
    why = file;
  } else if (canonicalises(facts)) {
    why = "clean: canonicalize";
  } else if (family == "siglip2") {
    why = "siglip2; some programs remove it";
  }
  if (choices.strip_punctuation) {
    removes = *choices.strip_punctuation;
    why = "chosen";
  }
  if (removes && !removed_by_file) front.push_back({"drop-punctuation", {}});
  if (!removes) std::erase_if(import.parts.normalisers, signs);
  if (removes || siglip || choices.strip_punctuation) {
    import.say(fmt::format("punctuation {}", kept_or_removed(removes)), why);
  }

  // Lower case
  const bool lowered_by_file = any_step(import, is_lower_step);
  const std::string cleaning = "clean: " + facts.cleaning;
  bool lowers = lowered_by_file || canonicalises(facts) || facts.cleaning == "lower";
  why = lowered_by_file || !lowers ? file : cleaning;
  if (!lowers && siglip) {
    lowers = facts.flag("do_lower_case").value_or(true);
    why = facts.flag("do_lower_case") ? std::string_view("tokenizer_config.json") : family;
  }
  if (choices.lower_case) {
    lowers = *choices.lower_case;
    why = "chosen";
  }
  if (lowers && !lowered_by_file) front.push_back({"lower-case", {}});
  if (!lowers) stop_lowering(import);
  import.say(lowers ? "lower-case" : "case kept", why);

  const bool cleaned = std::any_of(
      front.begin(), front.end(), [](const Step& step) { return step.name == "drop-punctuation"; });
  if (program || cleaned) front.push_back({"join-spaces", {}});
  auto& steps = import.parts.normalisers;
  steps.insert(steps.begin(), front.begin(), front.end());
}

void choose_marks(std::string_view family, const FolderFacts& facts,
                  const TokenizerChoices& choices, TokenizerImport& import) {
  TokenizerParts& parts = import.parts;
  const auto marks = std::pair(parts.before, parts.after);
  if (family == "nllb") {
    const std::string language = choices.language.empty() ? "eng_Latn" : choices.language;
    if (language.size() != 8 || language[3] != '_') {
      throw InputError(fmt::format("language '{}'", language), "a FLORES code, as deu_Latn");
    }
    parts.before = {import.required(language)};
    parts.after = {import.required("</s>")};
    import.say(fmt::format("{} before the text, </s> after it", language),
               choices.language.empty() ? "nllb" : "chosen");
  } else if (!choices.language.empty()) {
    throw InputError(import.source, fmt::format("language '{}' before the text", choices.language),
                     "none: only NLLB's models take one");
  } else if (family == "siglip2") {
    parts.before.clear();
    parts.after = {import.required("<eos>")};
  } else if (family == "siglip" && parts.after.empty()) {
    parts.after = {import.required("</s>")};
  } else if (family == "clip" && parts.before.empty() && parts.after.empty() &&
             import.id_of("<|startoftext|>") >= 0) {
    parts.before = {import.required("<|startoftext|>")};
    parts.after = {import.required("<|endoftext|>")};
  }
  if (family != "nllb" && marks != std::pair(parts.before, parts.after)) {
    import.say("marks as the family has them", family);
  }
  const auto padding = facts.special.find("pad_token");
  if (padding != facts.special.end()) {
    const std::int32_t id = import.id_of(padding->second);
    if (id >= 0) parts.padding = id;
  }
  if (parts.padding < 0 && family == "siglip") parts.padding = import.id_of("</s>");
  if (parts.padding < 0 && family == "siglip2") parts.padding = import.id_of("<pad>");
}

}  // namespace hinny
