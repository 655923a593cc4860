/** One thread, one virtual clock, and tasks that can be suspended between any two steps. */
@NullMarked
package io.onceflow.simulation.kernel;

import org.jspecify.annotations.NullMarked;
