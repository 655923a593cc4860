/**
 * Messages recorded in the transaction of the business write, and the relay that publishes them.
 */
@NullMarked
package io.onceflow.outbox;

import org.jspecify.annotations.NullMarked;
