#include "text/pca.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hinny {
namespace {

using RowMajorFloats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using RowMajorDoubles = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Floats = Eigen::Map<const RowMajorFloats>;

constexpr Eigen::Index kBlock = 1024;  // rows that are held as doubles at a time

Eigen::MatrixXd covariance(const Floats& rows, const Eigen::VectorXd& mean) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(rows.cols(), rows.cols());
  for (Eigen::Index first = 0; first < rows.rows(); first += kBlock) {
    const Eigen::Index count = std::min(kBlock, rows.rows() - first);
    const Eigen::MatrixXd block =
        rows.middleRows(first, count).cast<double>().rowwise() - mean.transpose();
    sum.noalias() += block.transpose() * block;
  }
  return sum / static_cast<double>(rows.rows() - 1);
}

// An eigenvector's sign is free; this one does not depend on the solver.
template <typename Vector>
void fix_sign(Vector&& component) {
  Eigen::Index largest = 0;
  component.cwiseAbs().maxCoeff(&largest);
  if (component(largest) < 0.0) component = -component;
}

}  // namespace

double Pca::explained_variance_ratio() const {
  double sum = 0.0;
  for (const double value : variance) sum += value;
  return total_variance > 0.0 ? sum / total_variance : 1.0;
}

Pca fit_pca(std::span<const float> rows, std::size_t dim, std::size_t kept) {
  if (kept < 1 || kept > dim) {
    throw InputError(fmt::format("{} principal components of {} numbers", kept, dim),
                     fmt::format("1 to {}", dim));
  }
  const std::size_t words = rows.size() / dim;
  if (words < 2) {
    throw InputError(fmt::format("principal components of {} words", words), "2 words or more");
  }
  const Floats table(rows.data(), static_cast<Eigen::Index>(words), static_cast<Eigen::Index>(dim));
  const Eigen::VectorXd mean = table.cast<double>().colwise().mean();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance(table, mean));
  if (solver.info() != Eigen::Success) throw Failure("no principal components: did not converge");

  Pca pca;
  pca.mean.assign(mean.begin(), mean.end());
  pca.total_variance = solver.eigenvalues().cwiseMax(0.0).sum();
  const auto count = static_cast<Eigen::Index>(kept);
  // Eigen sorts by rising eigenvalue.
  RowMajorDoubles components =
      solver.eigenvectors().rightCols(count).rowwise().reverse().transpose();
  for (Eigen::Index i = 0; i < count; ++i) fix_sign(components.row(i));
  const Eigen::VectorXd variance = solver.eigenvalues().tail(count).reverse().cwiseMax(0.0);
  pca.components.assign(components.data(), components.data() + components.size());
  pca.variance.assign(variance.begin(), variance.end());
  return pca;
}

WordVectors reduce(const WordVectors& vectors, const Pca& pca) {
  const auto dim = static_cast<Eigen::Index>(pca.dim());
  const auto kept = static_cast<Eigen::Index>(pca.kept());
  const Eigen::Map<const RowMajorDoubles> components(pca.components.data(), kept, dim);
  const Eigen::Map<const Eigen::VectorXd> mean(pca.mean.data(), dim);
  WordVectors reduced(pca.kept());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const Eigen::Map<const Eigen::VectorXf> vector(vectors.row(i).data(), dim);
    const Eigen::VectorXf projected =
        (components * (vector.cast<double>() - mean)).template cast<float>();
    reduced.add(vectors.words()[i], std::span(projected.data(), pca.kept()));
  }
  return reduced;
}

Pca whitening(Pca pca) {
  constexpr double kFlat = 1e-8;  // of the largest variance
  const auto is_flat = [&](double variance) { return !(variance > kFlat * pca.variance.front()); };
  const auto useful = static_cast<double>(pca.kept()) -
                      static_cast<double>(std::ranges::count_if(pca.variance, is_flat));
  for (std::size_t k = 0; k < pca.kept(); ++k) {
    const double variance = pca.variance[k];
    const double scale = is_flat(variance) ? 0.0 : 1.0 / std::sqrt(variance * useful);
    for (std::size_t i = 0; i < pca.dim(); ++i) pca.components[k * pca.dim() + i] *= scale;
  }
  return pca;
}

WordVectors whitened(const WordVectors& vectors) {
  WordVectors unit(vectors.dim());
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    std::vector<float> row(vectors.row(i).begin(), vectors.row(i).end());
    double squares = 0;
    for (const float number : row) squares += static_cast<double>(number) * number;
    const auto length = static_cast<float>(std::max(std::sqrt(squares), 1e-12));
    for (float& number : row) number /= length;
    unit.add(vectors.words()[i], row);
  }
  return reduce(unit, whitening(fit_pca(unit.rows(), unit.dim(), unit.dim())));
}

}  // namespace hinny
