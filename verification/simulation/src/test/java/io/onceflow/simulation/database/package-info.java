/** What the simulated database promises. */
@NullMarked
package io.onceflow.simulation.database;

import org.jspecify.annotations.NullMarked;
