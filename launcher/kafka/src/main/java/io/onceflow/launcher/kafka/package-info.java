/** A Kafka broker for trying out. */
@NullMarked
package io.onceflow.launcher.kafka;

import org.jspecify.annotations.NullMarked;
