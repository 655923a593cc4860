/** The relay: publishes committed messages, directly after the commit or by polling. */
@NullMarked
package io.onceflow.outbox.internal.relay;

import org.jspecify.annotations.NullMarked;
