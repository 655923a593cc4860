package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.CommandHandler;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.simulation.inbox.SimulatedInbox;
import io.onceflow.simulation.kernel.Node;
import java.util.List;
import java.util.Optional;

/**
 * A service that carries out commands: payment or shipping, with its handlers of production.
 *
 * @param <S> the business row
 */
final class ParticipantService<S> extends SimulatedService {

  private final ParticipantRepository<S> rows;
  private final List<? extends CommandHandler<?, S>> handlers;

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
  Optional<String> stepOf(Delivery delivery) {
    return handlers.stream()
        .filter(handler -> handler.type().equals(delivery.type()))
        .map(handler -> handler.step())
        .findFirst()
        .filter(step -> SimulatedWorkload.isWellFormed(delivery));
  }

  @Override
  void boot(Node node, SimulatedInbox simulated, UnitOfWork unitOfWork) {
    Participant<S> participant = simulated.participant(rows, handlers);
    participant.start();
    consume(node, honesty().intake(simulated, participant));
    poll(
        node, "recovery", SimulatedInbox.recoveryInterval(), inbox::firstDue, participant::recover);
  }
}
