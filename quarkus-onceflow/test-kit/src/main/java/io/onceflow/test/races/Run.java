package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.outbox.OutboxMessage;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.Rejection;
import io.onceflow.test.races.Gates.Gate;
import io.onceflow.test.races.Gates.Side;
import io.onceflow.test.races.Ledger.Entry;
import io.onceflow.test.races.RacedScenario.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** One command of one saga in a race. */
final class Run extends RacedRun {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Longer than any race. */
  private static final String AWAIT_SECONDS = "3600";

  private final RacedCommand command;
  private final UUID subject = UUID.randomUUID();
  private final UUID otherSubject = UUID.randomUUID();
  private final RacedService service;
  private final Ledger ledger;
  private final String root = "key-" + UUID.randomUUID();
  private final String correlationId = UUID.randomUUID().toString();
  private final Map<String, Gate> gates = new HashMap<>();

  Run(RacedService service, Ledger ledger, RacedCommand command) {
    super(new Race(service));
    this.service = service;
    this.ledger = ledger;
    this.command = command;
  }

  void carryOutWhatComesBefore() throws Exception {
    for (RacedCommand first : command.before()) {
      String key = command.underItsKey() ? root : "earlier-" + root;
      String saga = command.underItsKey() ? correlationId : UUID.randomUUID().toString();
      race.send(race.survivor(), message(first, subject, key, saga));
      race.settle();
    }
  }

  @Override
  RacedMessage newMessage(String word) {
    return switch (word) {
      case "it" -> message(command, subject, root, correlationId);
      case "undo" -> message(command.compensation(), subject, root, correlationId);
      case "changed" -> changed();
      default -> throw new IllegalArgumentException("no message is called " + word);
    };
  }

  /** Another payload under the message's key, about another subject. */
  private RacedMessage changed() {
    Consumer<UUID> event = command.event();
    if (event != null) {
      race.tellWhilePending(message("it"), otherSubject, event);
    }
    return message("it").withPayload(command.payload().apply(otherSubject));
  }

  private RacedMessage message(RacedCommand other, UUID about, String key, String saga) {
    String step =
        Objects.requireNonNull(
            service.steps().get(other.type()), () -> "no handler takes " + other.type());
    RacedMessage message =
        new RacedMessage(other.type(), step, other.payload().apply(about), key, race.scope, saga);
    Consumer<UUID> event = other.event();
    if (event == null) {
      return message;
    }
    race.tellWhilePending(message, about, event);
    return message.with(MessageHeaders.AWAIT_WITHIN, AWAIT_SECONDS);
  }

  @Override
  void take(Step step) throws Exception {
    switch (step.verb()) {
      case "hold" -> hold(step);
      case "take-over" -> takeOver(step);
      case "open" -> gate(step).open();
      case "commit" -> commit(step);
      case "spread" -> {
        for (int i = 0; i < step.words().size(); i++) {
          super.take(new Step("send", List.of(step.words().get(i)), i % 2 == 0 ? "one" : "two"));
        }
      }
      case "expire" -> race.expireWhatIsBegun();
      case "before" -> carryOutWhatComesBefore();
      case "retry" -> race.tryAgain();
      case "undo-waits" -> assertUndoWaits();
      case "answered" -> assertAnswered(command, refusal(step));
      case "replies" -> assertReplies(command, isEndedByUndo() ? 0 : count(step), count(step));
      case "replies-to-undo" -> assertReplies(command.compensation(), count(step), count(step));
      case "no-effects" -> assertLedger(List.of());
      case "effects-before" -> assertLedger(command.effectsBefore());
      case "one-of-two" -> assertOneOfTwo();
      case "undone" -> assertUndone(true);
      case "undone-in-doubt" -> assertUndone(false);
      case "not-done" -> assertNotDone(refusal(step));
      case "nothing-stands" -> assertNothingStands();
      default -> super.take(step);
    }
  }

  /** A step that may be pending is ended by its compensation, which may come before its answer. */
  private boolean isEndedByUndo() {
    return command.event() != null && isSent("undo");
  }

