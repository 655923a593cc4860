/** Differences between two books, and how they are mended. */
@NullMarked
package io.onceflow.reconciliation.internal.difference;

import org.jspecify.annotations.NullMarked;
