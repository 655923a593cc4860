/** Where one saga spends its time, from its request until its order is confirmed. */
@NullMarked
package io.onceflow.benchmarks.timeline;

import org.jspecify.annotations.NullMarked;
