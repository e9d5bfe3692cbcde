/* Capabilities of an AArch64 processor beyond its base, as the system reports them. */
#ifndef PRFAST_ISA_HWCAP_H
#define PRFAST_ISA_HWCAP_H

#if defined(__linux__)

#include <sys/auxv.h>
/* Bits of the kernel's words, by its promise to programs; headers of old systems lack the names. */
#define HAS_DOTPROD() (getauxval(16 /* AT_HWCAP */) >> 20 & 1)
#define HAS_I8MM() (getauxval(26 /* AT_HWCAP2 */) >> 13 & 1)

#elif defined(__APPLE__)

#include <stddef.h>
#include <sys/sysctl.h>
static inline int has(const char *feature)
{
    int it = 0;
    size_t size = sizeof it;
    return sysctlbyname(feature, &it, &size, NULL, 0) == 0 && it;
}
#define HAS_DOTPROD() has("hw.optional.arm.FEAT_DotProd")
#define HAS_I8MM() has("hw.optional.arm.FEAT_I8MM")

#else /* what the whole program is compiled for */

#if defined(__ARM_FEATURE_DOTPROD)
#define HAS_DOTPROD() 1
#else
#define HAS_DOTPROD() 0
#endif
#if defined(__ARM_FEATURE_MATMUL_INT8)
#define HAS_I8MM() 1
#else
#define HAS_I8MM() 0
#endif

#endif

#endif
