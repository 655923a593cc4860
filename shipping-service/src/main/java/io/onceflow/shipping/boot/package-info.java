/** How this service starts, and what it waits for. */
@NullMarked
package io.onceflow.shipping.boot;

import org.jspecify.annotations.NullMarked;
