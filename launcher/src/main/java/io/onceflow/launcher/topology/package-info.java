/** What applications need of a broker, as definitions that an administrator brings to it. */
@NullMarked
package io.onceflow.launcher.topology;

import org.jspecify.annotations.NullMarked;
