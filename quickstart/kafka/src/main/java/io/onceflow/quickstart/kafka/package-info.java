/** A Kafka broker for trying out. */
@NullMarked
package io.onceflow.quickstart.kafka;

import org.jspecify.annotations.NullMarked;
