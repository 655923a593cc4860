/** What the build of an application does that uses the extension. */
@NullMarked
package io.onceflow.quarkus.deployment;

import org.jspecify.annotations.NullMarked;
