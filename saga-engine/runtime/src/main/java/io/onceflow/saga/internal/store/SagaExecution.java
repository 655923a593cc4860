package io.onceflow.saga.internal.store;

import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.saga.Saga.CancelOutcome;
import io.onceflow.saga.Step;
import io.onceflow.saga.internal.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import io.onceflow.saga.internal.engine.HistoryEntry;
import io.onceflow.saga.internal.engine.ReplyStanding;
import io.onceflow.saga.internal.engine.SagaDecider;
import io.onceflow.saga.internal.engine.SagaDecision;
import io.onceflow.saga.internal.engine.SagaEvent;
import io.onceflow.saga.internal.engine.SagaState;
import io.onceflow.saga.internal.engine.SentCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A saga of the batch in hand: as it was loaded, and as the batch's events have left it so far. */
final class SagaExecution<D> {

  private final SagaOrigin origin;
  private final SagaDecider<D> decider;
  private final Function<Object, String> renderer;

  /** What was last sent for each step before this batch, by the step's name. */
  private final Map<String, JournaledCommand> journaled;

  /** What this batch sends first for each step, by the step's name. */
  private final Map<String, RenderedCommand> rendered = new LinkedHashMap<>();

  private final SagaState loadedState;
  private final D loadedSubject;
  private final List<HistoryEntry> history = new ArrayList<>();
  private final List<SagaMessage> messages = new ArrayList<>();
  private final List<SentCommand> sentAgain = new ArrayList<>();
  private SagaState state;
  private D subject;
  private boolean subjectChanged;

  /**
   * @param saga as it was loaded, with every step of its definition
   */
  SagaExecution(
      StoredSaga saga, SagaDecider<D> decider, D subject, Function<Object, String> renderer) {
    this.origin = saga.origin();
    this.decider = decider;
    this.renderer = renderer;
    this.journaled = saga.sent();
    this.loadedState = saga.reached();
    this.loadedSubject = subject;
    this.state = loadedState;
    this.subject = subject;
  }

  void start(Instant now) {
    take(decider.start(state, subject, now));
  }

  ReplyStanding standing(DeliveredReply reply) {
    return decider.standing(state, reply.reply(), reply.step(), reply.hash());
  }

  boolean reply(DeliveredReply reply, Instant now) {
    return take(decider.reply(state, subject, reply.reply(), reply.step(), reply.hash(), now));
  }

  Optional<String> objection(Reply reply, ReplyEnvelope envelope, ReplyPolicy policy) {
    return envelope
        .objection(origin)
        .or(() -> objectionToStep(reply, envelope, policy))
        .or(() -> decider.objection(loadedSubject, reply, envelope.answeredStep()));
  }

  private Optional<String> objectionToStep(
      Reply reply, ReplyEnvelope envelope, ReplyPolicy policy) {
    String step = envelope.answeredStep();
    Optional<OutgoingCommand.Kind> asked = sentBy(step);
    if (asked.isEmpty()) {
      return Optional.of("%s has no step %s".formatted(decider.definition(), step));
    }
    if (!reply.step().equals(step) && !answers(reply, asked.get())) {
      return Optional.of("%s is no answer to the step %s".formatted(reply.type(), step));
    }
    return policy.isBelieved(envelope.routingKey(), asked.get())
        ? Optional.empty()
        : Optional.of(
            "%s was asked for %s; the reply has the routing key %s, and %s does not name its sender"
                .formatted(
                    policy.participant(asked.get()),
                    step,
                    envelope.routingKey(),
                    ReplyPolicy.settingOf(asked.get())));
  }

  /** One command may serve several steps: a reply to it answers each of them. */
  private boolean answers(Reply reply, OutgoingCommand.Kind asked) {
    return sentBy(reply.step()).filter(kind -> kind.type().equals(asked.type())).isPresent();
  }

  private Optional<OutgoingCommand.Kind> sentBy(String step) {
    return decider.commandOf(step).map(command -> OutgoingCommand.Kind.of(command, loadedSubject));
  }

  boolean due(Instant now) {
    return take(decider.due(state, subject, now));
  }

  Optional<String> objection(SagaEvent.Request request) {
    return decider.objection(state, request);
  }

  void request(SagaEvent.Request request, Instant now) {
    take(decider.request(state, subject, request, now));
  }

  CancelOutcome cancelOutcome() {
    return decider.cancelOutcome(state);
  }

