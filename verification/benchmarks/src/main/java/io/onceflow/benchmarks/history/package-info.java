/** Old rows, such as years of finished sagas leave behind. */
@NullMarked
package io.onceflow.benchmarks.history;

import org.jspecify.annotations.NullMarked;
