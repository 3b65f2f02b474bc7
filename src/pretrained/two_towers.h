// What CLIP and SigLIP have in common as transformers keeps them: names, and where each tower
// stands.
#pragma once

#include <string>

#include "pretrained/family.h"

namespace hinny {

// Of the tower "text_model" or "vision_model", without what the families differ in.
TowerNames two_tower_names(const std::string& tower);

// The towers that model.safetensors of `folder` has, at least one. Each is read with its own part
// of config.json, which of a folder of one tower is all of it.
using ReadTower = Tower (*)(const SourceFolder& source, const JsonNode& part);
PretrainedModel read_two_towers(const std::filesystem::path& folder, ReadTower text,
                                ReadTower picture);

}  // namespace hinny
