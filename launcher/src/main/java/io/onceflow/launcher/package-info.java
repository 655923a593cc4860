/** The launcher: one command line over the packages beside it. */
@NullMarked
package io.onceflow.launcher;

import org.jspecify.annotations.NullMarked;
