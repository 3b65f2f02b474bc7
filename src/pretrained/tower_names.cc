#include "pretrained/tower_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "pretrained/position_grid.h"

namespace hinny {
namespace {

TowerTensor bias_or_zeros(const SourceFolder& source, const std::string& name, std::size_t size) {
  return source.has(name) ? same(source.at(name, {size}), name) : zeros({size});
}

// One family's tensors into one tower.
class Building {
 public:
  Building(const SourceFolder& source, const TowerNames& names, TransformerSpec spec)
      : source_(source), names_(names) {
    tower_.spec = spec;
  }

  TransformerSpec& spec() { return tower_.spec; }
  Tower take() { return std::move(tower_); }

  void add_blocks() {
    const std::string in = names_.block, after = "." + names_.mlp_in + ".weight";
    spec().layers = source_.count(in, after);
    if (spec().layers == 0) source_.at(in + "0" + after);  // says which is missing
    const auto rows =
        static_cast<std::size_t>(source_.at(in + "0" + after, {0, spec().width}).shape[0]);
    spec().hidden = spec().activation == Activation::swiglu ? rows / 2 : rows;
    if (spec().heads == 0) spec().heads = std::max<std::size_t>(1, spec().width / kUsualHead);
    for (std::size_t i = 0; i < spec().layers; ++i) add_block(i);
    if (spec().embedding_norm) add_norm(names_.embedding_norm, "embedding_norm");
    if (spec().final_norm) add_norm(names_.final_norm, "final_norm");
    tower_.outputs = spec().width;
  }

  void add_text() {
    const TensorView& tokens = source_.at(names_.tokens, {0, 0});
    spec().vocabulary = static_cast<std::size_t>(tokens.shape[0]);
    spec().width = static_cast<std::size_t>(tokens.shape[1]);
    tower_.tensors["tokens"] = same(tokens, names_.tokens);
    const TensorView& positions = source_.at(names_.positions, {0, spec().width});
    const auto rows = static_cast<std::size_t>(positions.shape[0]);
    if (rows <= names_.first_position) {
      throw InputError(source_.file_of(names_.positions),
                       fmt::format("'{}' has {} rows", names_.positions, rows),
                       fmt::format("more than {}", names_.first_position));
    }
    const std::size_t most = rows - names_.first_position;
    spec().positions = spec().positions == 0 ? most : std::min(spec().positions, most);
    std::vector<float> numbers(spec().positions * spec().width);
    part_of(same(positions, names_.positions), names_.first_position, spec().positions)
        .rows(0, spec().positions, numbers.data());
    add_token_type(numbers);
    tower_.tensors["positions"] =
        given({spec().positions, spec().width}, std::move(numbers), names_.positions);
    tower_.tensors["positions"].exact = true;
  }

  void add_patches() {
    const std::string weight = names_.patches + ".weight";
    const TensorView& patches = source_.at(weight, {0, 3, spec().patch, spec().patch});
    spec().width = static_cast<std::size_t>(patches.shape[0]);
    tower_.tensors["patches.weight"] = same(patches, weight);
    add_bias(names_.patches, spec().width, "patches.bias");
    std::vector<float> extra;
    const auto add_extra = [&](const std::string& name) {
      if (name.empty()) return;
      const std::vector<float> rows = source_.at(name).floats();
      if (rows.empty() || rows.size() % spec().width != 0) {
        throw InputError(source_.file_of(name),
                         fmt::format("'{}' holds {} numbers", name, rows.size()),
                         fmt::format("rows of {}", spec().width));
      }
      extra.insert(extra.end(), rows.begin(), rows.end());
    };
    add_extra(names_.class_token);
    const std::size_t placed = extra.size() / spec().width;  // registers have no position
    add_extra(names_.registers);
    spec().extra = extra.size() / spec().width;
    add_positions(placed);
    if (spec().extra == 0) return;
    tower_.tensors["extra"] =
        given({spec().extra, spec().width}, std::move(extra), names_.class_token);
    tower_.tensors["extra"].exact = true;
  }

