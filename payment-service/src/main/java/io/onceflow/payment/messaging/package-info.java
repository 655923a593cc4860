/** Commands from the broker, carried out once each. */
@NullMarked
package io.onceflow.payment.messaging;

import org.jspecify.annotations.NullMarked;
