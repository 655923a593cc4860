package io.onceflow.saga.internal.operators;

import io.onceflow.saga.internal.store.view.SagaList;

/**
 * How many sagas a query chooses.
 *
 * @param count at most {@link SagaList#COUNTED}
 * @param exact false where there are more
 */
record SagaCount(int count, boolean exact) {

  static SagaCount of(int counted) {
    return new SagaCount(Math.min(counted, SagaList.COUNTED), counted <= SagaList.COUNTED);
  }
}
