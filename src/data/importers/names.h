// What file and split names of the known collections mean.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// The image's id in its collection, so that captions and features from different sources join:
//   1000268201_693b08cb0e.jpg (Flickr8k) and 1000268201.jpg (Flickr30K)  ->  1000268201
//   COCO_val2014_000000391895.jpg#771337                                 ->  391895
// Any other name without its folders and its extension.
std::string image_id_of_file(std::string_view name);

// Whether a name ends as a picture's, or its features', file does: ".jpg", in any capitals.
bool names_a_file(std::string_view name);

// train, val, test, then the others by name.
bool split_before(const std::string& a, const std::string& b);

// Without white space (Unicode's, line ends too) around it; UTF-8 below 2 GiB.
std::string_view trimmed(std::string_view text);
// An id without spaces and tabs around it. Other blanks are letters of it, as in ids.txt.
std::string_view trimmed_id(std::string_view text);

}  // namespace hinny
