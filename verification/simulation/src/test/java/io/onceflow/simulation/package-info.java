/** Runs of the simulation. */
@NullMarked
package io.onceflow.simulation;

import org.jspecify.annotations.NullMarked;
