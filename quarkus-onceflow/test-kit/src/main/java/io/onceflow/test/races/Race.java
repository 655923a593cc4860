package io.onceflow.test.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.participant.Answer.ReplyOutcome;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.PendingSteps;
import io.onceflow.saga.internal.messaging.ReplyReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * One race: processes of a service, a broker between them and the test, and one customer whose
 * messages go around. No other rows have this customer's scope.
 */
final class Race implements AutoCloseable {

  private static final Duration SOON = Duration.ofSeconds(20);
  private static final Duration OFTEN = Duration.ofMillis(5);

  private static final String IS_TOLD =
      """
      SELECT saga.id::text
      FROM   saga_instance saga
      WHERE  scope = ?
      AND    id = ?::uuid
      AND    (position(? IN steps::text) > 0
              OR NOT EXISTS (
                   SELECT
                   FROM   saga_step step
                   WHERE  step.saga_id = saga.id
                   AND    step.due_at IS NOT NULL
                   AND    saga.root_key || ':' || step.command_name = ?))
      """;

  final String scope = "racer-" + UUID.randomUUID();
  final Post post;
  private final RacedService service;
  private final RacedQueue queue = new RacedQueue(this::isSettled);
  private final List<RacedProcess> processes = new ArrayList<>();
  private final HandlerTroubles troubles = new HandlerTroubles();
  private final Map<String, Map<UUID, Consumer<UUID>>> events = new ConcurrentHashMap<>();

  Race(RacedService service) {
    this.service = service;
    this.post = new Post(service);
  }

  /** Starts another process. */
  RacedProcess process() {
    RacedProcess process = new RacedProcess(service, troubles);
    processes.add(process);
    return process;
  }

  /** A process that lives, the oldest of them: it looks after what is left. */
  RacedProcess survivor() {
    return processes.stream().filter(it -> !it.isDead()).findFirst().orElseGet(this::process);
  }

  /** Has an event told of a subject while the step of this message is pending. */
  void tellWhilePending(RacedMessage message, UUID subject, Consumer<UUID> event) {
    troubles.mayBePending(message.type());
    events
        .computeIfAbsent(message.stepKey(), step -> new ConcurrentHashMap<>())
        .putIfAbsent(subject, event);
  }

  /** Hands a message to a process. */
  void send(RacedProcess to, RacedMessage message) {
    queue.hand(to, message);
  }

  /** How often a message was handed to a process, under any message-id. */
  int deliveries(RacedMessage message) {
    return queue.deliveries(message);
  }

  /** Hands several to a process, which takes them in one batch. */
  void sendTogether(RacedProcess to, List<RacedMessage> messages) throws SQLException {
    List<Delivery> batch = messages.stream().map(it -> queue.delivery(to, it)).toList();
    to.acceptTogether(batch);
  }

  /**
   * Until no process has work left and every reply is published. What a process had in hand when it
   * died is given to another one, and its leases end at once.
   */
  void settle() throws Exception {
    settleUntold();
    relay();
  }

  /** The same, with what is to be told still in the outbox. */
  void settleUntold() {
    until("everything is settled", this::isQuiet);
    assertThat(queue.acknowledgedEarly()).as("acknowledged before it was committed").isEmpty();
  }

  /** Has all that lies in the outbox published; what a relay had in hand when it died, too. */
  void relay() throws Exception {
    update(
        """
        UPDATE outbox_message
        SET    next_attempt_at = now()
        WHERE  aggregateid IN (
                 SELECT aggregateid             -- events of the same aggregate name no scope
                 FROM   outbox_message
                 WHERE  headers->>'x-idempotency-scope' = ?)
        """);
    update(
        """
        DELETE FROM outbox_lease
        WHERE  EXISTS (
                 SELECT
                 FROM   outbox_message
                 WHERE  id BETWEEN first_id AND last_id
                 AND    headers->>'x-idempotency-scope' = ?)
        """);
    post.relay();
    assertThat(
            number("SELECT count(*) FROM outbox_message WHERE headers->>'x-idempotency-scope' = ?"))
        .as("rows left in the outbox")
        .isZero();
  }

  /** Has what is parked retried, until nothing of this customer's is. */
  void tryAgain() {
    until(
        "what is parked is handled",
        () -> {
          survivor().tryAgain();
          return parked().isEmpty();
        });
  }

  /** Waits for something, for a while. */
  void until(String what, Callable<Boolean> condition) {
    await(what)
        .atMost(SOON)
        .pollDelay(Duration.ZERO)
        .pollInterval(OFTEN)
        // The threads of a process that has died may say what they like.
        .dontCatchUncaughtExceptions()
        .until(
            () -> {
              troubles.check();
              return condition.call();
            });
  }

  private boolean isQuiet() throws SQLException {
    for (RacedProcess process : List.copyOf(processes)) {
      if (process.hasJustDied()) {
        endLeases();
      }
    }
    RacedProcess survivor = survivor();
    queue.redeliver(survivor);
    tellEvents();
    return hasRecovered(survivor)
        && queue.isEmpty()
        && number("SELECT count(*) FROM inbox_message WHERE scope = ? AND status = 'STARTED'") == 0;
  }

