/** Replies from the other services, and what is sent to them. */
@NullMarked
package io.onceflow.order.messaging;

import org.jspecify.annotations.NullMarked;
