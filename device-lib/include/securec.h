/* The bounded copies that CANN programs take from securec.h: memcpy_s, memmove_s, memset_s, strcpy_s, strncpy_s, strcat_s, sprintf_s, snprintf_s.
 *
 * A call that does not fit its destination changes nothing but, for text, makes the destination empty, and returns an error. Written from the
 * description of C11 Annex K; the error numbers are those that CANN programs compare with.
 */
#ifndef TOPROPE_SECUREC_H
#define TOPROPE_SECUREC_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifndef EOK
#define EOK 0
#endif
#ifndef TOPROPE_ERRNO_T
#define TOPROPE_ERRNO_T
typedef int errno_t;
#endif
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162

static inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  if (dest == NULL || src == NULL) return EINVAL;
  if (destMax == 0 || count > destMax) return ERANGE_AND_RESET;
  memmove(dest, src, count);
  return EOK;
}
static inline errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) { return memcpy_s(dest, destMax, src, count); }
static inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (dest == NULL) return EINVAL;
  if (destMax == 0 || count > destMax) return ERANGE_AND_RESET;
  memset(dest, c, count);
  return EOK;
}
static inline errno_t strncpy_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  size_t length;
  if (strDest == NULL || destMax == 0) return strDest == NULL ? EINVAL : ERANGE;
  if (strSrc == NULL) {
    strDest[0] = '\0';
    return EINVAL_AND_RESET;
  }
  for (length = 0; length < count && strSrc[length] != '\0';) ++length;
  if (length >= destMax) {
    strDest[0] = '\0';
    return ERANGE_AND_RESET;
  }
  memmove(strDest, strSrc, length);
  strDest[length] = '\0';
  return EOK;
}
static inline errno_t strcpy_s(char* strDest, size_t destMax, const char* strSrc) { return strncpy_s(strDest, destMax, strSrc, (size_t)-1); }
static inline errno_t strncat_s(char* strDest, size_t destMax, const char* strSrc, size_t count) {
  size_t used;
  if (strDest == NULL || destMax == 0) return strDest == NULL ? EINVAL : ERANGE;
  for (used = 0; used < destMax && strDest[used] != '\0';) ++used;
  if (used == destMax) {
    strDest[0] = '\0';
    return ERANGE_AND_RESET;
  }
  {
    const errno_t error = strncpy_s(strDest + used, destMax - used, strSrc, count);
    if (error != EOK) strDest[0] = '\0';
    return error;
  }
}
static inline errno_t strcat_s(char* strDest, size_t destMax, const char* strSrc) { return strncat_s(strDest, destMax, strSrc, (size_t)-1); }
static inline int vsnprintf_s(char* strDest, size_t destMax, size_t count, const char* format, va_list args) {
  int length;
  if (strDest == NULL || destMax == 0 || format == NULL) return -1;
  length = vsnprintf(strDest, destMax, format, args);
  if (length < 0 || ((size_t)length >= destMax && count >= destMax)) {
    strDest[0] = '\0';
    return -1;
  }
  if ((size_t)length > count) {
    strDest[count < destMax ? count : destMax - 1] = '\0';
    return -1;
  }
  return length;
}
static inline int vsprintf_s(char* strDest, size_t destMax, const char* format, va_list args) {
  return vsnprintf_s(strDest, destMax, destMax, format, args);
}
static inline int snprintf_s(char* strDest, size_t destMax, size_t count, const char* format, ...) {
  int length;
  va_list args;
  va_start(args, format);
  length = vsnprintf_s(strDest, destMax, count, format, args);
  va_end(args);
  return length;
}
static inline int sprintf_s(char* strDest, size_t destMax, const char* format, ...) {
  int length;
  va_list args;
  va_start(args, format);
  length = vsnprintf_s(strDest, destMax, destMax, format, args);
  va_end(args);
  return length;
}

#endif
