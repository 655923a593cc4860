/** Four stories that a running Onceflow demonstrates, each with checks. */
@NullMarked
package io.onceflow.quickstart.demo;

import org.jspecify.annotations.NullMarked;
