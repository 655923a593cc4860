/** Concurrent callers' work, done together. */
@NullMarked
package io.onceflow.batch;

import org.jspecify.annotations.NullMarked;
