// What every program here includes, read once for each compiler.
#include <etch/etch.hpp>
