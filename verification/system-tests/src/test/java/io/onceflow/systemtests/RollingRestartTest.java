package io.onceflow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A new version is rolled out while orders come in: two replicas of each service, each stopped as
 * {@code kill} does and started again, one after the other. No request is refused and nothing is
 * lost; and no work waits for a lease to end, since a process that stops releases its leases.
 */
@Tag("nightly")
@SystemTest
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RollingRestartTest {

  /** So many orders are paid for at every moment that a stop meets some of them: it takes 3 s. */
  private static final OrderForm SLOW = OrderForm.GOOD.paidBy("pm_sim_slow");

  private static final int SLOW_ONE_IN = 4;
  private static final Duration ORDER_EVERY = Duration.ofMillis(100);

  /** What Docker grants. */
  private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);

  private final Stack stack = Stack.get();
  private final Customer customer = stack.newCustomer();
  private final String token = stack.issuer().customer(customer.name());
  private final List<ServiceProcess> seconds =
      stack.services().stream().map(it -> it.anotherReplica(it.name() + "-2")).toList();

  private final Queue<String> placed = new ConcurrentLinkedQueue<>();
  private final Queue<String> refused = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private int sent;

  @AfterEach
  void heal() {
    clock.shutdownNow();
    clients.shutdownNow();
    seconds.forEach(ServiceProcess::kill);
    stack.heal();
  }

  @Test
  void eachReplicaOfEachServiceIsRestartedUnderLoadAndNoRequestFails() throws Exception {
    seconds.forEach(ServiceProcess::start);
    seconds.forEach(ServiceProcess::awaitReady);
    try (Replicas orders = new Replicas(List.of(stack.orders(), seconds.getFirst()))) {
      clock.scheduleAtFixedRate(
          () -> placeAnOrder(orders), 0, ORDER_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      await("orders come in").atMost(Order.ENDS_WITHIN).until(() -> placed.size() > 20);
      for (int i = 0; i < seconds.size(); i++) {
        restart(stack.services().get(i));
        restart(seconds.get(i));
      }
      clock.shutdown();
      clients.shutdown();
      assertThat(clients.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
      System.out.printf(
          "%d orders were placed while six processes were restarted; %d requests were sent again%n",
          placed.size(), orders.sentAgain());
    }

    assertThat(refused).isEmpty();
    awaitAllConfirmed();
    assertThat(charges()).as("one charge each").isEqualTo(placed.size());
  }

  private void placeAnOrder(Replicas orders) {
    OrderForm form = sent++ % SLOW_ONE_IN == 0 ? SLOW : OrderForm.GOOD;
    clients.execute(
        () -> {
          try {
            HttpResponse<String> answer =
                orders.post("/orders", token, Customer.newKey(), form.json());
            (answer.statusCode() == 201 ? placed : refused)
                .add(answer.statusCode() + " " + answer.body());
          } catch (Exception e) {
            refused.add(e.toString());
          }
        });
  }

  private void restart(ServiceProcess replica) {
    int before = replica.written().size();
    long start = System.nanoTime();
    replica.stop();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as("%s stops", replica)
        .isLessThan(STOPS_WITHIN);
    List<String> said = replica.written().stream().skip(before).toList();
    assertThat(said)
        .as("what %s says when it stops", replica)
        .noneMatch(line -> line.contains(" ERROR ") || line.startsWith("\tat "))
        .anyMatch(line -> line.contains("the relay has stopped"))
        .anyMatch(line -> line.contains("are taken"));
    replica.start();
    replica.awaitReady();
  }

  private void awaitAllConfirmed() {
    await("all %d orders are confirmed".formatted(placed.size()))
        .atMost(Order.ENDS_WITHIN)
        .untilAsserted(() -> assertThat(confirmed()).isEqualTo(placed.size()));
    assertThat(orders("")).as("orders that are there").isEqualTo(placed.size());
  }

  private long confirmed() {
    return orders(" AND status = 'CONFIRMED'");
  }

  private long orders(String and) {
    return stack
        .ordersDatabase()
        .count("SELECT count(*) FROM orders WHERE customer = ?" + and, customer.name());
  }

  /** On the gateway's own books. */
  private long charges() {
    return stack
        .paymentsDatabase()
        .count("SELECT count(*) FROM simulated_gateway.ledger WHERE customer = ?", customer.name());
  }
}
