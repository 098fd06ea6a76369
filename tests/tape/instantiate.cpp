// The code of tapes, which the other units leave to this one.
#include <etch/tape/instantiate.hpp>
