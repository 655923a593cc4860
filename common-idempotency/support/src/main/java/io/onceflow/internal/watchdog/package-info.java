/** Loops say when they last finished a turn; metrics, alerts and liveness watch that. */
@NullMarked
package io.onceflow.internal.watchdog;

import org.jspecify.annotations.NullMarked;
