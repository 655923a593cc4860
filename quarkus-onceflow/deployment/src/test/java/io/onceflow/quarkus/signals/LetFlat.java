package io.onceflow.quarkus.signals;

import static io.onceflow.saga.SagaDefinition.await;
import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.saga;
import static java.time.Duration.ofDays;

import io.onceflow.quarkus.signals.Tenancy.TenancySigned;
import io.onceflow.saga.Saga;
import io.onceflow.saga.SagaDefinition;
import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
class LetFlat implements Saga<Tenancy> {

  @Override
  public SagaDefinition<Tenancy> definition() {
    return saga(
        "let-flat",
        1,
        await("contract-signed").within(ofDays(2)).on(TenancySigned.class, Tenancy::signed),
        pivot("begin").run(Tenancy::begin));
  }
}