  private String refusal(Step step) {
    return command.refusal(Rejection.valueOf(step.first()));
  }

  private static int count(Step step) {
    return Integer.parseInt(step.first());
  }

  private Gate gate(Step step) {
    return Objects.requireNonNull(gates.get(step.at()), () -> "nothing is held at " + step.at());
  }

  private static Side side(Step step) {
    return step.first().equals("before-call") ? Side.BEFORE : Side.AFTER;
  }

  /** Has a process carry out the command and holds it on this side of its call. */
  private void hold(Step step) throws Exception {
    RacedProcess process = process(step);
    Gate gate = process.gates().hold(command.type(), side(step));
    gates.put(step.at(), gate);
    sendUpTo(gate, process);
  }

  @Override
  void die(Step step) throws Exception {
    if (step.first().endsWith("-call")) {
      RacedProcess process = process(step);
      sendUpTo(process.gates().dieAt(command.type(), side(step), process::die), process);
    } else {
      super.die(step);
    }
  }

  /** Returns when the call has come to the gate; a command without a call skips the case. */
  private void sendUpTo(Gate gate, RacedProcess process) {
    RacedMessage message = message("it");
    race.send(process, message);
    race.until(
        "a call, or an answer without one", () -> gate.isReached() || race.isAnswered(message));
    if (!gate.isReached()) {
      throw new TestAbortedException(command + " makes no call");
    }
  }

  /** The leases end, and another process calls for what the first has started, and is held. */
  private void takeOver(Step step) throws Exception {
    RacedProcess successor = process(step);
    Gate gate = successor.gates().hold(command.type(), side(step));
    gates.put(step.at(), gate);
    race.endLeases();
    assertThat(successor.recover()).as("taken over").isPositive();
    race.until("the successor calls", gate::isReached);
  }

  /** What is held here continues until it has committed something. */
  private void commit(Step step) throws Exception {
    RacedProcess process = process(step);
    int before = process.commits();
    gate(step).open();
    race.until("it commits", () -> process.commits() > before);
  }

  private void assertUndoWaits() throws Exception {
    RacedMessage undo = message("undo");
    race.until(
        "it has looked again, or did not wait",
        () -> {
          race.survivor().recover();
          return race.attemptsOf(undo) > 2 || !race.statusOf(undo).equals("STARTED");
        });
    assertThat(race.statusOf(undo)).as("the compensation waits").isEqualTo("STARTED");
  }

  /** The command was carried out once, each delivery answered so at most once, and no more. */
  @Override
  void assertDone(List<String> parked) throws Exception {
    assertLedger(command.allEffects());
    assertThat(kinds(otherSubject)).as("effects on another subject").isEmpty();
    assertAnswered(command, command.answer());
    assertReplies(command, 1, race.deliveries(message("it")));
    assertThat(race.parked()).as("parked").isEqualTo(parked);
  }

  /** The ledger says exactly this of the subject, no two entries under one key. */
  private void assertLedger(List<String> kinds) {
    assertThat(kinds(subject)).as("effects on the ledger").containsExactlyElementsOf(kinds);
    assertThat(ledger.of(subject)).extracting(Entry::key).doesNotHaveDuplicates();
  }

  /**
   * What a step that may be pending had done when its compensation came is undone: what it makes
   * when it is done, or less, and then the compensation's; nothing where it had made nothing. Its
   * own answer says so, if there was one before its compensation ended it.
   */
  private void assertUndoneSoFar() throws Exception {
    List<String> undo = command.compensation().effects();
    List<String> before = command.effectsBefore();
    List<List<String>> allowed = new ArrayList<>(List.of(before));
    for (int done = 0; done <= command.effects().size(); done++) {
      allowed.add(
          Stream.of(before, command.effects().subList(0, done), undo)
              .flatMap(List::stream)
              .toList());
    }
    assertThat(kinds(subject)).as("effects on the ledger").isIn(allowed);
    assertThat(ledger.of(subject)).extracting(Entry::key).doesNotHaveDuplicates();
    assertThat(replies(command).stream().map(Run::answer).distinct())
        .as("every reply to " + command + " is the same")
        .hasSizeLessThan(2);
    assertThat(replies(command))
        .extracting(OutboxMessage::type)
        .isSubsetOf(
            command.answer(),
            command.refusal(Rejection.UNAVAILABLE),
            command.refusal(Rejection.CANCELLED));
  }

