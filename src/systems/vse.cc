#include "systems/vse.h"

namespace hinny {

std::vector<LossTerm> Vse::losses(const Batch& batch) { return ranking_losses(batch, 1.0); }

}  // namespace hinny