  private boolean take(SagaDecision<D> decision) {
    state = decision.state();
    subject = decision.subject();
    subjectChanged |= decision.subjectChanged();
    history.addAll(decision.history());
    for (SentCommand command : decision.commands()) {
      if (renderedNow(command).isPresent() || renderedBefore(command).isPresent()) {
        sentAgain.add(command);
      } else {
        messages.add(message(command, render(command)));
      }
    }
    return decision.moved();
  }

  SagaState state() {
    return state;
  }

  boolean isChanged() {
    return state.revision() != loadedState.revision();
  }

  SagaChange change() {
    return new SagaChange(loadedState, state, history, origin, commands());
  }

  NewSaga created() {
    return new NewSaga(
        origin, state, history, commands(), decider.definition().attributes(subject));
  }

  private SentCommands commands() {
    Map<String, JournaledCommand> all = new HashMap<>(journaled);
    rendered.forEach((step, command) -> all.put(step, command.journaled(state.revision())));
    return new SentCommands(all, List.copyOf(rendered.values()), answered());
  }

  private List<JournaledCommand> answered() {
    return journaled.entrySet().stream()
        .filter(
            sent ->
                rendered.containsKey(sent.getKey())
                    || !state.step(sent.getKey()).map(StepsColumn::isSentAgain).orElse(false))
        .map(Map.Entry::getValue)
        .toList();
  }

  List<SagaMessage> messages() {
    return messages;
  }

  /** The commands that are sent again and were rendered before this batch. */
  List<JournaledCommand.Of> toBeRead() {
    return sentAgain.stream()
        .filter(sent -> renderedNow(sent).isEmpty())
        .flatMap(sent -> renderedBefore(sent).stream())
        .toList();
  }

  /**
   * Those that were sent before, as they were sent first: newer code might render more, and the
   * participant would not know it.
   *
   * @param read what {@link #toBeRead} names
   */
  List<SagaMessage> messagesAgain(Map<JournaledCommand.Of, RenderedCommand> read) {
    return sentAgain.stream().map(sent -> message(sent, renderedFirst(sent, read))).toList();
  }

  private RenderedCommand renderedFirst(
      SentCommand sent, Map<JournaledCommand.Of, RenderedCommand> read) {
    return renderedNow(sent)
        .or(() -> renderedBefore(sent).map(read::get))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "saga %s is to send %s again, and its journal does not have it"
                        .formatted(state.id(), sent.name())));
  }

  /** Records are compared; any other subject may have been changed in place. */
  Optional<D> changedSubject() {
    boolean same = subject instanceof Record ? subject.equals(loadedSubject) : !subjectChanged;
    return same ? Optional.empty() : Optional.of(subject);
  }

  private SagaMessage message(SentCommand sent, RenderedCommand command) {
    return new SagaMessage(
        state.id(),
        origin.subjectId(),
        origin.scope(),
        origin.rootKey(),
        origin.origin(),
        origin.traceparent(),
        sent.name(),
        sent.undoes(),
        sent.expiresAt(),
        awaitWithin(sent),
        endsWith(sent.name()),
        command);
  }

  private @Nullable Duration awaitWithin(SentCommand sent) {
    return sent.undoes() == null
            && decider.definition().stepNamed(sent.name()) instanceof Step.Send<D> send
        ? send.await().map(Step.Await::within).orElse(null)
        : null;
  }

  private Set<ReplyOutcome> endsWith(String name) {
    return switch (decider.endOf(name)) {
      case ANY_REPLY -> Set.of();
      case DONE_OR_REFUSED -> EnumSet.of(ReplyOutcome.DONE, ReplyOutcome.REFUSED);
      case DONE -> EnumSet.of(ReplyOutcome.DONE);
    };
  }

  private RenderedCommand render(SentCommand sent) {
    OutgoingCommand command = sent.command();
    RenderedCommand first =
        new RenderedCommand(
            sent.name(), command.type(), command.routingKey(), renderer.apply(command.payload()));
    rendered.put(step(sent), first);
    return first;
  }

  private Optional<RenderedCommand> renderedNow(SentCommand sent) {
    return Optional.ofNullable(rendered.get(step(sent)))
        .filter(command -> command.name().equals(sent.name()));
  }

  private Optional<JournaledCommand.Of> renderedBefore(SentCommand sent) {
    return Optional.ofNullable(journaled.get(step(sent)))
        .filter(command -> command.name().equals(sent.name()))
        .map(command -> new JournaledCommand.Of(state.id(), command));
  }

  private static String step(SentCommand sent) {
    String undoes = sent.undoes();
    return undoes == null ? sent.name() : undoes;
  }
}
