/** The operators' requests about sagas, over REST. */
@NullMarked
package io.onceflow.saga.operators;

import org.jspecify.annotations.NullMarked;
