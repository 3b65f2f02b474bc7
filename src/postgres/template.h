// The SQL that Hinny says, in a file that people can read and change: template.sql.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace hinny {

// Safe to share between threads.
class SqlTemplate {
 public:
  // The one that Hinny comes with.
  SqlTemplate();
  // That, with the parts that a file has. Throws InputError for a part that Hinny does not know.
  explicit SqlTemplate(const std::filesystem::path& file);

  using Names = std::map<std::string, std::string, std::less<>>;
  // A part with its {names} filled in. Throws InputError for a name that is not among them.
  std::string fill(std::string_view part, const Names& names) const;

  static std::string_view text();

 private:
  void read(std::string_view text, const std::filesystem::path& file);
  std::map<std::string, std::string, std::less<>> parts_;
};

}  // namespace hinny
