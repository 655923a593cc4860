package io.onceflow.saga.internal.runtime;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.saga.internal.store.NewSaga;
import io.onceflow.saga.internal.store.PostgresSagaStore;
import io.onceflow.saga.internal.store.SagaChange;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** Reports every write to {@link SagaMeters} and {@link SagaSpans}. */
@Singleton
public class CountedSagaStore extends PostgresSagaStore {

  private final SagaMeters meters;

  CountedSagaStore(MeterRegistry registry, SagaConfig config, DataSource database) {
    super(config.compactRows(), database);
    this.meters = new SagaMeters(registry);
  }

  @Override
  public void insert(Connection tx, List<NewSaga> sagas) throws SQLException {
    super.insert(tx, sagas);
    for (NewSaga saga : sagas) {
      meters.started(saga.state(), saga.history());
      SagaSpans.transition(saga.state(), saga.history(), saga.origin());
    }
  }

  @Override
  public void save(Connection tx, List<SagaChange> changes) throws SQLException {
    super.save(tx, changes);
    for (SagaChange change : changes) {
      meters.changed(change.before(), change.after(), change.history());
      SagaSpans.transition(change.after(), change.history(), change.origin());
    }
  }
}
