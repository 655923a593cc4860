/** The payment service: its handlers, and the table of its payments. */
@NullMarked
package io.onceflow.payment;

import org.jspecify.annotations.NullMarked;
