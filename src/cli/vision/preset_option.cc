#include "cli/vision/preset_option.h"

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/terminal_text.h"
#include "vision/preset.h"

namespace hinny {

namespace fs = std::filesystem;

std::unique_ptr<PictureEncoder> encoder_by_preset(const std::string& network,
                                                  const std::string& preset) {
  PresetEncoder opened = open_with_preset(network, preset);
  if (!opened.sidecar.empty()) {
    const std::string beside = network + ".json";
    try {
      write_file(beside, opened.sidecar);
      print_line(stderr, "wrote {}: what --preset {} says, for all that read this network later\n",
                 beside, preset);
    } catch (const Failure& error) {
      print_line(stderr, "note: {}; `hinny bundle` needs --preset {} as well\n", error.what(),
                 preset);
    }
  }
  return std::move(opened.encoder);
}

NetworksByPreset::NetworksByPreset(const std::vector<fs::path>& networks,
                                   const std::vector<std::string>& presets)
    : networks_(networks) {
  if (presets.size() > 1 && presets.size() != networks.size()) {
    throw InputError(fmt::format("{} presets for {} networks", presets.size(), networks.size()),
                     "one for all of them, or one for each");
  }
  if (presets.size() == 1 && networks.empty()) {
    throw InputError("--preset without a network", "--network FILE.onnx");
  }
  for (std::size_t i = 0; !presets.empty() && i < networks.size(); ++i) {
    const std::string sidecar =
        open_with_preset(networks[i].string(), presets[presets.size() == 1 ? 0 : i]).sidecar;
    if (sidecar.empty()) continue;
    if (!links_) links_.emplace();
    const fs::path folder = links_->path() / std::to_string(i);  // two may have one name
    create_folder(folder);
    networks_[i] = folder / networks[i].filename();
    fs::create_symlink(fs::absolute(networks[i]), networks_[i]);
    write_file(networks_[i].string() + ".json", sidecar);
    names_.emplace_back(networks_[i].string(), networks[i].string());
  }
}

std::string NetworksByPreset::with_own_names(std::string message) const {
  for (const auto& [link, own] : names_) {
    for (std::size_t at = 0; (at = message.find(link, at)) != std::string::npos;) {
      message.replace(at, link.size(), own);
      at += own.size();
    }
  }
  return message;
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
