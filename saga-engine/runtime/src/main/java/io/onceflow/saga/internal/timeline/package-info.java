/** When the steps of a saga were sent, arrived, started and were answered, across services. */
@NullMarked
package io.onceflow.saga.internal.timeline;

import org.jspecify.annotations.NullMarked;
