/** The services, their surroundings, and what must hold whatever happens. */
@NullMarked
package io.onceflow.simulation.world;

import org.jspecify.annotations.NullMarked;
