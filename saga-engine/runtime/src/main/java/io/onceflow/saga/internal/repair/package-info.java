/**
 * Repairs: an operator's action on all sagas that a filter finds, as marks that any replica carries
 * out.
 */
@NullMarked
package io.onceflow.saga.internal.repair;

import org.jspecify.annotations.NullMarked;
