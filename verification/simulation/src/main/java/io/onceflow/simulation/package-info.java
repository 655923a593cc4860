/** The deterministic simulation: see {@code docs/internals/simulation.md}. */
@NullMarked
package io.onceflow.simulation;

import org.jspecify.annotations.NullMarked;
