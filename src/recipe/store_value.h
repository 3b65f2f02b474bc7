// Values of settings, from TOML and from each other.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "recipe/keys.h"

namespace hinny {

// Throws InputError for a value of another type, and for a choice that there is not; `where` is the
// place of `key`, for the message.
void store_value(const Setting& setting, const toml::node& node, const std::string& key,
                 const std::string& where);

// Both are of one key.
void copy_value(const Setting& from, const Setting& to);

}  // namespace hinny
