#include "index/asking/found_json.h"

#include <nlohmann/json.hpp>

#include "base/path_text.h"
#include "index/tree/film_frames.h"

namespace hinny {

void put_facts(const Found& found, nlohmann::ordered_json& json) {
  json["score"] = shown_score(found.score);
  if (found.fit) json["fit"] = shown_fit(*found.fit);
  if (const auto at = frame_moment(found.image, found.file)) {
    json["second"] = static_cast<double>(*at) / 1000;
  }
  if (!found.taken.empty()) json["taken"] = found.taken;
  if (!found.taken_from.empty()) json["taken_from"] = found.taken_from;
  if (found.place) {
    json["latitude"] = found.place->latitude;
    json["longitude"] = found.place->longitude;
  }
  if (!found.town.empty()) json["town"] = found.town;
  if (!found.camera.empty()) json["camera"] = found.camera;
  if (!found.lens.empty()) json["lens"] = found.lens;
  if (!found.exposure.empty()) json["exposure"] = found.exposure;
  if (is_known(found.size)) {
    json["width"] = found.size.width;
    json["height"] = found.size.height;
  }
  for (const std::string& name : found.raw) json["raw"].push_back(path_text(name));
}

std::string first_day(const Period& period) { return time_text(period.begin).substr(0, 10); }
std::string last_day(const Period& period) { return time_text(period.end - 1).substr(0, 10); }

nlohmann::ordered_json heard_json(const Answer& answer) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Heard& heard : answer.heard) {
    nlohmann::ordered_json one = {{"text", heard.text}};
    if (heard.taken) {
      one["since"] = first_day(*heard.taken);
      one["until"] = last_day(*heard.taken);
    }
    if (!heard.town.empty()) one["town"] = heard.town;
    if (!heard.camera.empty()) one["camera"] = heard.camera;
    if (!heard.folder.empty()) one["in"] = heard.folder;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace hinny
