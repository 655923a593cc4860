/** How this service starts, and what it waits for. */
@NullMarked
package io.onceflow.order.boot;

import org.jspecify.annotations.NullMarked;
