package io.onceflow.simulation.world;

import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.order.saga.SimulatedOrders;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.transport.Publisher;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.Saga.StepStatus;
import io.onceflow.saga.internal.engine.StepState;
import io.onceflow.simulation.Defaults;
import io.onceflow.simulation.Rule;
import io.onceflow.simulation.broker.Broker;
import io.onceflow.simulation.broker.SimulatedPublisher;
import io.onceflow.simulation.database.Database;
import io.onceflow.simulation.database.FaultPoints;
import io.onceflow.simulation.database.Table;
import io.onceflow.simulation.inbox.ForgetfulInbox;
import io.onceflow.simulation.inbox.InboxWatch;
import io.onceflow.simulation.inbox.MemoryInbox;
import io.onceflow.simulation.inbox.MemoryParking;
import io.onceflow.simulation.inbox.RefusingInbox;
import io.onceflow.simulation.inbox.SimulatedInbox;
import io.onceflow.simulation.inbox.StubbornInbox;
import io.onceflow.simulation.inbox.UnfencedInbox;
import io.onceflow.simulation.outbox.LeakyOutbox;
import io.onceflow.simulation.outbox.MemoryOutbox;
import io.onceflow.simulation.saga.SimulatedReply;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which rule a run removes, if any, and how. Production code has no such switch: the simulation
 * removes a rule by replacing the classes around production's code.
 *
 * @param without the rule that is removed; null for a run with all rules
 */
record RuleMutation(@Nullable Rule without) {

  private static final Duration FORGETFUL = Duration.ofSeconds(90);

  boolean lacks(Rule rule) {
    return without == rule;
  }

  MemoryInbox inbox(Database database, InboxWatch watch) {
    if (lacks(Rule.FENCED_COMPLETION)) {
      return new UnfencedInbox(database, watch);
    }
    if (lacks(Rule.PENDING_MEANS_UNKNOWN)) {
      return new RefusingInbox(database, watch);
    }
    if (lacks(Rule.CARRIED_OUT_UNTIL_DONE)) {
      return new StubbornInbox(database, watch);
    }
    return lacks(Rule.A_COMPENSATION_NEVER_MISSES)
        ? new ForgetfulInbox(database, watch)
        : new MemoryInbox(database, watch);
  }

  MemoryOutbox outbox(Database database, Consumer<UUID> onDelete) {
    return lacks(Rule.ONE_TRANSACTION)
        ? new LeakyOutbox(database, onDelete)
        : new MemoryOutbox(database, onDelete);
  }

  MemoryParking parking() {
    return new MemoryParking(Defaults.JSON, Defaults.METRICS, !lacks(Rule.NOTHING_IS_DROPPED));
  }

  Duration retention() {
    return lacks(Rule.MEMORY_OUTLIVES_REPETITION) ? FORGETFUL : SimulatedInbox.retention();
  }

  Consumer<Delivery> intake(SimulatedInbox inbox, BatchSettler settler) {
    return lacks(Rule.ACK_AFTER_COMMIT) ? inbox.hastyIntake(settler) : inbox.intake(settler);
  }

  Publisher publisher(Broker broker, FaultPoints faults) {
    Publisher honest = new SimulatedPublisher(broker, faults);
    return lacks(Rule.DELETE_AFTER_CONFIRM) ? new Careless(honest) : honest;
  }

  MemorySagas sagas(Database database, Invariants invariants) {
    Table<UUID, MemorySagas.Row> table = new Table<>();
    return without == null
        ? new MemorySagas(
            database,
            invariants,
            table,
            new MemoryPlaces(database, table),
            new MemoryChildren(database, table))
        : new MutantSagas(
            database,
            invariants,
            table,
            new MutantPlaces(database, table, without),
            new MutantChildren(database, table, without),
            without);
  }

  /** Rule 7: replies are about to be delivered. */
  void beforeReplies(MemorySagas sagas, List<SimulatedReply> replies) {
    if (sagas instanceof MutantSagas mutant) {
      replies.forEach(reply -> mutant.expect(reply.saga(), reply.event().step()));
    }
  }

  /** Rule 8: timers are about to fire; what was not answered in time counts as refused. */
  void beforeTimers(SimulatedOrders orders, Transaction tx, MemorySagas sagas, Instant now)
      throws SQLException {
    if (!lacks(Rule.TIMEOUT_MEANS_UNKNOWN)) {
      return;
    }
    for (MemorySagas.Row saga : List.copyOf(sagas.rows())) {
      for (StepState step : saga.state().steps()) {
        Instant expires = step.expiresAt();
        if (step.status() == StepStatus.WAITING && expires != null && !expires.isAfter(now)) {
          orders.deliver(tx, List.of(refusal(saga, step)));
        }
      }
    }
  }

  private static SimulatedReply refusal(MemorySagas.Row saga, StepState step) {
    UUID order = saga.origin().subjectId();
    return step.name().equals("process-payment")
        ? SimulatedOrders.declined(saga.id(), order)
        : SimulatedOrders.rejected(saga.id(), order);
  }

  /** The message as its consumer receives it. */
  Delivery handed(Delivery delivery, boolean repeated) {
    if (!repeated || !lacks(Rule.A_COMPLETED_STEP_ANSWERS_AGAIN)) {
      return delivery;
    }
    return new Delivery(
        delivery.queue(),
        delivery.messageId(),
        delivery.type(),
        delivery.correlationId(),
        null,
        delivery.headers(),
        delivery.body(),
        delivery.acknowledge());
  }

  /** A command as it is recorded. */
  OutboxMessage recorded(OutboxMessage command) {
    if (lacks(Rule.COMMANDS_EXPIRE)) {
      return with(command, MessageHeaders.EXPIRES_AT, null);
    }
    if (lacks(Rule.A_REFUSAL_IS_FINAL)) {
      return with(command, MessageHeaders.ENDS_WITH, ReplyOutcome.DONE.word());
    }
    if (lacks(Rule.EACH_ORCHESTRATOR_ITS_ORIGIN)) {
      return with(command, MessageHeaders.SAGA_ORIGIN, SimulatedWorkload.OTHER_ORIGIN);
    }
    if (lacks(Rule.SAME_STEP_SAME_KEY)) {
      String key = command.headers().get(MessageHeaders.IDEMPOTENCY_KEY);
      return with(command, MessageHeaders.IDEMPOTENCY_KEY, key + "~" + command.id());
    }
    return command;
  }

  private static OutboxMessage with(OutboxMessage message, String header, @Nullable String value) {
    Map<String, String> headers = new HashMap<>(message.headers());
    if (value == null) {
      headers.remove(header);
    } else {
      headers.put(header, value);
    }
    return new OutboxMessage(
        message.id(),
        message.aggregateType(),
        message.aggregateId(),
        message.type(),
        message.payload(),
        message.exchange(),
        message.routingKey(),
        message.correlationId(),
        message.replyTo(),
        headers);
  }

  /** Treats every message that it has sent as confirmed. */
  private record Careless(Publisher honest) implements Publisher {

    @Override
    public Published publish(List<OutboxMessage> messages, Duration deadline)
        throws InterruptedException {
      try {
        honest.publish(messages, deadline);
      } catch (IOException e) {
        // Careless.
      }
      Set<UUID> all = new HashSet<>();
      messages.forEach(message -> all.add(message.id()));
      return new Published(all, Map.of());
    }

    @Override
    public void close() {
      honest.close();
    }
  }
}
