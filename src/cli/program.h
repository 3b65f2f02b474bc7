// What the programs share: parsing, --threads, exit codes.
#pragma once

namespace hinny {

// Runs one of the verbs that registered themselves in this program.
//   0 done; 1 the work failed; 2 the command line or an input is wrong; 130 interrupted.
int run_program(int argc, char** argv);

}  // namespace hinny
