// How a family calls its tensors: a table, by which any of them becomes a Tower.
#pragma once

#include <string>
#include <vector>

#include "pretrained/source_folder.h"
#include "pretrained/tower.h"

namespace hinny {

// Names without ".weight" and ".bias", whole but for those of a block, which follow `block` + its
// number + ".". Empty: the family has none.
struct TowerNames {
  std::string block;                         // "text_model.encoder.layers."
  std::string attention_norm;                // of a block
  std::vector<std::string> query_key_value;  // three, or one of all
  bool joined_in_proj = false;               // that one is called in_proj_weight, in_proj_bias
  std::string attention_out, mlp_norm, mlp_in, mlp_out;
  std::string attention_scale,
      mlp_scale;  // LayerScale (Touvron et al. 2021): whole names in a block
  std::string embedding_norm, final_norm;

  // Of sentences: whole names of tensors.
  std::string tokens, positions, token_types;
  std::size_t first_position = 0;  // rows of `positions` before the first that counts

  // Of pictures.
  std::string patches, class_token, registers;
  std::string head;  // of attention pooling: HEAD.probe, HEAD.attention, HEAD.layernorm, HEAD.mlp

  // What follows the pooling; a matrix [out, width], or with `exchanged` [width, out], with or
  // without a bias.
  std::string projection;
  bool exchanged = false;
};

// Fills `spec`'s sizes that follow from tensors (width, layers, hidden, vocabulary, positions,
// side), and makes the tower. `spec` says the rest: heads (0: width / 64), and of pictures patch,
// and the side of those that it is shown (0: as its positions are). Throws InputError for tensors
// that do not fit together.
Tower build_text_tower(const SourceFolder& source, const TowerNames& names, TransformerSpec spec);
Tower build_picture_tower(const SourceFolder& source, const TowerNames& names,
                          TransformerSpec spec);

// Adds what follows the pooling: a matrix and perhaps a bias by these tensors' names.
void add_projection(const SourceFolder& source, const std::string& weight, const std::string& bias,
                    bool exchanged, Tower& tower);

// The first of two layers after the pooling, with GELU between them.
void add_layer_before_projection(const SourceFolder& source, const std::string& name, Tower& tower);

}  // namespace hinny
