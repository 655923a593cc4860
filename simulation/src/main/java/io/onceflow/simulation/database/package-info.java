/** Tables in memory with transactions, row locks and everything that goes wrong with them. */
@NullMarked
package io.onceflow.simulation.database;

import org.jspecify.annotations.NullMarked;