  void add_head() {
    const std::string head = names_.head, attention = head + ".attention.";
    const std::size_t width = spec().width;
    const TensorView& in = source_.at(attention + "in_proj_weight", {3 * width, width});
    const TensorView& bias = source_.at(attention + "in_proj_bias", {3 * width});
    // The query is the same for each picture: its layer is behind it already.
    const std::vector<float> probe = source_.at(head + ".probe", {1, 1, width}).floats();
    std::vector<float> weights(width * width), query(width);
    same(in, "").rows(0, width, weights.data());
    same(bias, "").rows(0, width, query.data());
    for (std::size_t row = 0; row < width; ++row) {
      double sum = query[row];
      for (std::size_t i = 0; i < width; ++i) {
        sum += static_cast<double>(weights[row * width + i]) * probe[i];
      }
      query[row] = static_cast<float>(sum);
    }
    tower_.tensors["head.query"] = given({width}, std::move(query), head + ".probe");
    tower_.tensors["head.key_value.weight"] =
        part_of(same(in, attention + "in_proj_weight"), width, 2 * width);
    tower_.tensors["head.key_value.bias"] =
        part_of(same(bias, attention + "in_proj_bias"), width, 2 * width);
    add_layer(attention + "out_proj", width, width, "head.attention_out");
    add_norm(head + ".layernorm", "head.norm");
    add_layer(head + ".mlp.fc1", spec().hidden, width, "head.mlp_in");
    add_layer(head + ".mlp.fc2", width, spec().hidden, "head.mlp_out");
  }

 private:
  static constexpr std::size_t kUsualHead = 64;  // numbers

  void add_norm(const std::string& from, const std::string& to) {
    // Models that came from TensorFlow have the older names.
    const bool older = !source_.has(from + ".weight") && source_.has(from + ".gamma");
    const std::string weight = from + (older ? ".gamma" : ".weight");
    const std::string bias = from + (older ? ".beta" : ".bias");
    tower_.tensors[to + ".weight"] = same(source_.at(weight, {spec().width}), weight);
    tower_.tensors[to + ".bias"] = same(source_.at(bias, {spec().width}), bias);
  }

  void add_bias(const std::string& from, std::size_t size, const std::string& to) {
    tower_.tensors[to] = bias_or_zeros(source_, from + ".bias", size);
  }

  // `scale`: LayerScale's numbers, one for each output.
  void add_layer(const std::string& from, std::size_t out, std::size_t in, const std::string& to,
                 const std::string& scale = {}) {
    const std::string weight = from + ".weight", bias = from + ".bias";
    const TensorView& matrix = source_.at(weight, {out, in});
    if (scale.empty()) {
      tower_.tensors[to + ".weight"] = same(matrix, weight);
      add_bias(from, out, to + ".bias");
      return;
    }
    const TensorView& factors = source_.at(scale, {out});
    tower_.tensors[to + ".weight"] = scaled(matrix, factors, weight);
    tower_.tensors[to + ".bias"] = scaled(source_.at(bias, {out}), factors, bias);
  }

  void add_query_key_value(const std::string& block, const std::string& to) {
    const std::size_t width = spec().width;
    if (names_.joined_in_proj) {
      const std::string name = block + names_.query_key_value.front();
      tower_.tensors[to + ".weight"] =
          same(source_.at(name + "in_proj_weight", {3 * width, width}), name + "in_proj_weight");
      tower_.tensors[to + ".bias"] =
          same(source_.at(name + "in_proj_bias", {3 * width}), name + "in_proj_bias");
      return;
    }
    std::vector<const TensorView*> weights, biases;
    for (const std::string& name : names_.query_key_value) {
      weights.push_back(&source_.at(block + name + ".weight", {width, width}));
      biases.push_back(&source_.at(block + name + ".bias", {width}));
    }
    const std::string source = block + names_.query_key_value.front();
    tower_.tensors[to + ".weight"] = stacked(weights, source);
    tower_.tensors[to + ".bias"] = stacked(biases, source);
  }

  void add_block(std::size_t number) {
    const std::string block = fmt::format("{}{}.", names_.block, number);
    const std::string to = fmt::format("layers.{}.", number);
    const auto scale = [&](const std::string& name) { return name.empty() ? name : block + name; };
    add_norm(block + names_.attention_norm, to + "attention_norm");
    add_query_key_value(block, to + "query_key_value");
    add_layer(block + names_.attention_out, spec().width, spec().width, to + "attention_out",
              scale(names_.attention_scale));
    add_norm(block + names_.mlp_norm, to + "mlp_norm");
    add_layer(block + names_.mlp_in, spec().mlp_rows(), spec().width, to + "mlp_in");
    add_layer(block + names_.mlp_out, spec().width, spec().hidden, to + "mlp_out",
              scale(names_.mlp_scale));
  }

