package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.InboxRow;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.CallKey;
import io.onceflow.simulation.inbox.SimulatedInbox;
import io.onceflow.simulation.kernel.Node;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A service that carries out commands: payment or shipping, with its handlers of production.
 *
 * @param <S> the business row
 */
final class ParticipantService<S> extends SimulatedService {

  private final ParticipantRepository<S> rows;
  private final List<? extends CommandHandler<?, S>> handlers;
  private final Map<Node, UnitOfWork> transactions = new HashMap<>();

  ParticipantService(
      Environment environment,
      String name,
      ParticipantRepository<S> rows,
      List<? extends CommandHandler<?, S>> handlers) {
    super(environment, name, name + "-service.commands");
    this.rows = rows;
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

  private Optional<String> stepOf(Delivery delivery) {
    return handlers.stream()
        .filter(handler -> handler.type().equals(delivery.type()))
        .map(handler -> handler.step())
        .findFirst()
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
    Participant<S> participant = simulated.participant(rows, handlers);
    consume(node, honesty().intake(simulated, participant));
    poll(
        node, "recovery", SimulatedInbox.recoveryInterval(), inbox::firstDue, participant::recover);
  }
}
