/** Servers that an application gets in development and in tests, when it names none. */
@NullMarked
package io.onceflow.quarkus.deployment.devservices;

import org.jspecify.annotations.NullMarked;
