/** The outbox table, and the unit of work that writes it with the business rows. */
@NullMarked
package io.onceflow.outbox.internal;

import org.jspecify.annotations.NullMarked;
