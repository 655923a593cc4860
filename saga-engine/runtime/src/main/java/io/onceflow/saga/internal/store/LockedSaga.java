package io.onceflow.saga.internal.store;

import static java.time.temporal.ChronoUnit.MICROS;

import io.onceflow.saga.SagaDefinition;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.CommandKind;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.HistoryEvent;
import io.onceflow.saga.internal.engine.PayloadReader;
import io.onceflow.saga.internal.engine.ReplyBackoff;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaExecution;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SentCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A saga from lock to save: its row and its subject, as they were loaded and as events have left
 * them since. One that is about to be started is locked by not being there yet.
 *
 * @param <D> the subject
 */
public final class LockedSaga<D> extends SagaExecution<D> {

  private static final Set<HistoryEvent> REQUESTS =
      EnumSet.of(
          HistoryEvent.RETRY_REQUESTED,
          HistoryEvent.CANCEL_REQUESTED,
          HistoryEvent.COMPENSATION_REQUESTED);

  private final StoredSaga loaded;
  private final D loadedSubject;
  private final Payloads payloads;

  /** What was sent first since it was loaded, by the step's name. */
  private final Map<String, JournaledCommand> rendered = new LinkedHashMap<>();

  private final List<RenderedCommand> first = new ArrayList<>();
  private final List<RenderedCommand> again = new ArrayList<>();

  /** Payloads of commands and events as JSON. */
  public interface Payloads extends PayloadReader {

    String write(Object payload);
  }

  /**
   * A command in transit out.
   *
   * @param as it was rendered when it was sent first
   */
  public record RenderedCommand(SentCommand sent, JournaledCommand as) {}

  /**
   * @param loaded with every step of its definition
   * @param payloads asked once to write a step's command, when it is first sent
   */
  public LockedSaga(
      StoredSaga loaded,
      SagaDefinition<D> definition,
      ReplyBackoff backoff,
      D subject,
      Payloads payloads) {
    super(definition, backoff, payloads, loaded.reached(), subject);
    this.loaded = loaded;
    this.loadedSubject = subject;
    this.payloads = payloads;
  }

  /**
   * Truncates the time to what the database keeps, so that a state reads back as it was decided.
   */
  @Override
  public void apply(SagaEvent event, Instant now) {
    int sent = commands().size();
    super.apply(event, now.truncatedTo(MICROS));
    commands().subList(sent, commands().size()).forEach(this::render);
  }

  private void render(SentCommand sent) {
    Optional<JournaledCommand> before =
        named(rendered.get(sent.step()), sent)
            .or(() -> named(loaded.sent().get(sent.step()), sent));
    if (before.isPresent()) {
      again.add(new RenderedCommand(sent, before.get()));
    } else {
      JournaledCommand now = journaled(sent);
      rendered.put(sent.step(), now);
      first.add(new RenderedCommand(sent, now));
    }
  }

  private static Optional<JournaledCommand> named(
      @Nullable JournaledCommand command, SentCommand sent) {
    return Optional.ofNullable(command).filter(it -> it.name().equals(sent.name()));
  }

  private JournaledCommand journaled(SentCommand sent) {
    OutgoingCommand command = command(sent);
    return new JournaledCommand(
        state().id(),
        sent.name(),
        command.type(),
        command.routingKey(),
        0,
        payloads.write(command.payload()));
  }

  public SagaOrigin origin() {
    return loaded.origin();
  }

  /** The state in which it was loaded. */
  public SagaState loaded() {
    return loaded.reached();
  }

  /** Whether there is something to write. */
  public boolean isChanged() {
    return state().revision() != loaded().revision();
  }

  /** Whether it has ended since it was loaded. */
  public boolean hasEnded() {
    return state().status().isEnd() && !loaded().status().isEnd();
  }

  /** Whether it continues from where it was, or an operator has asked for that. */
  boolean hasMoved() {
    return state().differsFrom(loaded())
        || history().stream().anyMatch(entry -> REQUESTS.contains(entry.event()));
  }

  /** The steps whose messages are not answered, where the saga became stuck for them. */
  public Optional<String> becameStuck() {
    return history().stream()
        .filter(entry -> entry.event() == HistoryEvent.SAGA_STUCK)
        .map(HistoryEntry::detail)
        .findFirst();
  }

  /**
   * The subject, where it is to be saved. Records are compared; any other subject may have been
   * changed in place.
   */
  public Optional<D> changedSubject() {
    boolean isSame =
        subject() instanceof Record ? subject().equals(loadedSubject) : !isSubjectChanged();
    return isSame ? Optional.empty() : Optional.of(subject());
  }

  /** Why a reply to this step does not fit the subject, as it was loaded; empty when it does. */
  Optional<String> factsObjection(SagaEvent.Replied reply) {
    return definition().check(loadedSubject, reply.reply().content(), reply.step());
  }

  /** Type and routing key of the command of a step or compensation; empty when it sends none. */
  Optional<CommandKind> kindOf(String step) {
    return definition().commandOf(step).map(command -> CommandKind.of(command, loadedSubject));
  }

  /** The commands that are sent for the first time. */
  public List<RenderedCommand> first() {
    return first;
  }

  /** Those that are resent; without their payload where the journal has it. */
  public List<RenderedCommand> again() {
    return again;
  }

  /** The commands whose payload is to be written into the journal. */
  Collection<JournaledCommand> journaled() {
    return rendered.values();
  }

  /** What was last sent for each step, by the step's name. */
  Map<String, JournaledCommand> sent() {
    Map<String, JournaledCommand> all = new HashMap<>(loaded.sent());
    rendered.forEach((step, command) -> all.put(step, command.at(state().revision())));
    return all;
  }

  /** What was sent before and is not resent: its payload, which may name a card, is erased. */
  List<JournaledCommand> answered() {
    return loaded.sent().entrySet().stream()
        .filter(
            sent ->
                rendered.containsKey(sent.getKey())
                    || !state().step(sent.getKey()).map(StepsColumn::isSentAgain).orElse(false))
        .map(Map.Entry::getValue)
        .toList();
  }
}
