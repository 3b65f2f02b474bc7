// Where word vectors and the joint space start from before training.
#pragma once

#include <vector>

namespace hinny {

struct Experiment;

// text.vectors: "random" keeps what the system started with; "train" learns vectors with fastText
// on the captions of `images` (the training split); "pictures" has picture_words(); a folder gives
// <language>.vec (shared vocabularies: the words of every language's file). Says on stderr how many
// words were found.
void start_words(Experiment& experiment, const std::vector<int>& images);

// image.start: "directions" makes the joint space picture_directions() of `images`, in which words
// of "pictures" are at home; "random" keeps what the system started with.
void start_images(Experiment& experiment, const std::vector<int>& images);

}  // namespace hinny
