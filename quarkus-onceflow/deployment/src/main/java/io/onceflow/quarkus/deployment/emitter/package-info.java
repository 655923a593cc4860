/** Injected {@code OutboxEmitter}s, for applications that have {@code onceflow-messaging}. */
@NullMarked
package io.onceflow.quarkus.deployment.emitter;

import org.jspecify.annotations.NullMarked;
