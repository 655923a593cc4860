/** Runs: a day of two books is staged and compared. */
@NullMarked
package io.onceflow.reconciliation.internal.run;

import org.jspecify.annotations.NullMarked;
