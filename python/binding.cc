// _hinny: the C++ interface for Python. What users see is python/hinny/, which shapes arguments and
// documents; here arrays become spans, errors Python's, and the GIL is let go while Hinny works.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cerrno>

#include "hinny/hinny.hpp"

namespace py = pybind11;

namespace {

using Floats = py::array_t<float, py::array::c_style | py::array::forcecast>;
using Owners = py::array_t<int, py::array::c_style | py::array::forcecast>;
using Texts = std::vector<std::string>;

template <typename Array>
auto span_of(const Array& array) {
  return std::span(array.data(), static_cast<std::size_t>(array.size()));
}

// As os.fsdecode does it, for a name that is no UTF-8.
py::str path_of(const std::string& path) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeFSDefaultAndSize(path.data(), static_cast<py::ssize_t>(path.size())));
}

// [rows, dim], without a copy: the array keeps the numbers.
py::array_t<float> array_of(hinny::Vectors&& vectors) {
  auto* const kept = new hinny::Vectors(std::move(vectors));
  const py::capsule owner(kept, [](void* p) { delete static_cast<hinny::Vectors*>(p); });
  return py::array_t<float>({kept->rows, kept->dim}, kept->values.data(), owner);
}

py::array_t<float> view_of(hinny::VectorView&& vectors) {
  auto* const kept = new hinny::VectorView(std::move(vectors));
  const py::capsule owner(kept, [](void* p) { delete static_cast<hinny::VectorView*>(p); });
  py::array_t<float> view({kept->rows, kept->dim}, {kept->stride * sizeof(float), sizeof(float)},
                          kept->data, owner);
  view.attr("setflags")(py::arg("write") = false);
  return view;
}

hinny::Question question_of(const std::vector<std::pair<std::string, std::string>>& fields,
                            const std::vector<Floats>& features) {
  hinny::Question question;
  for (const auto& [name, value] : fields) question.set(name, value);
  for (const Floats& one : features) {
    const auto numbers = span_of(one);
    question.features.emplace_back(numbers.begin(), numbers.end());
  }
  return question;
}

