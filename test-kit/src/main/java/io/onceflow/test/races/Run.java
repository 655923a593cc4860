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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** One command of one saga in a race, and what may be said of it in the end. */
final class Run extends RacedRun {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Longer than any race. */
  private static final String AWAIT_SECONDS = "3600";

  final RacedCommand command;
  final UUID subject = UUID.randomUUID();
  private final UUID otherSubject = UUID.randomUUID();
  private final RacedService service;
  private final Ledger ledger;
  private final String root = "key-" + UUID.randomUUID();
  private final String correlationId = UUID.randomUUID().toString();

  private Run(RacedService service, Ledger ledger, RacedCommand command) {
    super(new Race(service));
    this.service = service;
    this.ledger = ledger;
    this.command = command;
  }

  /** Begins when whatever comes before the command has been carried out. */
  static Run begin(RacedService service, Ledger ledger, RacedCommand command) throws Exception {
    Run run = new Run(service, ledger, command);
    run.carryOutWhatComesBefore();
    return run;
  }

  /** Begins too early. */
  static Run beginEarly(RacedService service, Ledger ledger, RacedCommand command) {
    return new Run(service, ledger, command);
  }

  void carryOutWhatComesBefore() throws Exception {
    for (RacedCommand first : command.before()) {
      String key = command.underItsKey() ? root : "earlier-" + root;
      String saga = command.underItsKey() ? correlationId : UUID.randomUUID().toString();
      tell(message(first, subject, key, saga));
    }
  }

  @Override
  RacedMessage message() {
    return message(command);
  }

  /** The message of a command of the same saga. */
  RacedMessage message(RacedCommand other) {
    return message(other, subject, root, correlationId);
  }

  /** It is about another subject. */
  @Override
  RacedMessage messageWithOtherPayload() {
    Consumer<UUID> event = command.event();
    if (event != null) {
      race.tellWhilePending(message(), otherSubject, event);
    }
    return message().withPayload(command.payload().apply(otherSubject));
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

  /** Has a process carry out the command and holds it on this side of its call. */
  Gate holdCall(RacedProcess process, Side side) {
    return sendUpTo(process.gates().hold(command.type(), side), process);
  }

  /** The process dies on this side of its call. */
  void dieAtCall(RacedProcess process, Side side) {
    sendUpTo(process.gates().dieAt(command.type(), side, process::die), process);
  }

  /** Returns when the call has come to the gate; a command without a call skips the case. */
  private Gate sendUpTo(Gate gate, RacedProcess process) {
    race.send(process, message());
    race.until(
        "a call, or an answer without one", () -> gate.isReached() || race.isAnswered(message()));
    if (!gate.isReached()) {
      throw new TestAbortedException(command + " makes no call");
    }
    return gate;
  }

  /** The command was carried out once, each delivery answered so at most once, and no more. */
  @Override
  void assertDone(String... parked) throws Exception {
    assertLedger(command.allEffects());
    assertThat(ledgerOfOther()).as("effects on another subject").isEmpty();
    assertAnswered(command, command.answer());
    assertReplies(command, 1, race.deliveries(message()));
    assertThat(race.parked()).as("parked").containsExactly(parked);
  }

  /** The ledger says exactly this of the subject, no two entries under one key. */
  void assertLedger(List<String> kinds) {
    assertThat(ledger()).as("effects on the ledger").containsExactlyElementsOf(kinds);
    assertThat(ledger.of(subject)).extracting(Entry::key).doesNotHaveDuplicates();
  }

  /**
   * What a step that may be pending had done when its compensation came is undone: what it makes
   * when it is done, or less, and then the compensation's; nothing where it had made nothing. Its
   * own answer says so, if there was one before its compensation ended it.
   */
  void assertUndoneSoFar() throws Exception {
    List<String> undo = command.compensation().effects();
    List<String> before = command.before().stream().flatMap(it -> it.effects().stream()).toList();
    List<List<String>> allowed = new ArrayList<>(List.of(before));
    for (int done = 0; done <= command.effects().size(); done++) {
      allowed.add(
          Stream.of(before, command.effects().subList(0, done), undo)
              .flatMap(List::stream)
              .toList());
    }
    assertThat(ledger()).as("effects on the ledger").isIn(allowed);
    assertThat(ledger.of(subject)).extracting(Entry::key).doesNotHaveDuplicates();
    assertThat(replies(command).stream().map(Run::answer).distinct())
        .as("every reply to " + command + " is the same")
        .hasSizeLessThan(2);
    assertThat(typesOfReplies(command))
        .isSubsetOf(
            command.answer(),
            command.refusal(Rejection.UNAVAILABLE),
            command.refusal(Rejection.CANCELLED));
  }

  List<String> ledger() {
    return kinds(subject);
  }

  /** The same of the subject of {@link #messageWithOtherPayload}. */
  List<String> ledgerOfOther() {
    return kinds(otherSubject);
  }

  private List<String> kinds(UUID of) {
    return ledger.of(of).stream().map(Entry::kind).toList();
  }

  /** Every reply to a command is the same, of this type, and the one that is stored, if any is. */
  void assertAnswered(RacedCommand asked, String type) throws Exception {
    List<OutboxMessage> replies = replies(asked);
    assertThat(replies).extracting(OutboxMessage::type).as("replies").contains(type);
    assertThat(replies.stream().map(Run::answer).distinct())
        .as("every reply to " + asked + " is the same")
        .hasSize(1);
    for (String outcome : race.outcomeOf(message(asked))) {
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
  void assertReplies(RacedCommand asked, int atLeast, int atMost) {
    assertThat(replies(asked).stream().map(OutboxMessage::id).distinct().count())
        .as("replies to " + asked)
        .isBetween((long) atLeast, (long) atMost);
  }

  /** The replies to this command, every publication of them. */
  List<OutboxMessage> replies(RacedCommand asked) {
    List<String> types = types(asked);
    return told().stream().filter(it -> types.contains(it.type())).toList();
  }

  private static List<String> types(RacedCommand asked) {
    return Stream.concat(Stream.of(asked.answer()), asked.refusals().values().stream()).toList();
  }

  /** Which types there are among the replies to a command. */
  Set<String> typesOfReplies(RacedCommand asked) {
    return Set.copyOf(replies(asked).stream().map(OutboxMessage::type).toList());
  }

  private static String answer(OutboxMessage reply) {
    return reply.type() + " " + reply.payload();
  }
}
