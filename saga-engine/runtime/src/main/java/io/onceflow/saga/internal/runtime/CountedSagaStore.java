package io.onceflow.saga.internal.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.saga.internal.store.NewSaga;
import io.onceflow.saga.internal.store.PostgresSagaStore;
import io.onceflow.saga.internal.store.SagaChange;
import jakarta.inject.Singleton;
import java.util.List;
import javax.sql.DataSource;

/** Reports every write to {@link SagaMeters} and {@link SagaSpans} once it is committed. */
@Singleton
public class CountedSagaStore extends PostgresSagaStore {

  private final SagaMeters meters;

  CountedSagaStore(MeterRegistry registry, DataSource database) {
    super(database);
    this.meters = new SagaMeters(registry);
  }

  /** Not before: a transaction that is rolled back and repeated would be counted each time. */
  @Override
  public void committed(List<NewSaga> started, List<SagaChange> changed) {
    for (NewSaga saga : started) {
      meters.started(saga.state(), saga.history());
      SagaSpans.transition(saga.state(), saga.history(), saga.origin());
    }
    for (SagaChange change : changed) {
      meters.changed(change.before(), change.after(), change.history());
      SagaSpans.transition(change.after(), change.history(), change.origin());
    }
  }
}
