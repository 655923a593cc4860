/**
 * Tests of orders with the three services as separate processes, on a real PostgreSQL and a real
 * broker: normal orders, races, crashes and invalid input. {@link io.onceflow.systemtests.Stack} is
 * where to begin reading.
 */
@NullMarked
package io.onceflow.systemtests;

import org.jspecify.annotations.NullMarked;
