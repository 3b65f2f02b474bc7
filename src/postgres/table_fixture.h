// For tests against a real server, which the environment's HINNY_POSTGRES_TEST names
// (tests/postgres/check starts one): an index of forty pictures, and a table that is gone
// afterwards.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "base/npy.h"
#include "data/picture_set_fixture.h"
#include "encoder/model_fixture.h"
#include "index/asking/collection.h"
#include "index/asking/question_fields.h"
#include "index/folder/build_index.h"
#include "index/tree/picture_records.h"
#include "postgres/postgres_engine.h"
#include "postgres/push.h"
#include "tests/scratch.h"

namespace hinny {

class TableTest : public testing::Test {
 protected:
  static constexpr int kPictures = 40;

  void SetUp() override {
    const char* given = std::getenv("HINNY_POSTGRES_TEST");
    if (given == nullptr) GTEST_SKIP() << "needs a server: HINNY_POSTGRES_TEST=postgresql://...";
    address = parse_postgres_address(given);
    address.table =
        std::string("t_") + testing::UnitTest::GetInstance()->current_test_info()->name();
    drop();
    remember();
    model.write(folder / "run");
    write_picture_set(folder / "data", kPictures);
    Random random(9);
    rows.resize(kPictures * 7);
    for (float& number : rows) number = static_cast<float>(random.uniform(-1, 3));
    build();
  }

  void TearDown() override {
    if (!address.table.empty()) drop();
  }

  // The index of these of the pictures, with times.
  void build(const std::vector<int>& images = all_pictures()) {
    write_npy(folder / "data/features/f.npy", rows, {kPictures, 7});
    const Dataset dataset = Dataset::load(folder / "data");
    std::filesystem::remove_all(folder / "index");
    build_index(Model::open(folder / "run"), dataset, Features::open(dataset, "f"),
                {images, "test", {}, WeightType::float32, 100}, folder / "index");
    PictureRecords records{std::filesystem::path(folder) / "data", "0123", {}};
    for (const int image : images) {
      records.files.push_back({"p" + std::to_string(image),
                               1,
                               {},
                               "x",
                               {Taken{1'700'000'000 + image % 7 * 86'400, TakenFrom::exif}},
                               "",
                               ""});
    }
    write_picture_records(folder / "index", records);
    write_checksums(folder / "index");
  }

  static std::vector<int> all_pictures() {
    std::vector<int> all;
    for (int i = 0; i < kPictures; ++i) all.push_back(i);
    return all;
  }

  Index index() const { return Index::open(folder / "index"); }

  PushDone push(PushOptions options = {VectorType::vector}) const {
    return push_index(index(), address, options);
  }
  PushOptions with_template(const std::string& text) const {
    write_file(folder / "template.sql", text);
    PushOptions options{VectorType::vector};
    options.sql = SqlTemplate(folder / "template.sql");
    return options;
  }

  Connection connect() const { return Connection(address.connection, {}); }
  std::string one(const std::string& statement) const {
    return std::string(connect().query(statement).text(0, 0));
  }
  bool is_visible() const {
    return one("SELECT to_regclass('" + quoted() + "') IS NOT NULL") == "t";
  }
  std::string quoted() const { return '"' + address.table + '"'; }

  // What the index answers by itself, and what it answers with the table.
  Collection local() const { return Collection(folder / "index"); }
  Collection elsewhere(PostgresOptions options = {}) const {
    return Collection(folder / "index", {.engine = open_postgres(address, std::move(options))});
  }

  PostgresAddress address;
  ModelFixture model;
  std::vector<float> rows;
  const Scratch folder;

 private:
  void drop() const {
    Connection connection = connect();
    connection.run("DROP TABLE IF EXISTS " + quoted() + ", \"" + address.table + "_push\"");
    if (connection.query("SELECT to_regclass('hinny_collections')").is_null(0, 0)) return;
    connection.run("DELETE FROM hinny_collections WHERE name = '" + address.table + "'");
  }

  // The model remembers made-up hubs, strong enough to change the order.
  void remember() const {
    HubBank bank{6, 0.1, 2, {}};
    Random random(4);
    for (std::vector<float>* side :
         {&bank.spaces["image"].captions, &bank.spaces["image"].images}) {
      for (int i = 0; i < 12 * 6; ++i) side->push_back(static_cast<float>(random.uniform(-1, 1)));
    }
    std::filesystem::create_directories(folder / "run");
    write_hubs(folder / "run" / kHubsFile, bank);
  }
};

}  // namespace hinny
