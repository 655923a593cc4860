/** How this service starts, and what it waits for. */
@NullMarked
package io.onceflow.payment.boot;

import org.jspecify.annotations.NullMarked;
