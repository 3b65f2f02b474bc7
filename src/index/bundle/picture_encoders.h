// How an index turns pictures into features: what is recorded, and the networks it keeps.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

inline constexpr std::string_view kBuiltinEncoder = "builtin-";  // "builtin-1": with its version

// What makes each of these feature files: the built-in descriptor by its own name, and for every
// other the next of `networks` (FILE.onnx with its sidecar beside it). Empty when one is left
// without; so `networks` may be empty. Throws InputError for a missing file, two of one name, or
// more networks than feature files to use them for.
std::vector<std::string> picture_encoders(const std::vector<std::string>& features,
                                          const std::vector<std::filesystem::path>& networks);
// The same, with the networks and their sidecars copied into `folder`/networks and named so.
std::vector<std::string> store_picture_encoders(const std::vector<std::string>& features,
                                                const std::vector<std::filesystem::path>& networks,
                                                const std::filesystem::path& folder);

// The file beside it (data/encoder_sidecar.h). Throws InputError where there is none.
std::filesystem::path sidecar_of(const std::filesystem::path& network);

}  // namespace hinny
