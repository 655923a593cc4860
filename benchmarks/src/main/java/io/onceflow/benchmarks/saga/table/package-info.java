/** Rows that the saga benchmark puts into the services' tables by SQL. */
@NullMarked
package io.onceflow.benchmarks.saga.table;

import org.jspecify.annotations.NullMarked;
