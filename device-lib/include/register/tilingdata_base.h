/* Tiling classes of the host: BEGIN_TILING_DATA_DEF and its family.
 *
 * A definition makes a class with set_ and get_ functions. Its bytes are those of the plain structure with the same fields in the same order,
 * as C lays it out, which is what the kernel reads: SaveToBuffer(buffer, capacity), GetDataSize(). A field of another tiling class lies in it
 * as a structure in a structure. Registering a class for an operator has no effect: there is no operator package to look it up.
 */
#ifndef TOPROPE_REGISTER_TILINGDATA_BASE_H
#define TOPROPE_REGISTER_TILINGDATA_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <utility>
#include <vector>

namespace optiling {

/* Where a field lies. The type is for the debug information: from it the checks know the structure that the class writes. */
template <class T>
struct TilingField {
  size_t at;
  operator size_t() const { return at; }
};
template <class T>
struct TilingPart {
  size_t at;
};

/* The bytes of a tiling class, and where its fields lie. */
class TilingDef {
 public:
  virtual ~TilingDef() = default;

  /* Bytes of the structure that the kernel reads. */
  size_t GetDataSize() const { return Rounded(bytes_.size(), align_); }

  /* Copies the structure; a buffer that is too small is left alone. */
  void SaveToBuffer(void* buffer, size_t capacity) const {
    const size_t size = GetDataSize();
    if (buffer == nullptr || capacity < size) return;
    unsigned char* out = static_cast<unsigned char*>(buffer);
    memset(out, 0, size);
    if (!bytes_.empty()) memcpy(out, bytes_.data(), bytes_.size());
    for (const Part& part : parts_) PartAt(part).SaveToBuffer(out + part.offset, size - part.offset);
  }

  /* Takes the fields from a structure of GetDataSize() bytes. */
  void LoadFromBuffer(const void* buffer, size_t size) {
    if (buffer == nullptr || size < bytes_.size()) return;
    const unsigned char* in = static_cast<const unsigned char*>(buffer);
    memcpy(bytes_.data(), in, bytes_.size());
    for (const Part& part : parts_) const_cast<TilingDef&>(PartAt(part)).LoadFromBuffer(in + part.offset, size - part.offset);
  }

  const char* GetTilingClassName() const { return class_name_; }

 protected:
  explicit TilingDef(const char* class_name) : class_name_(class_name) {}

  /* Room for a field: its offset. Called by the fields' initialisers, in the order of the definition. */
  size_t AddField(size_t size, size_t align) {
    const size_t offset = Rounded(bytes_.size(), align);
    bytes_.resize(offset + size);
    if (align > align_) align_ = align;
    return offset;
  }

  /* Room for a structure that is a member of this object. */
  size_t AddPart(const TilingDef& part) {
    const size_t offset = AddField(part.GetDataSize(), part.align_);
    parts_.push_back({reinterpret_cast<const char*>(&part) - reinterpret_cast<const char*>(this), offset});
    return offset;
  }

  template <class T>
  void PutField(size_t offset, const T* values, size_t count) {
    memcpy(bytes_.data() + offset, values, count * sizeof(T));
  }

  template <class T>
  T FieldAt(size_t offset) const {
    T value;
    memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  void* FieldPlace(size_t offset) { return bytes_.data() + offset; }

 private:
  /* A member, by its distance from this object, so that copies of the object have parts of their own. */
  struct Part {
    ptrdiff_t distance;
    size_t offset;
  };

  static size_t Rounded(size_t size, size_t align) { return (size + align - 1) / align * align; }
  const TilingDef& PartAt(const Part& part) const {
    return *reinterpret_cast<const TilingDef*>(reinterpret_cast<const char*>(this) + part.distance);
  }

  const char* class_name_;
  std::vector<unsigned char> bytes_;
  size_t align_ = 1;
  std::vector<Part> parts_;
};

}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name)                  \
  class class_name : public ::optiling::TilingDef {        \
   public:                                                 \
    class_name() : ::optiling::TilingDef(#class_name) {}

#define TILING_DATA_FIELD_DEF(data_type, field_name)                                              \
 public:                                                                                          \
  void set_##field_name(data_type value) { this->PutField(tr_at_##field_name, &value, 1); }       \
  data_type get_##field_name() const { return this->template FieldAt<data_type>(tr_at_##field_name); } \
                                                                                                  \
 private:                                                                                         \
  ::optiling::TilingField<data_type> tr_at_##field_name{this->AddField(sizeof(data_type), alignof(data_type))}; \
                                                                                                  \
 public:

#define TILING_DATA_FIELD_DEF_ARR(arr_type, arr_size, field_name)                                                    \
 public:                                                                                                             \
  void set_##field_name(const arr_type* values) { this->PutField(tr_at_##field_name, values, arr_size); }            \
  arr_type* get_##field_name() { return static_cast<arr_type*>(this->FieldPlace(tr_at_##field_name)); }              \
                                                                                                                     \
 private:                                                                                                            \
  ::optiling::TilingField<arr_type[arr_size]> tr_at_##field_name{this->AddField(sizeof(arr_type) * (arr_size), alignof(arr_type))}; \
                                                                                                                     \
 public:

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
 public:                                                      \
  struct_type field_name;                                     \
                                                              \
 private:                                                     \
  ::optiling::TilingPart<struct_type> tr_at_##field_name{this->AddPart(field_name)}; \
                                                              \
 public:

#define END_TILING_DATA_DEF }

#define REGISTER_TILING_DATA_CLASS(op_type, class_name) static_assert(sizeof(class_name) != 0, "a tiling class");

#endif
