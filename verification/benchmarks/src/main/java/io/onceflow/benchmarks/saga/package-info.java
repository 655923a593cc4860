/** The saga benchmark: orders over HTTP, through broker and services, until they are confirmed. */
@NullMarked
package io.onceflow.benchmarks.saga;

import org.jspecify.annotations.NullMarked;
