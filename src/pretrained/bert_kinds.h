// Text towers of BERT's kind, for the families that stand on one.
#pragma once

#include <string>

#include "pretrained/family.h"

namespace hinny {

// What a configuration says, or what is known of the model that it names.
struct BertKind {
  std::string kind;  // "bert", "xlm-roberta", "distilbert": config.json's model_type
  std::size_t heads = 0;
  double epsilon = 1e-12;
  Activation activation = Activation::gelu;
};
// Throws InputError for positions or an activation that are not supported.
BertKind bert_kind_of(const JsonNode& config);
// "xlm-roberta-large", where a folder only names what its tower was. Throws InputError, which says
// whose `node` it was, for one that is not known.
BertKind bert_kind_named(const JsonNode& node, std::string_view name);

// The mean of its tokens' rows. `most_tokens`: of a sentence, 0 as many as there are positions.
Tower read_bert_kind(const SourceFolder& source, const BertKind& kind, std::size_t most_tokens);

}  // namespace hinny
