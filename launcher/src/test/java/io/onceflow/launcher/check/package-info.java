@NullMarked
package io.onceflow.launcher.check;

import org.jspecify.annotations.NullMarked;
