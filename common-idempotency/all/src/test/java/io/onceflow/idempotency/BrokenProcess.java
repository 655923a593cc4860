package io.onceflow.idempotency;

import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.test.stores.StoreUnderTest.OneProcess;
import java.util.function.UnaryOperator;

/** A process whose store is broken. */
final class BrokenProcess implements OneProcess {

  private final OneProcess real;
  private final IdempotencyStore store;

  BrokenProcess(OneProcess real, UnaryOperator<IdempotencyStore> broken) {
    this.real = real;
    this.store = broken.apply(real.store());
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }

  @Override
  public void begin() throws Exception {
    real.begin();
  }

  @Override
  public void commit() throws Exception {
    real.commit();
  }

  @Override
  public void rollBack() throws Exception {
    real.rollBack();
  }

  @Override
  public void close() {
    real.close();
  }
}
