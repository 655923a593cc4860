/** Settings of reconciliation. */
@NullMarked
package io.onceflow.reconciliation.internal;

import org.jspecify.annotations.NullMarked;
