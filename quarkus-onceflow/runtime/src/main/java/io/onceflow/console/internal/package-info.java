/** Serves the operators' page, and signs its users in. */
@NullMarked
package io.onceflow.console.internal;

import org.jspecify.annotations.NullMarked;
