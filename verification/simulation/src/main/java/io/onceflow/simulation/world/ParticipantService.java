package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.simulation.inbox.SimulatedInbox;
import io.onceflow.simulation.kernel.Node;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A service that carries out commands: payment or shipping, with its handlers of production. */
final class ParticipantService extends SimulatedService {

  private final HandlerMethods handlers;
  private final Map<Node, UnitOfWork> transactions = new HashMap<>();

  ParticipantService(Environment environment, String name, HandlerMethods handlers) {
    super(environment, name, name + "-service.commands");
    this.handlers = handlers;
  }

  @Override
  boolean isKnown(Delivery delivery) {
    return stepOf(delivery).filter(step -> inbox.hasKnown(delivery, step)).isPresent();
  }

  @Override
  boolean isRepeated(Delivery delivery) {
    return stepOf(delivery).filter(step -> inbox.hasEnded(delivery, step)).isPresent();
  }

  /** As its saga calls it, which may be for an item. */
  private Optional<String> stepOf(Delivery delivery) {
    return Optional.ofNullable(handlers.of(delivery.type()))
        .map(handler -> delivery.headers().getOrDefault(MessageHeaders.SAGA_STEP, handler.step()))
        .filter(step -> SimulatedWorkload.isWellFormed(delivery));
  }

  /** An event comes in by a webhook, and is lost if no process takes it. */
  void tell(CallKey key) {
    List<Node> up = nodes().stream().filter(Node::isUp).toList();
    if (up.isEmpty()) {
      return;
    }
    Node node = up.get(chance.below(up.size()));
    UnitOfWork unitOfWork = transactions.get(node);
    InboxRow.Id step = new InboxRow.Id(key.scope(), key.stepKey());
    kernel.spawn(
        node,
        "webhook",
        () -> {
          try {
            var woken = unitOfWork.call(tx -> inbox.wake(tx.connection(), step));
            kernel.tell(node.toString(), () -> "is told of " + key.step() + ": " + woken);
          } catch (SQLException e) {
            kernel.tell(node.toString(), () -> "loses an event: " + e.getMessage());
          }
        });
  }

  @Override
  void boot(Node node, SimulatedInbox simulated, UnitOfWork unitOfWork) {
    transactions.put(node, unitOfWork);
    Participant participant = simulated.participant(handlers);
    consume(node, honesty().intake(simulated, participant));
    poll(
        node, "recovery", SimulatedInbox.recoveryInterval(), inbox::firstDue, participant::recover);
  }
}
