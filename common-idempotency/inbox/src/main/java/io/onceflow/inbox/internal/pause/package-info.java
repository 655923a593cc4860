/** Pausing a participant: its replicas take no commands until it is resumed. */
@NullMarked
package io.onceflow.inbox.internal.pause;

import org.jspecify.annotations.NullMarked;
