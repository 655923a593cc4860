package io.onceflow.inbox.internal.parking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.onceflow.idempotency.testing.TestDatabase;
import io.onceflow.inbox.TestConfig;
import io.onceflow.inbox.internal.audit.AuditReads;
import io.onceflow.inbox.internal.audit.AuditRecord;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.consumer.Redriver;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAct;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAction;
import io.onceflow.inbox.internal.parking.ParkedJob.JobStatus;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.outbox.OwnUnitOfWork;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A group of parked messages is redriven or deleted by the service itself. */
@Timeout(60)
class ParkedJobsTest {

  private static final TestDatabase DATABASE = TestDatabase.inSchema("parked_jobs");
  private static final UnitOfWork UNIT_OF_WORK = OwnUnitOfWork.on(DATABASE.source());

  private final ParkedMessages parked =
      new ParkedMessages(DATABASE.source(), new ObjectMapper(), new SimpleMeterRegistry());
  private final InboxQueues queues = new InboxQueues();
  private final ParkedJobs jobs =
      new ParkedJobs(DATABASE.source(), parked, queues, new ObjectMapper(), TestConfig.inbox());
  private final ConcurrentLinkedQueue<String> handled = new ConcurrentLinkedQueue<>();

  /** Handles each message but those that say that they are bad. */
  private final Redriver redriver =
      some ->
          UNIT_OF_WORK.call(
              tx -> {
                Optional<Delivery> taken = some.take(tx);
                if (taken.isEmpty()) {
                  return false;
                }
                String body = new String(taken.get().body(), UTF_8);
                if (body.startsWith("bad")) {
                  throw new UnprocessableMessage(ParkingReason.MALFORMED, "it is bad");
                }
                handled.add(body);
                return true;
              });

  private final FailedMessages replica = replica();

  @BeforeEach
  void forget() {
    DATABASE.update("TRUNCATE parked_message, parked_job");
    queues.register("q", redriver);
  }

  private FailedMessages replica() {
    return new FailedMessages(redriver, parked, TestConfig.inbox());
  }

  @Test
  void redrivesEachMessageOfItsGroupAndNoOther() throws Exception {
    park("A", "1", "2", "bad 3", "4");
    park("B", "5");

    ParkedJob started = start(JobAction.REDRIVE, "A", 100);
    assertThat(started.total()).isEqualTo(4);
    assertThat(started.pending()).isEqualTo(4);
    ParkedJob ended = awaitEnd();

    assertThat(handled).containsExactlyInAnyOrder("1", "2", "4");
    assertThat(ended.status()).isEqualTo(JobStatus.FINISHED);
    assertThat(ended.handled()).isEqualTo(3);
    assertThat(ended.failures()).isEqualTo(Map.of("still-unhandled", 1));
    assertThat(ended.pending()).isZero();
    assertThat(DATABASE.texts("SELECT type FROM parked_message ORDER BY type"))
        .containsExactly("A", "B");
    assertThat(acts())
        .contains(
            "olga parked-job-start the gateway is back",
            "olga redrive null",
            "olga redrive-outcome null",
            "olga parked-job-finish null");
  }

  @Test
  void deletesWithItsReasonInTheAudit() throws Exception {
    park("A", "1", "2");

    start(JobAction.DELETE, "A", 100);
    ParkedJob ended = awaitEnd();

    assertThat(handled).isEmpty();
    assertThat(ended.handled()).isEqualTo(2);
    assertThat(DATABASE.number("SELECT count(*) FROM parked_message")).isZero();
    assertThat(acts().stream().filter("olga delete the gateway is back"::equals)).hasSize(2);
  }

  /** The allowance of a second at most is kept, and of one a second that is one message. */
  @Test
  void keepsToItsRate() throws Exception {
    park("A", "1", "2", "3");
    start(JobAction.REDRIVE, "A", 1);

    for (int turn = 1; turn <= 3; turn++) {
      DATABASE.update("UPDATE parked_job SET spent_until = now() - interval '1 h'");
      replica.tryAgain();
      assertThat(handled).hasSize(turn);
    }
  }

  @Test
  void doesNothingWhilePausedAndNothingMoreOnceStopped() throws Exception {
    park("A", "1", "2", "3");
    ParkedJob job = start(JobAction.REDRIVE, "A", 1);

    change(job, JobAct.PAUSE);
    DATABASE.update("UPDATE parked_job SET spent_until = now() - interval '1 h'");
    assertThat(replica.tryAgain()).as("no job runs").isZero();
    assertThat(handled).isEmpty();
    assertThatThrownBy(() -> change(job, JobAct.PAUSE)).isInstanceOf(ParkedJobRefused.class);

    assertThat(change(job, JobAct.RESUME).status()).isEqualTo(JobStatus.RUNNING);
    DATABASE.update("UPDATE parked_job SET spent_until = now() - interval '1 h'");
    replica.tryAgain();
    ParkedJob stopped = change(job, JobAct.STOP);

    assertThat(stopped.handled()).isEqualTo(1);
    assertThat(stopped.pending()).as("as they were").isEqualTo(2);
    DATABASE.update("UPDATE parked_job SET spent_until = now() - interval '1 h'");
    replica.tryAgain();
    assertThat(handled).hasSize(1);
    assertThat(DATABASE.number("SELECT count(*) FROM parked_message WHERE job_id IS NULL"))
        .isEqualTo(2);
    assertThatThrownBy(() -> change(job, JobAct.RESUME)).isInstanceOf(ParkedJobRefused.class);
  }

