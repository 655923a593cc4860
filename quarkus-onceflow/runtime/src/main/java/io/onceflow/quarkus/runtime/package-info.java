/** What runs in an application that uses the extension. */
@NullMarked
package io.onceflow.quarkus.runtime;

import org.jspecify.annotations.NullMarked;
