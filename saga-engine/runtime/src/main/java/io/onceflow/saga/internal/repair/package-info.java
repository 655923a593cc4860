/** Repairs: an operator's action on all sagas that a filter finds, as a job in the database. */
@NullMarked
package io.onceflow.saga.internal.repair;

import org.jspecify.annotations.NullMarked;