  /** Tells what pending steps wait for, and has their handlers asked again. */
  private void tellEvents() throws SQLException {
    PendingSteps pending = new PendingSteps(service.database());
    for (String step : pendingSteps()) {
      events.getOrDefault(step, Map.of()).forEach((subject, event) -> event.accept(subject));
      troubles.wasToldAnEvent(step);
      pending.decideAgain(CallKey.of(scope, step));
    }
  }

  private List<String> pendingSteps() throws SQLException {
    return texts(
        """
        SELECT step_key
        FROM   inbox_message
        WHERE  scope = ?
        AND    status = 'STARTED'
        AND    pending_token = fencing_token    -- no attempt is under way
        """);
  }

  /** Whether a step has been answered, or as pending. */
  boolean isAnswered(RacedMessage message) throws SQLException {
    return "COMPLETED".equals(statusOf(message)) || pendingSteps().contains(message.stepKey());
  }

  /** False when it has died over it. */
  private static boolean hasRecovered(RacedProcess process) throws SQLException {
    try {
      process.recover();
      return true;
    } catch (SQLException | RuntimeException e) {
      if (!process.isDead()) {
        throw e;
      }
      return false;
    }
  }

  /** Ends the leases of all steps that are started, by the clock of the database. */
  void endLeases() throws SQLException {
    update(
        """
        UPDATE inbox_message
        SET    lease_expires_at = now() - interval '1 ms'
        WHERE  scope = ?
        AND    status = 'STARTED'
        """);
  }

  /** Whatever is started has expired long ago. */
  void expireWhatIsBegun() throws SQLException {
    update(
        """
        UPDATE inbox_message
        SET    envelope = jsonb_set(envelope::jsonb, '{expiresAt}', '"2020-01-01T00:00:00Z"')::json
        WHERE  scope = ?
        AND    status = 'STARTED'
        """);
  }

  /**
   * What the inbox says of a step, or an empty text: {@code STARTED}, … Of a reply its saga says
   * so: it is {@code COMPLETED} once the saga remembers it, or does not wait for it.
   */
  String statusOf(RacedMessage message) throws SQLException {
    if (message.step() == null) {
      return texts(IS_TOLD, message.correlationId(), memory(message), message.stepKey()).isEmpty()
          ? ""
          : "COMPLETED";
    }
    return String.join(
        ",",
        texts(
            "SELECT status FROM inbox_message WHERE scope = ? AND step_key = ?",
            message.stepKey()));
  }

  private static String memory(RacedMessage reply) {
    ReplyOutcome outcome =
        ReplyOutcome.of(reply.headers().get(MessageHeaders.OUTCOME)).orElseThrow();
    byte[] payload = reply.payload().getBytes(StandardCharsets.UTF_8);
    return ReplyReader.hash(reply.type(), outcome, payload);
  }

  /** How often a step has been started, by any process. */
  int attemptsOf(RacedMessage message) throws SQLException {
    return Integer.parseInt(
        texts(
                "SELECT attempts FROM inbox_message WHERE scope = ? AND step_key = ?",
                message.stepKey())
            .getFirst());
  }

  /** The stored outcome of a step, as JSON; nothing when it has none. */
  List<String> outcomeOf(RacedMessage message) throws SQLException {
    return texts(
        """
        SELECT outcome::text
        FROM   inbox_message
        WHERE  scope = ?
        AND    step_key = ?
        AND    status = 'COMPLETED'
        """,
        message.stepKey());
  }

  /** Why messages of this customer were parked. */
  List<String> parked() throws SQLException {
    return texts(
        "SELECT reason FROM parked_message WHERE headers->>'x-idempotency-scope' = ? ORDER BY id");
  }

  private boolean isSettled(RacedMessage message) {
    try {
      return !statusOf(message).isEmpty()
          || !texts(
                  """
                  SELECT reason
                  FROM   parked_message
                  WHERE  headers->>'x-idempotency-scope' = ?
                  AND    message_id = ?
                  """,
                  message.id())
              .isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private long number(String sql) throws SQLException {
    return Long.parseLong(texts(sql).getFirst());
  }

  /**
   * @param sql whose first parameter is the scope
   */
  private List<String> texts(String sql, String... more) throws SQLException {
    try (Connection connection = service.database().getConnection();
        PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, scope);
      for (int i = 0; i < more.length; i++) {
        query.setString(i + 2, more[i]);
      }
      List<String> texts = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
      return texts;
    }
  }

  private void update(String sql) throws SQLException {
    try (Connection connection = service.database().getConnection();
        PreparedStatement update = connection.prepareStatement(sql)) {
      update.setString(1, scope);
      update.executeUpdate();
    }
  }

  /** What a race that failed has not ended is no other's to take over. */
  @Override
  public void close() {
    processes.forEach(RacedProcess::stopSoon);
    try {
      update("DELETE FROM inbox_message WHERE scope = ? AND status = 'STARTED'");
    } catch (SQLException e) {
      throw new IllegalStateException("what the race has not ended could not be deleted", e);
    }
  }
}
