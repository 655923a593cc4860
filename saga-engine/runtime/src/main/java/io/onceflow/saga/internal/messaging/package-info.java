/** Replies from the other services, and what is sent to them. */
@NullMarked
package io.onceflow.saga.internal.messaging;

import org.jspecify.annotations.NullMarked;