  @Test
  void isOneAtATimeForAGroup() throws Exception {
    park("A", "1");
    ParkedJob first = start(JobAction.REDRIVE, "A", 1);
    park("A", "2");

    assertThatThrownBy(() -> start(JobAction.DELETE, "A", 1))
        .isInstanceOf(ParkedJobRefused.class)
        .hasMessageContaining(first.id().toString());
    assertThat(DATABASE.number("SELECT count(*) FROM parked_message WHERE job_id IS NOT NULL"))
        .as("those parked later are left out")
        .isEqualTo(1);
    ParkedJobs.Asked ofNone =
        new ParkedJobs.Asked(JobAction.REDRIVE, "0".repeat(32), "why", 1, "olga");
    assertThat(jobs.start(ofNone)).isEmpty();
  }

  /** A process that dies at a message leaves its lease behind. */
  @Test
  void isContinuedByAnotherReplicaWhereOneHasDied() throws Exception {
    park("A", "1");
    start(JobAction.REDRIVE, "A", 100);
    DATABASE.update("UPDATE parked_message SET job_lease_until = now() + interval '1 min'");
    DATABASE.update("UPDATE parked_job SET spent_until = now() - interval '1 h'");

    replica().tryAgain();
    assertThat(handled).as("it may still be at it").isEmpty();

    DATABASE.update("UPDATE parked_message SET job_lease_until = now() - interval '1 s'");
    assertThat(awaitEnd().handled()).isEqualTo(1);
    assertThat(handled).containsExactly("1");
  }

  @Test
  void isSharedByReplicas() throws Exception {
    String[] bodies =
        Stream.iterate(1, i -> i + 1).limit(40).map(String::valueOf).toArray(String[]::new);
    park("A", bodies);
    start(JobAction.REDRIVE, "A", 100);
    FailedMessages other = replica();

    await()
        .until(
            () -> {
              CompletableFuture<Void> beside = CompletableFuture.runAsync(() -> turnOf(other));
              turnOf(replica);
              beside.join();
              return jobs.newest(1).getFirst().status() == JobStatus.FINISHED;
            });

    assertThat(handled).containsExactlyInAnyOrder(bodies);
    assertThat(jobs.newest(1).getFirst().handled()).isEqualTo(40);
  }

  @Test
  void tellsBeforehandWhatWouldStayParked() throws Exception {
    park("A", "1", "2");
    DATABASE.update(
        "UPDATE parked_message SET correlation_id = 'ended', parked_at = now() - interval '60 d' WHERE payload = '1'");
    RedriveService asking =
        new RedriveService(
            redriver,
            parked,
            (message, operator) -> Optional.of("It has ended."),
            TestConfig.inbox());

    ParkedJobPreview preview =
        jobs.preview(JobAction.REDRIVE, group("A"), asking, new Operator("olga", "token"))
            .orElseThrow();

    assertThat(preview.count()).isEqualTo(2);
    assertThat(preview.tooOld()).isEqualTo(1);
    assertThat(preview.samples())
        .extracting(ParkedJobPreview.SampledMessage::why)
        .containsExactlyInAnyOrder("It has ended.", null);
    assertThat(handled).isEmpty();
    assertThat(jobs.newest(9)).isEmpty();
  }

  private static void turnOf(FailedMessages replica) {
    try {
      replica.tryAgain();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private ParkedJob start(JobAction action, String type, int perSecond) throws SQLException {
    String why = "the gateway is back";
    return jobs.start(new ParkedJobs.Asked(action, group(type), why, perSecond, "olga"))
        .orElseThrow();
  }

  private ParkedJob change(ParkedJob job, JobAct act) throws SQLException {
    return jobs.change(job.id(), act, "olga", "why").orElseThrow();
  }

  private ParkedJob awaitEnd() {
    await()
        .until(
            () -> {
              replica.tryAgain();
              return jobs.newest(1).getFirst().finishedAt() != null;
            });
    try {
      return jobs.newest(1).getFirst();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String group(String type) throws SQLException {
    return new ParkedGroups(DATABASE.source())
        .largest().stream()
            .filter(it -> type.equals(it.type()))
            .map(ParkedGroup::fingerprint)
            .findFirst()
            .orElseThrow();
  }

  private static List<String> acts() throws SQLException {
    List<String> acts = new ArrayList<>();
    new AuditReads(DATABASE.source()).all(entry -> acts.add(act(entry)));
    return acts;
  }

  private static String act(AuditRecord entry) {
    return "%s %s %s".formatted(entry.actor(), entry.action(), entry.reason());
  }

  private static void park(String type, String... bodies) {
    for (String body : bodies) {
      DATABASE.update(
          """
          INSERT INTO parked_message (id, queue, type, payload, reason, detail)
          VALUES (gen_random_uuid(), 'q', ?, convert_to(?, 'UTF8'), 'handling-failed', 'away')
          """,
          type,
          body);
    }
  }
}
