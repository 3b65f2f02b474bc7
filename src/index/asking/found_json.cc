#include "index/asking/found_json.h"

#include <nlohmann/json.hpp>

namespace hinny {

void put_facts(const Found& found, nlohmann::ordered_json& json) {
  json["score"] = shown_score(found.score);
  if (found.fit) json["fit"] = shown_fit(*found.fit);
  if (!found.taken.empty()) json["taken"] = found.taken;
  if (!found.taken_from.empty()) json["taken_from"] = found.taken_from;
  if (found.place) {
    json["latitude"] = found.place->latitude;
    json["longitude"] = found.place->longitude;
  }
  if (!found.camera.empty()) json["camera"] = found.camera;
  if (!found.lens.empty()) json["lens"] = found.lens;
}

}  // namespace hinny
