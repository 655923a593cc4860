/** The parts of a definition that applications need not name. */
@NullMarked
package io.onceflow.saga.internal;

import org.jspecify.annotations.NullMarked;
