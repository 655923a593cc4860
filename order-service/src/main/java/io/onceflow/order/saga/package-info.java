/** How an order is placed across the services, and undone. */
@NullMarked
package io.onceflow.order.saga;

import org.jspecify.annotations.NullMarked;
