// The headers that pages and lessons include, read once for them all where `brief` is set. Without it each is compiled
// as it is shown.
#include <etch/etch.hpp>
