#include "training/loop/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hinny {

double cosine_factor(double step, double span) {
  return 0.5 * (1 + std::cos(std::numbers::pi * std::min(1.0, step / span)));
}

double schedule_factor(const TrainSettings& settings, std::int64_t step, std::int64_t total,
                       std::int64_t per_epoch) {
  const auto now = static_cast<double>(step);
  const auto warmup = static_cast<double>(settings.warmup_steps);
  if (now < warmup) return (now + 1) / warmup;
  const double epoch = std::floor(now / static_cast<double>(per_epoch));
  if (settings.schedule == Schedule::exponential) return std::pow(settings.decay, epoch);
  if (settings.schedule == Schedule::step) {
    return std::pow(settings.decay, std::floor(epoch / static_cast<double>(settings.step_epochs)));
  }
  if (settings.schedule == Schedule::cosine) {
    const double span = std::max(1.0, static_cast<double>(total) - warmup);
    return cosine_factor(now - warmup, span);
  }
  return 1.0;
}

}  // namespace hinny
