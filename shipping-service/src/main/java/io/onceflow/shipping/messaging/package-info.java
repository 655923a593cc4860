/** Commands from the broker, carried out once each. */
@NullMarked
package io.onceflow.shipping.messaging;

import org.jspecify.annotations.NullMarked;
