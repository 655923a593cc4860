/** What a shipment is, what may become of it, and what the commands about it decide. */
@NullMarked
package io.onceflow.shipping.domain;

import org.jspecify.annotations.NullMarked;
