package io.onceflow.order.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.onceflow.launcher.testing.ServersResource;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.rabbitmq.internal.BrokerConnection;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever locks the saga's row first decides, the customer or the last reply. */
@QuarkusTest
@QuarkusTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("nightly")
class CancellationRaceTest {

  private static final int ROUNDS = 60;

  @Inject BrokerConnection broker;

  private final String customer = "customer-" + UUID.randomUUID();

  /**
   * Orders are confirmed in their order and cancelled in the opposite one, both as fast as it goes:
   * the first ones are confirmed in time, the last ones are not, and the ones between are close.
   */
  @Test
  void theAnswerAlwaysAgreesWithTheEnd() throws Exception {
    try (Channel channel = broker.openChannel()) {
      String taken = takeCommands(channel);
      List<PlayedOrder> orders = waitingForTheirShipment(channel);

      List<Response> answers = race(channel, orders);

      assertThat(answers)
          .extracting(Response::statusCode)
          .as("both must win somewhere")
          .contains(202, 409);
      for (int i = 0; i < ROUNDS; i++) {
        checkTheEnd(channel, orders.get(i), answers.get(i));
      }
      channel.queueDelete(taken);
    }
  }

  /** Nobody reads them, but somebody must take them, or the relay is busy with sending again. */
  private static String takeCommands(Channel channel) throws IOException {
    channel.exchangeDeclare(OutboxMessage.COMMANDS, "topic", true);
    // The service declares it as well, once it has a connection.
    channel.exchangeDeclare(OutboxMessage.REPLIES, "topic", true);
    String queue = channel.queueDeclare().getQueue();
    channel.queueBind(queue, OutboxMessage.COMMANDS, "#");
    return queue;
  }

  private List<PlayedOrder> waitingForTheirShipment(Channel channel) throws IOException {
    List<PlayedOrder> orders = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      PlayedOrder order = PlayedOrder.place(customer);
      order.paymentProcessed(channel);
      orders.add(order);
    }
    orders.forEach(order -> order.awaitStep("arrange-shipment", "WAITING"));
    return orders;
  }

  private static List<Response> race(Channel channel, List<PlayedOrder> orders) throws Exception {
    CyclicBarrier start = new CyclicBarrier(2);
    try (ExecutorService racers = Executors.newFixedThreadPool(2)) {
      Future<List<Response>> customer =
          racers.submit(
              () -> {
                start.await();
                return orders.reversed().stream().map(PlayedOrder::cancel).toList();
              });
      Future<Void> carrier =
          racers.submit(
              () -> {
                start.await();
                for (PlayedOrder order : orders) {
                  order.shipmentArranged(channel);
                  // One request's time apart, so that both come by the same pace.
                  order.<String>read("status");
                }
                return null;
              });
      carrier.get();
      return customer.get().reversed();
    }
  }

  private static void checkTheEnd(Channel channel, PlayedOrder order, Response answer)
      throws IOException {
    if (answer.statusCode() == 409) {
      assertThat(answer.<String>path("type")).isEqualTo("/problems/too-late");
      assertThat(order.<String>read("status")).isEqualTo("CONFIRMED");
      assertThat(order.<List<String>>saga("history.event")).doesNotContain("cancel-requested");
      return;
    }
    assertThat(answer.<String>path("outcome")).isEqualTo("compensating");
    order.awaitStep("arrange-shipment", "COMPENSATING");
    order.shipmentCancelled(channel);
    order.awaitStep("process-payment", "COMPENSATING");
    order.paymentRefunded(channel);
    order.awaitStatus("CANCELLED");
    assertThat(order.<List<String>>saga("history.event")).doesNotContain("pivot-passed");
  }
}
