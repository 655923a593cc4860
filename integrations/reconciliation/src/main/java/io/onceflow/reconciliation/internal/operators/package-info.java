/** What operators may ask of reconciliation. */
@NullMarked
package io.onceflow.reconciliation.internal.operators;

import org.jspecify.annotations.NullMarked;
