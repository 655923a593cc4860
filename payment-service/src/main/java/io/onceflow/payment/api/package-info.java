/** What others may ask this service over HTTP: payments, and what it could not handle. */
@NullMarked
package io.onceflow.payment.api;

import org.jspecify.annotations.NullMarked;
