/** What operators ask of sagas, over REST. */
@NullMarked
package io.onceflow.saga.operators;

import org.jspecify.annotations.NullMarked;
