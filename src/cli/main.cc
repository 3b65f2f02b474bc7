#include "cli/program.h"

int main(int argc, char** argv) { return hinny::run_program(argc, argv); }
