package io.onceflow.order.saga;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.message.Refused;
import io.onceflow.saga.internal.Jitter;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SentCommand;
import io.onceflow.saga.internal.runtime.SagaMessages;
import io.onceflow.saga.internal.store.JournaledCommand;
import io.onceflow.saga.internal.store.LockedSaga;
import io.onceflow.saga.internal.store.LockedSaga.RenderedCommand;
import io.onceflow.saga.internal.store.SagaOrigin;
import io.onceflow.saga.internal.store.StoredSaga;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This service's end of the contract in {@code docs/messages}. */
class MessagesTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PlaceOrder ORDER = PlaceOrder.of(AnOrder.placed());

  private static final ReturnOrder RETURN =
      ReturnOrder.of(AnOrder.returnRequested(), AnOrder.confirmed());

  static Stream<Record> commands() {
    return Stream.of(
        ORDER.processPayment(),
        ORDER.refundPayment(),
        ORDER.arrangeShipment(),
        ORDER.cancelShipment(),
        RETURN.arrangeReturn(),
        RETURN.cancelReturn(),
        RETURN.returnPayment());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void writesCommandsAsTheGoldenFilesShow(Record command) throws IOException {
    assertThat(tree(command)).isEqualTo(golden(command.getClass().getSimpleName()));
  }

  static Stream<OrderReply> replies() {
    return Stream.of(
        AnOrder.paymentProcessed(),
        AnOrder.paymentDeclined(),
        AnOrder.paymentRefunded(),
        AnOrder.shipmentArranged(),
        AnOrder.shipmentRejected(),
        AnOrder.shipmentCancelled(),
        AnOrder.returnArranged(),
        AnOrder.returnRejected(),
        AnOrder.returnCancelled(),
        AnOrder.paymentReturned());
  }

  @ParameterizedTest
  @MethodSource("replies")
  void readsRepliesAsTheGoldenFilesShow(OrderReply reply) throws IOException {
    assertThat(JSON.treeToValue(golden(reply.getClass().getSimpleName()), reply.getClass()))
        .isEqualTo(reply);
  }

  @Test
  void readsEveryReplyThatThereIs() {
    Set<String> shown = new TreeSet<>(replies().map(it -> it.getClass().getSimpleName()).toList());
    assertThat(OrderReply.class.getDeclaredClasses())
        .filteredOn(Class::isRecord)
        .extracting(Class::getSimpleName)
        .containsExactlyInAnyOrderElementsOf(shown);
  }

  /** Answers that no definition maps: the saga shows their reason, and asks again. */
  static Stream<Record> refusalsToUndo() {
    return Stream.of(
        new RefundDeclined(AnOrder.ID, "charge_disputed"),
        new CancellationDeclined(AnOrder.ID, "rejected"));
  }

  @ParameterizedTest
  @MethodSource("refusalsToUndo")
  void describesRefusalsAsTheGoldenFilesShow(Record refusal) throws IOException {
    assertThat(tree(refusal)).isEqualTo(golden(refusal.getClass().getSimpleName()));
  }

  @Refused({Commands.RefundPayment.class, Commands.ReturnPayment.class})
  record RefundDeclined(UUID orderId, String reason) {}

  @Refused({Commands.CancelShipment.class, Commands.CancelReturn.class})
  record CancellationDeclined(UUID orderId, String reason) {}

  static Stream<OrderEvent> events() {
    return Stream.of(
        ORDER.created(),
        new OrderEvent.OrderConfirmed(AnOrder.ID),
        new OrderEvent.OrderCancelled(AnOrder.ID, "PAYMENT_DECLINED"),
        new OrderEvent.OrderReturned(AnOrder.ID, AnOrder.RETURN));
  }

  @ParameterizedTest
  @MethodSource("events")
  void writesEventsAsTheGoldenFilesShow(OrderEvent event) throws IOException {
    assertThat(tree(event)).isEqualTo(golden(event.getClass().getSimpleName()));
  }

  @Test
  void sendsNoPaymentTokenButToThePaymentService() {
    assertThat(tree(ORDER.arrangeShipment()).toString()).doesNotContain("pm_card_visa");
    assertThat(tree(RETURN.arrangeReturn()).toString()).doesNotContain("pm_card_visa");
    assertThat(tree(ORDER.created()).toString()).doesNotContain("pm_card_visa");
  }

  @Test
  void commandsNameTheirOriginTheirStepAndTheStepThatTheyUndo() {
    assertThat(headers("process-payment", null))
        .containsEntry("x-saga-origin", "order-service/place-order")
        .containsEntry("x-saga-step", "process-payment")
        .doesNotContainKey("x-saga-undoes");
    assertThat(headers("refund-payment", "process-payment"))
        .containsEntry("x-saga-step", "refund-payment")
        .containsEntry("x-saga-undoes", "process-payment");
  }

  private static Map<String, String> headers(String step, @Nullable String undoes) {
    SagaOrigin origin =
        new SagaOrigin(AnOrder.ID, "alice", "key", "order-service/place-order", null);
    LockedSaga<PlaceOrder> saga =
        new LockedSaga<>(
            new StoredSaga(
                origin,
                SagaState.toBeStarted(UUID.randomUUID(), PlaceOrderSaga.DEFINITION, Instant.EPOCH)),
            PlaceOrderSaga.DEFINITION,
            new ReplyBackoff(Jitter.NONE),
            ORDER,
            new SagaMessages(JSON, "order-service"));
    RenderedCommand command =
        new RenderedCommand(
            new SentCommand(step, undoes, 1, null, null),
            new JournaledCommand(
                saga.state().id(), step, "ProcessPayment", "payment.process", 1, null));
    return new SagaMessages(JSON, "order-service").command("order", saga, command, "{}").headers();
  }

  /** Through text, so that int and long are the same number. */
  private static JsonNode tree(Object value) {
    try {
      return JSON.readTree(JSON.writeValueAsString(value));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode golden(String type) throws IOException {
    return JSON.readTree(Path.of("../docs/messages", type + ".json").toFile());
  }
}
