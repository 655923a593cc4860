/** What may be said to a service over a bare connection, and what it may cost. */
@NullMarked
package io.onceflow.order.wire;

import org.jspecify.annotations.NullMarked;
