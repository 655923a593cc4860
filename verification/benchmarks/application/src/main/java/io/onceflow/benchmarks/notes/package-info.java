/**
 * An application whose only business is to insert one row, guarded in each mode and not at all. It
 * takes the guard as any application outside this project would.
 */
@NullMarked
package io.onceflow.benchmarks.notes;

import org.jspecify.annotations.NullMarked;
