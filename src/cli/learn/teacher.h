// --teacher with a model that reads sentences, in place of vectors that somebody made by hand.
#pragma once

#include "cli/learn/train_recipe.h"

namespace hinny {

// Where `arguments` name such a model (a bundle, a folder or an archive): writes its vectors of the
// dataset's sentences in the teacher's language into the run folder, as docs/formats/teacher.md has
// them, and names them in the recipe, with the model's features where it names none. What a resumed
// training has there stays. Nothing for a file of vectors. Throws InputError for a model that lacks
// the language, or a dataset that does.
void make_teacher_vectors(const TrainArguments& arguments, Recipe& recipe);

}  // namespace hinny
