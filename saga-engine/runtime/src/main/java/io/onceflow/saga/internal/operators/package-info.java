/** The operators' requests about sagas, over REST. */
@NullMarked
package io.onceflow.saga.internal.operators;

import org.jspecify.annotations.NullMarked;
