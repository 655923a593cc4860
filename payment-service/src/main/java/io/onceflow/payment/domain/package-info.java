/** What a payment is, what may become of it, and what the commands about it decide. */
@NullMarked
package io.onceflow.payment.domain;

import org.jspecify.annotations.NullMarked;
