/** What an application has in development mode alone. */
@NullMarked
package io.onceflow.quarkus.runtime.dev;

import org.jspecify.annotations.NullMarked;
