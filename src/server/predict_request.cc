#include "server/predict_request.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "server/http_error.h"
#include "server/multipart.h"
#include "server/search_request.h"
#include "server/url_text.h"

namespace hinny {
namespace {

using nlohmann::json;
using Form = std::map<std::string, std::string>;

// Without a file it may be a form as browsers send it without one.
Form form_of(std::string_view body, std::string_view content_type) {
  Form form;
  if (content_type.starts_with("application/x-www-form-urlencoded")) {
    for (auto& [name, value] : url_fields(body)) form[name] = std::move(value);
    return form;
  }
  for (const FormPart& part : form_parts(body, content_type)) form[part.name] = part.content;
  return form;
}

const json& object_in(const json& all, const char* name) {
  const json& value = all.at(name);
  if (value.is_object()) return value;
  throw HttpError(400,
                  fmt::format("entries: {} is {} (expected an object)", name, value.type_name()));
}

}  // namespace

PredictRequest read_predict_request(std::string_view body, std::string_view content_type) {
  Form form = form_of(body, content_type);
  if (!form.contains("entries")) throw HttpError(400, "entries are missing");
  const json entries = parse_json(form["entries"]);
  for (const auto& [task, types] : entries.items()) {
    if (task == "clip") continue;
    throw HttpError(
        501, fmt::format("the task '{}' is not done here (expected clip)", task.substr(0, 60)));
  }
  if (!entries.contains("clip")) throw HttpError(400, "entries: no task (expected clip)");
  const json& clip = object_in(entries, "clip");
  const bool visual = clip.contains("visual");
  if (clip.size() != 1 || (!visual && !clip.contains("textual"))) {
    throw HttpError(400, "entries: clip is neither of them (expected visual or textual)");
  }
  if (form.contains("text") && form.contains("image")) {
    throw HttpError(400, "both text and image (expected one, as the entries say)");
  }
  const std::string name = visual ? "image" : "text";
  if (!form.contains(name)) throw HttpError(400, fmt::format("{} is missing", name));
  PredictRequest request;
  if (visual) {
    request.input = PictureBytes{std::move(form[name])};
    return request;
  }
  const json& textual = object_in(clip, "textual");
  if (textual.contains("options")) {
    request.language = optional_text(object_in(textual, "options"), "language");
  }
  check_text(name, form[name]);
  request.input = std::move(form[name]);
  return request;
}

}  // namespace hinny
