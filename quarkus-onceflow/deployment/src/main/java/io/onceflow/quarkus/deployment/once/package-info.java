/** Methods annotated with {@code @Once}, for applications that have {@code onceflow-messaging}. */
@NullMarked
package io.onceflow.quarkus.deployment.once;

import org.jspecify.annotations.NullMarked;
