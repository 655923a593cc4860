/** How scans of tables that are queues find where to begin. */
@NullMarked
package io.onceflow.internal.queue;

import org.jspecify.annotations.NullMarked;
