/* Asks an index from C:  ask INDEX "ein Hund springt ins Wasser" */
#include <hinny.h>
#include <stdio.h>

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s INDEX QUESTION\n", argv[0]);
    return 2;
  }
  hinny_error error = {HINNY_OK, ""};
  hinny_answer* answer = NULL;
  hinny_collection* photos = hinny_collection_open(argv[1], &error);
  hinny_question* question = hinny_question_new();
  if (photos != NULL && question != NULL &&
      hinny_question_sentence(question, argv[2], NULL, &error) == HINNY_OK &&
      hinny_question_set(question, "k", "5", &error) == HINNY_OK) {
    answer = hinny_collection_search(photos, question, &error);
  }
  for (size_t i = 0; i < hinny_answer_size(answer); ++i) {
    printf("%.6f %s %s\n", (double)hinny_answer_score(answer, i), hinny_answer_id(answer, i),
           hinny_answer_file(answer, i));
  }
  if (answer == NULL) fprintf(stderr, "error: %s\n", error.message);
  hinny_answer_free(answer);
  hinny_question_free(question);
  hinny_collection_free(photos);
  return error.status == HINNY_OK ? 0 : error.status == HINNY_MACHINE ? 1 : 2;
}
