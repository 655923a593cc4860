/** The database server under measurement, as its superuser sees it. */
@NullMarked
package io.onceflow.benchmarks.sql;

import org.jspecify.annotations.NullMarked;
