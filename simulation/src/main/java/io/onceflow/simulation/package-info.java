/** The deterministic simulation: see {@code docs/simulation.md}. */
@NullMarked
package io.onceflow.simulation;

import org.jspecify.annotations.NullMarked;
