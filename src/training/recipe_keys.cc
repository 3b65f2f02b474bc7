#include "training/recipe.h"

namespace hinny {

void for_each_key(Recipe& recipe,
                  const std::function<void(std::string_view, Setting, std::string_view)>& use) {
  AboutSettings& about = recipe.about;
  TextSettings& text = recipe.model.text;
  ImageSettings& image = recipe.model.image;
  LossSettings& loss = recipe.model.loss;
  DataSettings& data = recipe.data;
  SampleSettings& sample = recipe.sample;
  TranslationSettings& translation = recipe.translation;
  TrainSettings& train = recipe.train;

  use("system", &recipe.model.system,
      "the model: bag, dan, embn, mule, san, scan, smalr or vse; nmt or mmt to translate");
  use("languages", &recipe.languages, "languages to learn; empty: all of the dataset");
  use("dim", &recipe.model.dim, "size of the joint space");
  use("precision", &recipe.model.precision,
      "what recurrent products read, fp32 or bf16; sums and weights stay fp32");
  use("about.summary", &about.summary, "one line for `hinny recipes`");
  use("about.paper", &about.paper, "where the system comes from");
  use("about.cost", &about.cost, "what a training takes");

  use("text.vocabulary", &text.vocabulary,
      "per-language: a table and a tower each; shared: one for all");
  use("text.min_count", &text.min_count, "words seen less often in training captions are unknown");
  use("text.max_words", &text.max_words, "a caption's words after these are cut; 0: none");
  use("text.given", &text.given, "captions are tokenised already: split at spaces");
  use("text.unknown", &text.unknown, "unknown words: drop, or token (one vector for all)");
  use("text.markers", &text.markers, "put start and end markers around a caption");
  use("text.vectors", &text.vectors,
      "word vectors start from: random, train (fastText on the captions), pictures (those that "
      "captions say a word of), or a folder with LANGUAGE.vec");
  use("text.whiten", &text.whiten,
      "text.vectors of a language start without what its words share: no mean, equal spread in "
      "every direction");
  use("text.finetune", &text.finetune, "false: word vectors stay as given");
  use("text.word_range", &text.word_range, "random word vectors: uniform in +- this");
  use("text.dim", &text.dim, "size of a word vector");
  use("text.pca", &text.pca,
      "text.vectors have this size and are reduced to text.dim by PCA over the training words; 0: "
      "they have text.dim");
  use("text.mule_dim", &text.mule_dim,
      "size of a word space that languages share, and behind it the sentence encoder; 0: none");
  use("text.latents", &text.latents,
      "smalr, mule: at most so many tokens that words of all languages share; 0: none");
  use("text.own_words", &text.own_words,
      "with latents: the most frequent words of a language, which keep vectors of their own");
  use("text.own_dim", &text.own_dim,
      "with latents: size of those vectors (principal components of text.vectors)");
  use("text.dictionary", &text.dictionary,
      "folder with de-en.tsv: rare words are words of text.lender by it; empty: none");
  use("text.lender", &text.lender, "with text.dictionary: the language whose words they are");
  use("text.rare", &text.rare,
      "with text.dictionary: words seen less often are looked up, and dropped where it lacks them");
  use("text.characters", &text.characters,
      "words are known by their spelling: size of a character's vector; 0: each has its own");
  use("text.most_characters", &text.most_characters,
      "with characters: a word's characters after these are cut");
  use("text.explore", &text.explore,
      "pretraining of latents: how often another of the best tokens is taken");
  use("text.explore_among", &text.explore_among, "pretraining of latents: of how many of the best");
  use("text.encoder", &text.encoder, "mean, gru, lstm, or given (sentence vectors from outside)");
  use("text.sentences", &text.sentences, "given: DATA/sentences/NAME.npy, text.dim numbers a row");
  use("text.hidden", &text.hidden, "size of the recurrent state");
  use("text.bidirectional", &text.bidirectional, "read the caption both ways");
  use("text.reset", &text.reset,
      "gru: the reset gate, after (PyTorch) or before (TensorFlow) the recurrent product");
  use("text.dropout", &text.dropout, "on the sentence vector");
  use("text.project", &text.project, "a linear layer from the sentence vector to the joint space");

  use("image.features", &image.features, "feature names joined by '+' (--features)");
  use("image.square_root", &image.square_root, "x -> sign(x) sqrt(abs(x)) first");
  use("image.standardise", &image.standardise,
      "zero mean and unit variance over the training images");
  use("image.hidden", &image.hidden, "hidden layer; 0: one linear layer alone");
  use("image.batch_norm", &image.batch_norm, "batch normalisation after the hidden layer");
  use("image.dropout", &image.dropout, "after the hidden layer");
  use("image.input_dropout", &image.input_dropout, "on the features");
  use("image.branch", &image.branch, "shared, or per-language: languages share nothing (EmbN)");
  use("image.start", &image.start,
      "random, or directions: the joint space is where text.vectors = pictures has its words, so "
      "that training starts from a model that finds pictures");

  use("loss.kind", &loss.kind, "triplet or infonce");
  use("loss.margin", &loss.margin, "triplet: margin");
  use("loss.mining", &loss.mining,
      "triplet negatives: all, hardest, max, or mixed (from all to max)");
  use("loss.hardening", &loss.hardening,
      "mixed: the share of max is 1 - exp(-this * share of the training done)");
  use("loss.hardest", &loss.hardest, "triplet: how many of the hardest negatives per anchor");
  use("loss.harder_negatives", &loss.harder_negatives,
      "san, dan, scan: an image's negative is the weighted mean of each language's hardest "
      "caption");
  use("loss.types", &loss.types,
      "with harder negatives: of languages, or sources: what people and what machines wrote in a "
      "language apart");
  use("loss.language_weights", &loss.language_weights,
      "with harder negatives: {en = 0.6, de = 0.4}; of sources also {\"en:machine\" = 0.2}, else "
      "as en; empty: all alike");
  use("loss.reduction", &loss.reduction, "triplet: mean over anchors, or sum");
  use("loss.distance", &loss.distance,
      "cosine, euclidean (between unit vectors; triplet), or order (order embeddings)");
  use("loss.temperature", &loss.temperature, "infonce: where the learned temperature starts");
  use("loss.text_to_image", &loss.text_to_image, "weight of captions as anchors");
  use("loss.image_to_text", &loss.image_to_text, "weight of images as anchors");
  use("loss.neighbourhood", &loss.neighbourhood,
      "embn, mule, vse: weight of the neighbourhood constraint");
  use("loss.neighbours", &loss.neighbours,
      "mule, vse: whose captions are neighbours: own (language), any, pairs (of languages, the "
      "first "
      "as anchors), or both-ways (pairs)");
  use("loss.cross_neighbourhood", &loss.cross_neighbourhood,
      "mule, vse, pairs: weight of the constraint between two languages");
  use("loss.neighbourhood_layers", &loss.neighbourhood_layers,
      "mule: where it holds: joint (space), mule (the words' space), or both");
  use("loss.adversary", &loss.adversary, "mule: weight of the language classifier");
  use("loss.word_drift", &loss.word_drift,
      "mule: weight of word vectors' distance from their start");
  use("loss.masked", &loss.masked, "smalr: weight of the masked cross-language model (MCLM)");
  use("loss.mask_share", &loss.mask_share, "smalr: share of the words that are masked");
  use("loss.masked_ranking", &loss.masked_ranking,
      "smalr: weight of masked captions against images");
  use("loss.warmup_epochs", &loss.warmup_epochs, "epochs with the warm-up loss first");
  use("loss.warmup", &loss.warmup, "warm-up loss: infonce, or all (every negative)");

  AttentionSettings& attention = recipe.model.attention;
  use("attention.direction", &attention.direction,
      "scan: text-to-image, each word over the regions, or image-to-text");
  use("attention.norm", &attention.norm,
      "scan: of products before the softmax: none, clipped, l2, clipped-l2 or softmax");
  use("attention.pooling", &attention.pooling, "scan: of a pair's scores: lse or mean");
  use("attention.lambda_softmax", &attention.lambda_softmax, "scan: sharpness of the attention");
  use("attention.lambda_lse", &attention.lambda_lse, "scan: sharpness of lse");
  use("pretrain.epochs", &recipe.model.pretrain.epochs,
      "mule: epochs of the words' space alone before the others, with fixed word vectors (LP)");
  use("pretrain.loss", &recipe.model.pretrain.loss,
      "by which loss: infonce, all (negatives), or recipe ([loss] as it is)");

  use("data.sources", &data.sources,
      "sources of the training captions: [\"human-original\"]; empty: all");
  use("data.sources_by_language", &data.sources_by_language,
      "the same for single languages: {de = [\"human-translation\"]}");
  use("data.images", &data.images, "share of the training images, drawn by the seed");
  use("data.captions", &data.captions,
      "training captions of an image per language, drawn by the seed; 0: all");
  use("data.overlap", &data.overlap,
      "all: every language describes every image; none: each image keeps one language");

  use("sample.by", &sample.by,
      "images (captions of every language) or captions (one language a batch)");
  use("sample.images_per_batch", &sample.images_per_batch, "images (or captions) in a batch");
  use("sample.captions_per_image", &sample.captions_per_image, "captions of an image per language");
  use("sample.captions_by_language", &sample.captions_by_language,
      "the same for single languages: {en = 2}");
  use("sample.caption_pairs", &sample.caption_pairs,
      "captions: share of batches that rank captions of two languages by each other (c2c)");
  use("sample.replacement", &sample.replacement, "too few captions: fill (repeat some) or none");
  use("sample.groups", &sample.groups,
      "language groups drawn equally: [[\"en\"], [\"en\", \"ja\"]]");

  use("translation.directions", &translation.directions,
      "[\"en-de\", \"de-en\"]; empty: every pair of the languages, both ways");
  use("translation.merges", &translation.merges,
      "byte pair merges, learned on all languages together");
  use("translation.embedding", &translation.embedding, "size of a subword's vector");
  use("translation.hidden", &translation.hidden,
      "size of the decoder's state; each direction of the encoder has half of it");
  use("translation.decoder_layers", &translation.decoder_layers,
      "1, or 2: a second LSTM over what the first one and its attention give");
  use("translation.dropout", &translation.dropout, "on subwords' vectors and on states");
  use("translation.smoothing", &translation.smoothing,
      "of labels: probability that is spread over all subwords");
  use("translation.batch_words", &translation.batch_words,
      "subwords of the translations in a batch, which are of like length");
  use("translation.max_words", &translation.max_words,
      "pairs with more subwords on a side are left out of the training");

  use("train.epochs", &train.epochs, "passes over the data");
  use("train.optimiser", &train.optimiser, "adamw, or adam (decay in the gradient)");
  use("train.learning_rate", &train.learning_rate, "at its highest");
  use("train.weight_decay", &train.weight_decay, "weight decay");
  use("train.schedule", &train.schedule, "constant, exponential, step, cosine");
  use("train.decay", &train.decay, "exponential: factor per epoch; step: factor per step");
  use("train.step_epochs", &train.step_epochs, "step: epochs between steps");
  use("train.warmup_steps", &train.warmup_steps, "batches in which the rate rises from 0");
  use("train.clip_norm", &train.clip_norm, "largest norm of the gradient; 0: no clipping");
  use("train.average", &train.average,
      "the model is the average of its weights; factor per batch, 0.995 say; 0: the last weights");
  use("train.validate_every", &train.validate_every, "batches between validations; 0: each epoch");
  use("train.patience", &train.patience,
      "stop after so many validations without a better mR; 0: never");
  use("train.best_by", &train.best_by,
      "language whose validation mR chooses the best model; empty: the mean over languages");
  use("train.log_every", &train.log_every, "batches per line of metrics.jsonl");
  use("train.seed", &train.seed, "one seed gives one result (--seed)");
}

}  // namespace hinny
