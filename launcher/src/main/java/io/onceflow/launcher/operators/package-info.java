/** What operators do from a shell, by the public API: sagas, repairs, parked messages. */
@NullMarked
package io.onceflow.launcher.operators;

import org.jspecify.annotations.NullMarked;