void bind_model(py::module_& module) {
  using hinny::Model;
  py::class_<Model>(module, "Model")
      .def(py::init<const std::string&>(), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("dim", &Model::dim)
      .def_property_readonly("feature_size", &Model::feature_size)
      .def_property_readonly("languages", &Model::languages)
      .def_property_readonly("hash", &Model::hash)
      .def("encode",
           [](const Model& model, const Texts& sentences, const Texts& languages) {
             hinny::Vectors vectors;
             {
               const py::gil_scoped_release released;
               vectors = model.encode(sentences, languages);
             }
             return array_of(std::move(vectors));
           })
      .def("guess_languages",
           [](const Model& model, const Texts& sentences) {
             const py::gil_scoped_release released;
             return model.guess_languages(sentences);
           })
      .def("encode_features",
           [](const Model& model, const Floats& features, const std::string& language) {
             hinny::Vectors vectors;
             const auto numbers = span_of(features);
             {
               const py::gil_scoped_release released;
               vectors = model.encode_features(numbers, language);
             }
             return array_of(std::move(vectors));
           });
}

// What pickles of these hold: their members in order. A file's name may be any bytes.
py::tuple state_of(const hinny::Explanation::Word& word) {
  return py::make_tuple(word.text, word.share, word.regions);
}
py::tuple state_of(const hinny::Explanation& explanation) {
  return py::make_tuple(explanation.words, explanation.regions, explanation.grid_rows,
                        explanation.grid_columns);
}
py::tuple state_of(const hinny::Result& result) {
  py::list raw;
  for (const std::string& name : result.raw) raw.append(py::bytes(name));
  return py::make_tuple(result.id, py::bytes(result.file), result.score, result.taken,
                        result.explanation, result.copies, result.fit, result.place, result.camera,
                        result.lens, raw, result.town, result.second, result.exposure, result.width,
                        result.height);
}
py::tuple state_of(const hinny::Heard& heard) {
  return py::make_tuple(heard.text, heard.since, heard.until, heard.camera, heard.folder,
                        heard.town);
}
py::tuple state_of(const hinny::Answer& answer) {
  return py::make_tuple(answer.language, answer.unknown_words, answer.results, answer.heard);
}

// Pickling of Value, whose members these are in order.
template <typename Value, typename... Members>
auto pickled() {
  return py::pickle([](const Value& value) { return state_of(value); },
                    [](const py::tuple& state) {
                      if (state.size() != sizeof...(Members)) {
                        throw py::value_error("a pickle of another version of hinny");
                      }
                      std::size_t i = 0;
                      return Value{state[i++].cast<Members>()...};
                    });
}

void bind_answers(py::module_& module) {
  using Word = hinny::Explanation::Word;
  using Numbers = std::vector<float>;
  py::class_<Word>(module, "Word")
      .def(pickled<Word, std::string, float, Numbers>())
      .def_readonly("text", &hinny::Explanation::Word::text)
      .def_readonly("share", &hinny::Explanation::Word::share)
      .def_readonly("regions", &hinny::Explanation::Word::regions);
  py::class_<hinny::Explanation>(module, "Explanation")
      .def(pickled<hinny::Explanation, std::vector<Word>, Numbers, std::size_t, std::size_t>())
      .def_readonly("words", &hinny::Explanation::words)
      .def_readonly("regions", &hinny::Explanation::regions)
      .def_property_readonly("grid", [](const hinny::Explanation& explanation) {
        return std::pair(explanation.grid_rows, explanation.grid_columns);
      });
  py::class_<hinny::Result>(module, "Result")
      .def(pickled<hinny::Result, std::string, std::string, float, std::string,
                   std::optional<hinny::Explanation>, std::vector<hinny::Result>,
                   std::optional<double>, std::optional<std::pair<double, double>>, std::string,
                   std::string, std::vector<std::string>, std::string, std::optional<double>,
                   std::string, std::int64_t, std::int64_t>())
      .def_readonly("id", &hinny::Result::id)
      .def_property_readonly("file",
                             [](const hinny::Result& result) { return path_of(result.file); })
      .def_readonly("score", &hinny::Result::score)
      .def_readonly("taken", &hinny::Result::taken)
      .def_readonly("explanation", &hinny::Result::explanation)
      .def_readonly("copies", &hinny::Result::copies)
      .def_readonly("fit", &hinny::Result::fit)
      .def_readonly("place", &hinny::Result::place)
      .def_readonly("camera", &hinny::Result::camera)
      .def_readonly("lens", &hinny::Result::lens)
      .def_readonly("town", &hinny::Result::town)
      .def_readonly("second", &hinny::Result::second)
      .def_readonly("exposure", &hinny::Result::exposure)
      .def_property_readonly("size",
                             [](const hinny::Result& result) -> std::optional<py::tuple> {
                               if (result.width == 0 || result.height == 0) return std::nullopt;
                               return py::make_tuple(result.width, result.height);
                             })
      .def_property_readonly("raw", [](const hinny::Result& result) {
        py::list names;
        for (const std::string& name : result.raw) names.append(path_of(name));
        return names;
      });
  py::class_<hinny::Heard>(module, "Heard")
      .def(pickled<hinny::Heard, std::string, std::string, std::string, std::string, std::string,
                   std::string>())
      .def_readonly("text", &hinny::Heard::text)
      .def_readonly("since", &hinny::Heard::since)
      .def_readonly("until", &hinny::Heard::until)
      .def_readonly("camera", &hinny::Heard::camera)
      .def_readonly("folder", &hinny::Heard::folder)
      .def_readonly("town", &hinny::Heard::town);
  py::class_<hinny::Answer>(module, "Answer")
      .def(pickled<hinny::Answer, std::string, Texts, std::vector<hinny::Result>,
                   std::vector<hinny::Heard>>())
      .def_readonly("language", &hinny::Answer::language)
      .def_readonly("unknown_words", &hinny::Answer::unknown_words)
      .def_readonly("results", &hinny::Answer::results)
      .def_readonly("heard", &hinny::Answer::heard);
}

// add and update: (added, changed, removed, kept).
auto changed_by(hinny::Change (hinny::Collection::*how)(const std::string&,
                                                        std::span<const std::string>)) {
  return [how](hinny::Collection& collection, const std::string& dataset, const Texts& splits) {
    hinny::Change done;
    {
      const py::gil_scoped_release released;
      done = (collection.*how)(dataset, splits);
    }
    return py::make_tuple(done.added, done.changed, done.removed, done.kept);
  };
}

void bind_collection(py::module_& module) {
  using hinny::Collection;
  py::class_<Collection>(module, "Collection")
      .def(py::init<const std::string&>(), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("size", &Collection::size)
      .def_property_readonly("dim", &Collection::dim)
      .def_property_readonly("languages", &Collection::languages)
      .def_property_readonly("model_hash", &Collection::model_hash)
      .def_property_readonly("ids", &Collection::ids)
      .def("file", [](const Collection& collection,
                      const std::string& id) { return path_of(collection.file(id)); })
      .def("vectors",
           [](const Collection& collection, const std::string& language) {
             return view_of(collection.vectors(language));
           })
      .def("search",
           [](const Collection& collection, const Texts& sentences,
              const std::vector<std::pair<std::string, std::string>>& fields,
              const std::vector<Floats>& features) {
             const hinny::Question question = question_of(fields, features);
             const py::gil_scoped_release released;
             return collection.search(sentences, question);
           })
      .def("nearest",
           [](const Collection& collection, const Floats& vectors,
              const std::vector<std::pair<std::string, std::string>>& fields) {
             const hinny::Question question = question_of(fields, {});
             const auto numbers = span_of(vectors);
             const py::gil_scoped_release released;
             return collection.nearest(numbers, question);
           })
      .def("add", changed_by(&Collection::add))
      .def("update", changed_by(&Collection::update))
      .def("remove",
           [](Collection& collection, const Texts& ids) {
             const py::gil_scoped_release released;
             collection.remove(ids);
           })
      .def("reload", &Collection::reload, py::call_guard<py::gil_scoped_release>());
}

void bind_recall(py::module_& module) {
  module.def("recall", [](const Floats& images, const Floats& captions, const Owners& owners,
                          std::size_t dim) {
    const auto i = span_of(images), c = span_of(captions);
    const auto o = span_of(owners);
    hinny::Recall found;
    {
      const py::gil_scoped_release released;
      found = hinny::recall(i, c, o, dim);
    }
    return py::make_tuple(found.image_to_text_r1, found.image_to_text_r5, found.image_to_text_r10,
                          found.text_to_image_r1, found.text_to_image_r5, found.text_to_image_r10,
                          found.mean);
  });
}

}  // namespace

PYBIND11_MODULE(_hinny, module) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const hinny::NotFoundError& error) {
      PyErr_SetObject(PyExc_FileNotFoundError, py::make_tuple(ENOENT, error.what()).ptr());
    } catch (const hinny::InputError& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (const hinny::MachineError& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
  module.def("version", &hinny::version);
  bind_model(module);
  bind_answers(module);
  bind_collection(module);
  bind_recall(module);
}
