/** Checks a running installation: its laws, read from its databases. */
@NullMarked
package io.onceflow.launcher.check;

import org.jspecify.annotations.NullMarked;
