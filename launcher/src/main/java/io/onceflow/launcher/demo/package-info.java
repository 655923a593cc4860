/** Four stories that a running Onceflow demonstrates, each with checks. */
@NullMarked
package io.onceflow.launcher.demo;

import org.jspecify.annotations.NullMarked;