  /** The action was carried out once, or may have been, and then its compensation, once. */
  private void assertUndone(boolean isAnswered) throws Exception {
    if (command.event() == null) {
      assertLedger(
          Stream.concat(command.allEffects().stream(), command.compensation().effects().stream())
              .toList());
      if (isAnswered) {
        assertAnswered(command, command.answer());
      }
    } else {
      assertUndoneSoFar();
    }
    assertAnswered(command.compensation(), command.compensation().answer());
    assertThat(race.parked()).as("parked").isEmpty();
  }

  /** The action was not carried out, and was answered so. */
  private void assertNotDone(String refusal) throws Exception {
    assertLedger(List.of());
    assertAnswered(command, refusal);
    assertAnswered(command.compensation(), command.compensation().answer());
    assertThat(race.parked()).as("parked").isEmpty();
  }

  private void assertNothingStands() throws Exception {
    boolean isDone = replies(command).stream().anyMatch(it -> it.type().equals(command.answer()));
    if (isDone || command.event() != null && !kinds(subject).isEmpty()) {
      assertUndone(true);
    } else {
      assertNotDone(command.refusal(Rejection.CANCELLED));
    }
  }

  /** Of the command's two payloads one took effect, once. */
  private void assertOneOfTwo() {
    assertThat(Stream.concat(kinds(subject).stream(), kinds(otherSubject).stream()))
        .containsExactlyElementsOf(command.effects());
  }

  private List<String> kinds(UUID of) {
    return ledger.of(of).stream().map(Entry::kind).toList();
  }

  /** Every reply to a command is the same, of this type, and the one that is stored, if any is. */
  private void assertAnswered(RacedCommand asked, String type) throws Exception {
    List<OutboxMessage> replies = replies(asked);
    assertThat(replies).extracting(OutboxMessage::type).as("replies").contains(type);
    assertThat(replies.stream().map(Run::answer).distinct())
        .as("every reply to " + asked + " is the same")
        .hasSize(1);
    for (String outcome : race.outcomeOf(message(asked == command ? "it" : "undo"))) {
      JsonNode stored = JSON.readTree(outcome);
      assertThat(stored.get("type").asText()).isEqualTo(type);
      assertThat(stored.get("payload"))
          .as("the stored outcome is what was answered")
          .isEqualTo(JSON.readTree(replies.getFirst().payload()));
    }
    assertAddressed(replies);
  }

  /** Every reply goes to the command's reply-to, under the command's key. */
  private void assertAddressed(List<OutboxMessage> replies) {
    for (OutboxMessage reply : replies) {
      assertThat(reply.routingKey()).startsWith(RacedQueue.REPLY_TO + ".");
      assertThat(reply.headers()).containsEntry(MessageHeaders.IDEMPOTENCY_KEY, root);
      assertThat(reply.headers()).containsEntry(MessageHeaders.IDEMPOTENCY_SCOPE, race.scope);
    }
  }

  /** As many replies, a message that was published twice counted once. */
  private void assertReplies(RacedCommand asked, int atLeast, int atMost) {
    assertThat(replies(asked).stream().map(OutboxMessage::id).distinct().count())
        .as("replies to " + asked)
        .isBetween((long) atLeast, (long) atMost);
  }

  /** The replies to this command, every publication of them. */
  private List<OutboxMessage> replies(RacedCommand asked) {
    List<String> types =
        Stream.concat(Stream.of(asked.answer()), asked.refusals().values().stream()).toList();
    return told().stream().filter(it -> types.contains(it.type())).toList();
  }

  private static String answer(OutboxMessage reply) {
    return reply.type() + " " + reply.payload();
  }
}
