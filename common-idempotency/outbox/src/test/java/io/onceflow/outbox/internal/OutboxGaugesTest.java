package io.onceflow.outbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.outbox.Heard;
import io.onceflow.outbox.Shipping;
import io.onceflow.outbox.TestConfig;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of the outbox. */
@Timeout(60)
class OutboxGaugesTest {

  private final Shipping shipping = new Shipping();
  private final OutboxConfig config = TestConfig.outbox(Map.of("most-waiting", 20));
  private final OutboxDepth depth =
      new OutboxDepth(Shipping.DATABASE.source(), config, new Heard<>());
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final OutboxGauges gauges = new OutboxGauges(depth, meters);

  @AfterEach
  void close() {
    Shipping.DATABASE.update("DELETE FROM outbox_message");
  }

  @Test
  void tellHowManyWaitAndSinceWhenTheOldestDoes() throws Exception {
    shipping.commitSilently(shipping.command(), shipping.command());
    Shipping.DATABASE.update("UPDATE outbox_message SET created_at = now() - interval '1 hour'");
    shipping.commitSilently(shipping.command());

    gauges.look();

    assertThat(value("onceflow.outbox.waiting")).isEqualTo(3);
    assertThat(value("onceflow.outbox.oldest.age")).isBetween(3_600.0, 3_700.0);
  }

  @Test
  void tellOfNothingWhereNothingWaits() {
    gauges.look();

    assertThat(List.of(value("onceflow.outbox.waiting"), value("onceflow.outbox.oldest.age")))
        .containsOnly(0.0);
  }

  /** Seen red: the thread ended, and the last number was told until the process did. */
  @Test
  void haveNoValueAfterAnErrorAndAreLookedAtAgain() throws Exception {
    AtomicBoolean isBroken = new AtomicBoolean();
    OutboxGauges sometimes =
        new OutboxGauges(new OutboxDepth(breaking(isBroken), config, new Heard<>()), meters);
    shipping.commitSilently(shipping.command());
    sometimes.look();
    isBroken.set(true);

    sometimes.look();
    assertThat(value("onceflow.outbox.waiting")).isNaN();

    isBroken.set(false);
    sometimes.look();
    assertThat(value("onceflow.outbox.waiting")).isEqualTo(1);
  }

  private static DataSource breaking(AtomicBoolean isBroken) {
    InvocationHandler calls =
        (proxy, method, arguments) -> {
          if (isBroken.get()) {
            throw new NoClassDefFoundError("in a test");
          }
          return method.invoke(Shipping.DATABASE.source(), arguments);
        };
    return (DataSource)
        Proxy.newProxyInstance(
            OutboxGaugesTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, calls);
  }

  @Test
  void areNotThereBeforeTheFirstLook() {
    assertThat(meters.getMeters()).isEmpty();
  }

  private double value(String gauge) {
    return meters.get(gauge).gauge().value();
  }
}
