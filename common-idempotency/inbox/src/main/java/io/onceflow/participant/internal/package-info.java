/** Turns handler methods into handlers of the inbox. */
@NullMarked
package io.onceflow.participant.internal;

import org.jspecify.annotations.NullMarked;
