/** Change data capture: committed messages as the log of the database tells them. */
@NullMarked
package io.onceflow.outbox.internal.cdc;

import org.jspecify.annotations.NullMarked;
