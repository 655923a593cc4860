/** What operators set for definitions, and the replicas that follow it. */
@NullMarked
package io.onceflow.saga.internal.store.control;

import org.jspecify.annotations.NullMarked;
