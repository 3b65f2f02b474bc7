#include "recipe/section.h"

namespace hinny {

void add_teacher_keys(std::vector<RecipeKey>& keys) {
  const Section<TeacherSettings> teacher(keys, "teacher",
                                         [](Recipe& r) -> TeacherSettings& { return r.teacher; });
  teacher.add("vectors", &TeacherSettings::vectors,
              {.acts_in = kTaught,
               .meaning = "FILE.npy, the teacher's vectors of the sentences in FILE.txt; --teacher "
                          "overrides"});
  teacher.add("language", &TeacherSettings::language,
              {.acts_in = kTaught, .meaning = "language of these sentences; it is learnt too"});
  const Section<TeachingOptions> teaching(
      keys, "teacher", [](Recipe& r) -> TeachingOptions& { return r.model.teaching; });
  teaching.add("squares", &TeachingOptions::squares,
               {.acts_in = kTaught,
                .meaning = "weight of the squared distance between a sentence and the teacher's "
                           "vector, both of unit length",
                .range = {0, kMostWeight},
                .source = "Reimers and Gurevych 2020"});
  teaching.add("contrast", &TeachingOptions::contrast,
               {.acts_in = kTaught,
                .meaning = "weight of InfoNCE between the sentences of a batch and the teacher's "
                           "vectors",
                .range = {0, kMostWeight}});
  teaching.add("temperature", &TeachingOptions::temperature,
               {.acts_in = kTaught,
                .meaning = "of that contrast",
                .range = {1e-3, 1e3},
                .when = on("teacher.contrast")});
}

}  // namespace hinny
