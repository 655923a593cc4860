package io.onceflow.quarkus.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.quarkus.runtime.StartOrder.Part;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class StartOrderTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final List<String> done = new CopyOnWriteArrayList<>();

  @Test
  void stopsInTheReverseOfTheStart() {
    StartOrder order = new StartOrder(List.of(part("relay"), part("timers")), LONG);
    order.start();
    order.stop();

    assertThat(done).containsExactly("start relay", "start timers", "stop timers", "stop relay");
  }

  @Test
  void stopsWhatHasStartedWhenAPartDoesNotStart() {
    Part broken = new Part("broken", StartOrderTest::fail, () -> done.add("stop broken"));
    StartOrder order = new StartOrder(List.of(part("relay"), broken, part("timers")), LONG);

    assertThatThrownBy(order::start).hasMessage("no start");
    order.stop();

    assertThat(done).containsExactly("start relay", "stop relay");
  }

  @Test
  void leavesBehindAPartThatDoesNotStopInTime() {
    Part hanging = new Part("hanging", () -> {}, StartOrderTest::hang);
    StartOrder order = new StartOrder(List.of(part("relay"), hanging), Duration.ofMillis(50));
    order.start();
    order.stop();

    assertThat(done).containsExactly("start relay", "stop relay");
  }

  @Test
  void stopsTheOthersWhenAPartFailsToStop() {
    Part broken = new Part("broken", () -> {}, StartOrderTest::fail);
    StartOrder order = new StartOrder(List.of(part("relay"), broken), LONG);
    order.start();
    order.stop();

    assertThat(done).containsExactly("start relay", "stop relay");
  }

  @Test
  void stopsOnce() {
    StartOrder order = new StartOrder(List.of(part("relay")), LONG);
    order.start();
    order.stop();
    order.stop();

    assertThat(done).containsExactly("start relay", "stop relay");
  }

  private Part part(String name) {
    return new Part(name, () -> done.add("start " + name), () -> done.add("stop " + name));
  }

  private static void fail() {
    throw new IllegalStateException("no start");
  }

  /** Until it is interrupted. */
  private static void hang() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
