/** How scans of tables that are queues find where to start. */
@NullMarked
package io.onceflow.internal.queue;

import org.jspecify.annotations.NullMarked;
