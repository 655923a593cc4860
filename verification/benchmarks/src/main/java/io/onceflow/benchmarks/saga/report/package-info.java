/** What the saga benchmark found out: tables for people, JSON for machines, a plot. */
@NullMarked
package io.onceflow.benchmarks.saga.report;

import org.jspecify.annotations.NullMarked;
