#include "systems/embn.h"

namespace hinny {

std::vector<LossTerm> Embn::losses(const Batch& batch) {
  const std::vector<Neighbours> captions = encode_batch_captions(batch);
  std::vector<LossTerm> terms = ranking_losses(batch, encode_batch_images(batch), captions);
  add_near("joint", batch, captions, terms);
  return terms;
}

std::vector<ParameterGroup> Embn::parameter_groups() const {
  const std::vector<TensorPart> text = {TensorPart::spelling, TensorPart::space,
                                        TensorPart::sentence};
  return {{{TensorPart::words}, 2.0, 0.0}, {text, 2.0, 1.0}, ParameterGroup{}};
}

}  // namespace hinny
