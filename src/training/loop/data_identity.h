// Which data a training is on, so that a resumed one continues with the same.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "data/dataset.h"
#include "data/features.h"

namespace hinny {

struct Experiment;

// "captions" -> "1500 0a1b..": how many, and a hash of them. Of the train and val splits alone, in
// the languages of the dataset: what else is in the folder may change. Features of more than a GiB
// are hashed by some of their images.
using DataIdentity = std::map<std::string, std::string>;
DataIdentity identity_of(const Dataset& dataset, const Features* features);
// With the parallel lines and given sentence vectors, where there are some.
DataIdentity identity_of(const Experiment& experiment);

// Throws InputError, naming what differs, when a checkpoint of `run` is of other data. What one of
// them lacks is not compared; says so of a checkpoint that knows nothing, an earlier version's.
void check_same_data(const std::filesystem::path& run, const DataIdentity& begun,
                     const DataIdentity& now);

}  // namespace hinny
