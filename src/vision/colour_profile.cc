#include "vision/colour_profile.h"

#include <lcms2.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

namespace hinny {
namespace {

struct CloseProfile {
  void operator()(void* profile) const { cmsCloseProfile(profile); }
};
using Profile = std::unique_ptr<void, CloseProfile>;

constexpr std::size_t kLargestProfile = std::size_t{4} << 20U;  // the largest in use have 3 MB

class Transform : public ColourTransform {
 public:
  Transform(cmsHTRANSFORM transform, bool grey) : transform_(transform), grey_(grey) {}
  ~Transform() override { cmsDeleteTransform(transform_); }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  void row(const std::uint8_t* from, std::uint8_t* to, std::size_t pixels) const override {
    if (!grey_) return cmsDoTransform(transform_, from, to, static_cast<cmsUInt32Number>(pixels));
    std::vector<std::uint8_t> greys(pixels);
    for (std::size_t i = 0; i < pixels; ++i) greys[i] = from[3 * i];
    cmsDoTransform(transform_, greys.data(), to, static_cast<cmsUInt32Number>(pixels));
  }

 private:
  cmsHTRANSFORM transform_;
  bool grey_;
};

// Whether no colour changes by more than one can see: profiles of sRGB differ by their rounding.
bool changes_nothing(const ColourTransform& transform, bool grey) {
  constexpr int kMostChange = 3, kStep = 51;
  std::vector<std::uint8_t> from;
  for (int red = 0; red <= 255; red += kStep) {
    for (int green = 0; green <= 255; green += kStep) {
      for (int blue = 0; blue <= 255; blue += kStep) {
        for (const int value : {red, grey ? red : green, grey ? red : blue})
          from.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  std::vector<std::uint8_t> to(from.size());
  transform.row(from.data(), to.data(), from.size() / 3);
  return std::ranges::equal(from, to, [](int a, int b) { return std::abs(a - b) <= kMostChange; });
}

std::shared_ptr<const ColourTransform> to_srgb(cmsHPROFILE from, Channels channels) {
  const cmsColorSpaceSignature space = cmsGetColorSpace(from);
  const bool grey = channels == Channels::rgb && space == cmsSigGrayData;
  const bool cmyk = channels == Channels::cmyk && space == cmsSigCmykData;
  if (!grey && !cmyk && (channels != Channels::rgb || space != cmsSigRgbData)) return nullptr;
  const Profile srgb(cmsCreate_sRGBProfile());
  const cmsHTRANSFORM made = cmsCreateTransform(
      from, cmyk ? TYPE_CMYK_8_REV : (grey ? TYPE_GRAY_8 : TYPE_RGB_8), srgb.get(), TYPE_RGB_8,
      INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE);  // its cache is not for several threads
  if (made == nullptr) return nullptr;
  auto transform = std::make_shared<Transform>(made, grey);
  if (!cmyk && changes_nothing(*transform, grey)) return nullptr;
  return transform;
}

// The latest ones: the pictures of one camera have the same profile.
class Cache {
 public:
  std::shared_ptr<const ColourTransform> get(std::span<const std::byte> profile,
                                             Channels channels) {
    const std::string bytes(reinterpret_cast<const char*>(profile.data()), profile.size());
    {
      const std::lock_guard guard(lock_);
      for (const Entry& entry : entries_) {
        if (entry.channels == channels && entry.profile == bytes) return entry.transform;
      }
    }
    const Profile opened(
        cmsOpenProfileFromMem(bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
    auto made = opened == nullptr ? nullptr : to_srgb(opened.get(), channels);
    const std::lock_guard guard(lock_);
    entries_.push_front({bytes, channels, made});
    if (entries_.size() > kMostKept) entries_.pop_back();
    return made;
  }

 private:
  static constexpr std::size_t kMostKept = 8;
  struct Entry {
    std::string profile;
    Channels channels;
    std::shared_ptr<const ColourTransform> transform;
  };
  std::mutex lock_;
  std::deque<Entry> entries_;
};

}  // namespace

std::shared_ptr<const ColourTransform> transform_of(std::span<const std::byte> profile,
                                                    Channels channels) {
  static Cache cache;
  if (profile.empty() || profile.size() > kLargestProfile) return nullptr;
  return cache.get(profile, channels);
}

std::shared_ptr<const ColourTransform> transform_of(const Primaries& primaries, double gamma) {
  const cmsCIExyY white{primaries.white[0], primaries.white[1], 1};
  const cmsCIExyYTRIPLE colours{{primaries.red[0], primaries.red[1], 1},
                                {primaries.green[0], primaries.green[1], 1},
                                {primaries.blue[0], primaries.blue[1], 1}};
  const std::array<cmsFloat64Number, 5> srgb = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve* curve = gamma > 0 ? cmsBuildGamma(nullptr, gamma)
                                  : cmsBuildParametricToneCurve(nullptr, 4, srgb.data());
  if (curve == nullptr) return nullptr;
  std::array<cmsToneCurve*, 3> curves = {curve, curve, curve};
  const Profile made(cmsCreateRGBProfile(&white, &colours, curves.data()));
  cmsFreeToneCurve(curve);
  return made == nullptr ? nullptr : to_srgb(made.get(), Channels::rgb);
}

void lab_to_srgb(std::span<const double> lab, std::span<std::uint8_t> rgb) {
  static const std::shared_ptr<void> transform = [] {
    const Profile from(cmsCreateLab4Profile(nullptr)), to(cmsCreate_sRGBProfile());
    return std::shared_ptr<void>(cmsCreateTransform(from.get(), TYPE_Lab_DBL, to.get(), TYPE_RGB_8,
                                                    INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE),
                                 [](void* made) { cmsDeleteTransform(made); });
  }();
  cmsDoTransform(transform.get(), lab.data(), rgb.data(),
                 static_cast<cmsUInt32Number>(rgb.size() / 3));
}

}  // namespace hinny
