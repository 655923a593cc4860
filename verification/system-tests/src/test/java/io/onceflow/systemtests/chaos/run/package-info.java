/** Customers, the nemesis, what they do to each other, and the look at what has come of it. */
@NullMarked
package io.onceflow.systemtests.chaos.run;

import org.jspecify.annotations.NullMarked;
