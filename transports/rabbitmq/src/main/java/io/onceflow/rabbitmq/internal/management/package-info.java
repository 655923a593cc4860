/** What the broker does to queues: its policies and bindings, as far as a service sees them. */
@NullMarked
package io.onceflow.rabbitmq.internal.management;

import org.jspecify.annotations.NullMarked;
