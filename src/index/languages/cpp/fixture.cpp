#include <vector>
#include "shape/base.hpp"
LIB_BEGIN_NAMESPACE
namespace geo::detail { inline int hidden() { return 1; } }

namespace geo {
class Forward;
using Points = std::vector<Point>;

/// A shape. class Fake {};
template <typename T, std::size_t N = 2>
class LIB_API Shape final : public Base<T>, private virtual ns::Mixin {
    int secret_;
    static constexpr int kMax = 3;
public:
    explicit Shape(int id) : secret_(id), data_{} {}
    Shape(const Shape &) = delete;
    virtual ~Shape() noexcept override;
    virtual double area() const = 0;
    static Shape *make(int id);
    T &operator[](std::size_t i) { return data_[i]; }
    operator bool() const { return secret_ != 0; }
    template <class U> auto map(U fn) -> decltype(fn(T{})) { return fn(data_[0]); }
    enum class Color : unsigned char { Red, Green = 2 };
    struct Nested { Nested *next; struct Deep { int z; }; };
    friend class Builder;
protected:
    T data_[N];
private:
    void reset();
};

template <typename T> concept Small = sizeof(T) < 8;
}  // namespace geo

template <typename T, std::size_t N>
geo::Shape<T, N>::~Shape() noexcept {}

double geo::Circle::area() const {
    auto scale = [this](double r) { return r * this->radius; };
    if (radius > 0) { for (auto &p : points) { try { p.move(1); } catch (...) {} } }
    return scale(2) + geo::detail::hidden();
}

bool operator==(const geo::Circle &a, const geo::Circle &b) { return a.area() == b.area(); }
int geo::Circle::count = 0;
typedef void (*Callback)(int);
extern "C" { void c_entry(int); int c_impl() { return 0; } }
const char *text = R"x(class Raw { void f(); };)x";
union Bits { int i; float f; };
#define DECLARE(name) class name {}
constexpr int kLimit = 10;
static int internal_only() { return kLimit; }

TEST(Shape, Area) { geo::Circle c; c.area(); }  // FIXME flaky

class Broken { void a( ; int b; };
int after_broken() { return 1; }
