#include "index/pictures/store_picture_model.h"

#include "base/folders.h"
#include "index/bundle/picture_encoders.h"
#include "index/folder/index_entries.h"

namespace hinny {

IndexContents store_picture_model(const PictureModel& model, WeightType weights,
                                  const std::filesystem::path& index) {
  const ModelConfig& config = model.model().config();
  const std::filesystem::path encoder = index / "encoder";
  create_folder(encoder);
  if (model.is_bundle()) {
    copy_model(model.model(), encoder);
  } else {
    export_model(model.model(), weights, encoder);
  }
  IndexContents contents = contents_by(Model::open(encoder), "pictures", config.features.names);
  contents.encoders = store_picture_encoders(config.features.part_names(), model.networks(), index);
  return contents;
}

}  // namespace hinny
