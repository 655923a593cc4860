package com.example.giftcards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.idempotency.internal.store.IdempotencyStore;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.arc.Arc;
import io.quarkus.arc.InjectableBean;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.redis.client.Redis;
import jakarta.enterprise.inject.Any;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application with the guard alone has neither outbox nor inbox, no broker and no OpenAPI. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@WithTestResource(BankResource.class)
class OnlyTheGuardTest {

  @Inject DataSource database;
  @Inject MeterRegistry metrics;

  @Test
  void hasTheGuardsBeans() {
    assertThat(Arc.container().select(IdempotencyStore.class).isResolvable()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"io.onceflow.outbox", "io.onceflow.inbox"})
  void hasNoBeanOfTheBoxes(String packageName) {
    List<String> beans =
        Arc.container().beanManager().getBeans(Object.class, Any.Literal.INSTANCE).stream()
            .map(bean -> ((InjectableBean<?>) bean).getBeanClass().getName())
            .filter(name -> name.startsWith(packageName + "."))
            .toList();
    assertThat(beans).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.smallrye.reactive.messaging.rabbitmq.RabbitMQConnector",
        "org.eclipse.microprofile.reactive.messaging.Incoming",
        "org.eclipse.microprofile.openapi.OASFilter"
      })
  void hasNothingOfThisOnItsClassPath(String name) {
    assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void asksForNoRedis() {
    assertThat(Arc.container().select(Redis.class).getHandle().getBean().isActive()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"outbox_message", "inbox_message", "parked_message", "saga_instance"})
  void hasNoSuchTable(String table) throws SQLException {
    try (Connection connection = database.getConnection()) {
      assertThat(Rows.number(connection, "SELECT count(*) FROM pg_class WHERE relname = ?", table))
          .isZero();
    }
  }

  @Test
  void recoversAbandonedClaimsByItself() {
    await()
        .until(
            () ->
                metrics
                        .find("onceflow.loop.last.turn.age")
                        .tag("loop", "idempotency-recovery")
                        .gauge()
                    != null);
  }
}
