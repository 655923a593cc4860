/** Kafka by its native clients, as a transport. */
@NullMarked
package io.onceflow.kafka.internal;

import org.jspecify.annotations.NullMarked;
