// The headers that lessons include, read once for them all where `brief` is set. Without it each is compiled as it
// stands.
#include <etch/etch.hpp>

#include <CLI/CLI.hpp>
