/**
 * Orders placed with the three services as processes of their own, on a real PostgreSQL and a real
 * broker: the stories that should happen, the races, the crashes and the rubbish that must not
 * matter. {@link io.onceflow.systemtests.Stack} is where to begin reading.
 */
@NullMarked
package io.onceflow.systemtests;

import org.jspecify.annotations.NullMarked;
