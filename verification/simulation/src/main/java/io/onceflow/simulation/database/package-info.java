/** Tables in memory with transactions, row locks and their faults. */
@NullMarked
package io.onceflow.simulation.database;

import org.jspecify.annotations.NullMarked;
