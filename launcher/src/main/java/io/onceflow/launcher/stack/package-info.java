/**
 * The whole system on this machine: what has to run, in which order it starts and stops, and what
 * is known about it from one command to the next.
 */
@NullMarked
package io.onceflow.launcher.stack;

import org.jspecify.annotations.NullMarked;
