#include "systems/describe_words.h"

#include "text/vocabulary.h"

namespace hinny {

void describe_words(const TextSettings& text, const std::string& language, TextSpec& spec) {
  spec.vocabulary = text.vocabulary == Sharing::shared ? kSharedVocabulary : language;
  spec.unknown = text.unknown;
  spec.markers = text.markers;
}

}  // namespace hinny
