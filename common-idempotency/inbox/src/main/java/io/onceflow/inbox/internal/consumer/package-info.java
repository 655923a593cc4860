/** Consumes messages in batches and acknowledges them after the commit. */
@NullMarked
package io.onceflow.inbox.internal.consumer;

import org.jspecify.annotations.NullMarked;
