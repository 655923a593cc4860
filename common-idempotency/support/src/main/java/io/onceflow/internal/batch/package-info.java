/** Concurrent callers' work, done together. */
@NullMarked
package io.onceflow.internal.batch;

import org.jspecify.annotations.NullMarked;
