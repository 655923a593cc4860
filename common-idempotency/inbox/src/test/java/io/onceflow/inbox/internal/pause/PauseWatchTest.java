package io.onceflow.inbox.internal.pause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.internal.audit.AuditFilter;
import io.onceflow.inbox.internal.audit.AuditReads;
import io.onceflow.inbox.internal.audit.AuditRecord;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.internal.database.DatabaseWatch;
import io.onceflow.sql.Sql;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All replicas of a participant follow whether it is paused, also those that start later. */
class PauseWatchTest {

  private static final TestDatabase DATABASE = TestDatabase.apartInSchema("pause");
  private static final Duration SOON = Duration.ofSeconds(20);

  private final ParticipantPauses pauses = new ParticipantPauses(DATABASE.source(), "payments");
  private final List<Replica> replicas = new ArrayList<>();

  /** Does what it is told, and remembers the last of it. */
  private final class Replica implements PauseWatch.Intake {

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final PauseWatch watch = new PauseWatch(pauses, metrics, null);
    private volatile boolean hasTaken;
    private volatile boolean takes;

    Replica() {
      replicas.add(this);
      watch.prepare(this);
    }

    @Override
    public void take() {
      takes = true;
      hasTaken = true;
    }

    @Override
    public void rest() {
      takes = false;
    }

    double metric() {
      return metrics.get("onceflow.participant.paused").gauge().value();
    }
  }

  @AfterEach
  void resume() throws Exception {
    replicas.forEach(it -> it.watch.stop());
    pauses.resume("olga", "the test is over");
  }

  @Test
  void oneThatStartsWhileItIsPausedTakesNothing() throws Exception {
    pauses.pause("olga", "maintenance");

    Replica restarted = new Replica();

    assertThat(restarted.hasTaken).isFalse();
    assertThat(restarted.metric()).isEqualTo(1);
    pauses.resume("olga", "done");
    restarted.watch.lookNow();
    assertThat(restarted.takes).isTrue();
    assertThat(restarted.metric()).isZero();
  }

  @Test
  void theOtherReplicasFollowByThemselves() throws Exception {
    Replica one = new Replica();
    Replica other = new Replica();

    pauses.pause("olga", "maintenance");
    one.watch.lookNow();

    assertThat(one.takes).isFalse();
    ask(other.watch.question());
    await().atMost(SOON).until(() -> !other.takes);
    pauses.resume("olga", "done");
    ask(other.watch.question());
    await().atMost(SOON).until(() -> other.takes);
  }

  /** It was asked before this replica was told to pause, and comes after it. */
  @Test
  void anAnswerThatIsLateResumesNothing() throws Exception {
    Replica replica = new Replica();
    pauses.pause("olga", "maintenance");
    replica.watch.lookNow();

    replica.watch.question().listener().accept(false);

    await().during(Duration.ofMillis(200)).until(() -> !replica.takes);
  }

  /** As the watch of the database does with each look. */
  private static void ask(DatabaseWatch.Question question) throws Exception {
    try (Connection connection = DATABASE.source().getConnection()) {
      boolean answer =
          Sql.query(
                  connection,
                  "SELECT %s AS answer".formatted(question.condition()),
                  row -> row.truth("answer"),
                  question.parameter())
              .getFirst();
      question.listener().accept(answer);
    }
  }

  @Test
  void theFirstWhoPausedItIsTheOneWhoDid() throws Exception {
    assertThat(pauses.pause("olga", "maintenance")).isTrue();
    assertThat(pauses.pause("otto", "me too")).isFalse();

    assertThat(pauses.read().orElseThrow().by()).isEqualTo("olga");
    assertThat(pauses.resume("otto", "done")).isTrue();
    assertThat(pauses.resume("otto", "done")).isFalse();
    assertThat(audited().subList(0, 2))
        .containsExactly("otto resume done", "olga pause maintenance");
  }

  @Test
  void anotherParticipantIsNotPaused() throws Exception {
    new ParticipantPauses(DATABASE.source(), "shipping").pause("olga", "maintenance");

    assertThat(new Replica().takes).isTrue();
  }

  private static List<String> audited() throws Exception {
    AuditSubject subject = AuditSubject.participant("payments");
    return new AuditReads(DATABASE.source())
        .newest(new AuditFilter(subject, null, null, null, 10)).stream()
            .map(PauseWatchTest::words)
            .toList();
  }

  private static String words(AuditRecord entry) {
    return "%s %s %s".formatted(entry.actor(), entry.action(), entry.reason());
  }
}
