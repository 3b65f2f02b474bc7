#include "cli/vision/preset_option.h"

#include <fmt/format.h>

#include "base/terminal_text.h"
#include "vision/preset.h"

namespace hinny {

std::unique_ptr<PictureEncoder> encoder_by_preset(const std::string& network,
                                                  const std::string& preset) {
  PresetEncoder opened = open_with_preset(network, preset);
  if (!opened.wrote.empty()) {
    print_line(stderr, "wrote {}: what --preset {} says, for all that read this network later\n",
               opened.wrote.string(), preset);
  }
  return std::move(opened.encoder);
}

std::string preset_help() {
  std::string text =
      "Presets, as the networks' makers prepare pictures (clip@336: for 336 pixels):\n";
  for (const Preset& preset : presets()) {
    text += fmt::format("  {:<12} {}, {} pixels\n", preset.name, preset.networks, preset.crop);
  }
  return text + "\n";
}

}  // namespace hinny
