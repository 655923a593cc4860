/** Servers that applications under development have in common, where there are no containers. */
@NullMarked
package io.onceflow.launcher.shared;

import org.jspecify.annotations.NullMarked;