  // All tokens are of the first type.
  void add_token_type(std::vector<float>& positions) {
    if (names_.token_types.empty() || !source_.has(names_.token_types)) return;
    const TensorView& types = source_.at(names_.token_types, {0, spec().width});
    std::vector<float> type(spec().width);
    same(types, names_.token_types).rows(0, 1, type.data());
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] += type[i % spec().width];
  }

  void add_positions(std::size_t placed) {
    const std::vector<float> rows = source_.at(names_.positions).floats();
    const std::size_t width = spec().width;
    const std::size_t squares = rows.size() / width - std::min(rows.size() / width, placed);
    const auto across = static_cast<std::size_t>(std::lround(std::sqrt(squares)));
    if (across == 0 || across * across != squares || rows.size() % width != 0) {
      throw InputError(source_.file_of(names_.positions),
                       fmt::format("'{}' holds {} numbers", names_.positions, rows.size()),
                       fmt::format("rows of {}: {} and a square of patches", width, placed));
    }
    if (spec().side == 0) spec().side = across * spec().patch;
    if (spec().side % spec().patch != 0) {
      throw InputError(
          source_.path(),
          fmt::format("pictures of {0} x {0} in patches of {1}", spec().side, spec().patch),
          "a whole number of patches");
    }
    const std::size_t wanted = spec().side / spec().patch;
    spec().positions = spec().extra + wanted * wanted;
    std::vector<float> positions(spec().positions * width);
    std::copy_n(rows.begin(), placed * width, positions.begin());
    const std::vector<float> grid = resize_positions(
        std::span(rows).subspan(placed * width), across, wanted, width, !names_.registers.empty());
    std::ranges::copy(grid, positions.begin() + static_cast<std::ptrdiff_t>(spec().extra * width));
    tower_.tensors["positions"] =
        given({spec().positions, width}, std::move(positions), names_.positions);
    tower_.tensors["positions"].exact = true;
  }

  const SourceFolder& source_;
  const TowerNames& names_;
  Tower tower_;
};

void add_named_projection(const SourceFolder& source, const TowerNames& names, Tower& tower) {
  if (names.projection.empty()) return;
  // open_clip's are parameters without ".weight" in most models, layers in others.
  const bool layer = source.has(names.projection + ".weight");
  add_projection(source, layer ? names.projection + ".weight" : names.projection,
                 names.projection + ".bias", names.exchanged && !layer, tower);
}

// One more layer behind what the tower gives.
void add_behind(const SourceFolder& source, TowerTensor weight, const std::string& bias,
                const std::string& to, Tower& tower) {
  tower.outputs = weight.shape[0];
  tower.tensors[to + ".weight"] = std::move(weight);
  tower.tensors[to + ".bias"] = bias_or_zeros(source, bias, tower.outputs);
}

}  // namespace

void add_layer_before_projection(const SourceFolder& source, const std::string& name,
                                 Tower& tower) {
  const std::string weight = name + ".weight";
  add_behind(source, same(source.at(weight, {0, tower.outputs}), weight), name + ".bias",
             "projection_in", tower);
  tower.projects_by_two = true;
}

void add_projection(const SourceFolder& source, const std::string& weight, const std::string& bias,
                    bool exchanged, Tower& tower) {
  const std::size_t in = tower.outputs;
  add_behind(source,
             exchanged ? transposed(source.at(weight, {in, 0}), weight)
                       : same(source.at(weight, {0, in}), weight),
             bias, "projection", tower);
  tower.projects = true;
}

Tower build_text_tower(const SourceFolder& source, const TowerNames& names, TransformerSpec spec) {
  Building building(source, names, spec);
  building.add_text();
  building.add_blocks();
  Tower tower = building.take();
  add_named_projection(source, names, tower);
  return tower;
}

Tower build_picture_tower(const SourceFolder& source, const TowerNames& names,
                          TransformerSpec spec) {
  Building building(source, names, spec);
  building.add_patches();
  building.add_blocks();
  if (spec.pooling == TokenPooling::attention) building.add_head();
  Tower tower = building.take();
  add_named_projection(source, names, tower);
  return tower;
}

}  // namespace hinny
