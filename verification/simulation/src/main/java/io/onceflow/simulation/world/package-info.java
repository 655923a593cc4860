/** The services, the simulated systems around them, and the invariants of every run. */
@NullMarked
package io.onceflow.simulation.world;

import org.jspecify.annotations.NullMarked;
