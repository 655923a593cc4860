/** What a transport implements, and the bundles in which it may send messages. */
@NullMarked
package io.onceflow.outbox.internal.transport;

import org.jspecify.annotations.NullMarked;
