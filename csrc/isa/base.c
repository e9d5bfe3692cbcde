/* The engine for every processor of its kind: SSE2, NEON or plain C. */
#define NAME(stem) stem##_base
#include "engine/engine.h"
