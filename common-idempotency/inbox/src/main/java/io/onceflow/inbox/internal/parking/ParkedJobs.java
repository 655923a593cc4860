package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.audit.AuditEntry;
import io.onceflow.inbox.internal.audit.AuditLog;
import io.onceflow.inbox.internal.audit.AuditSubject;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAct;
import io.onceflow.inbox.internal.parking.ParkedJob.JobAction;
import io.onceflow.inbox.internal.parking.ParkedJobPreview.SampledMessage;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import io.onceflow.internal.database.DatabaseTransaction;
import io.onceflow.outbox.OutboxMessage;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What operators do with jobs on groups of parked messages. Each act is recorded in the audit log
 * in its own transaction; {@link FailedMessages} does the work, on any replica.
 */
@ApplicationScoped
public class ParkedJobs {

  /** Each may be a request to the service that keeps the sagas. */
  private static final int SAMPLES = 20;

  private final DataSource database;
  private final ParkedMessages parked;
  private final InboxQueues queues;
  private final ParkedJobRows rows;
  private final Duration longestAge;

  public ParkedJobs(
      DataSource database,
      ParkedMessages parked,
      InboxQueues queues,
      ObjectMapper json,
      InboxConfig config) {
    this.database = database;
    this.parked = parked;
    this.queues = queues;
    this.rows = new ParkedJobRows(json);
    this.longestAge = config.longestRedriveAge();
  }

  /**
   * A job that is asked for.
   *
   * @param group the fingerprint of a {@link ParkedGroup}
   * @param reason in the operator's words
   * @param by the subject of the token
   */
  public record Asked(JobAction action, String group, String reason, int perSecond, String by) {}

  /**
   * Starts a job on the messages that a group has now; those that are parked later are left out.
   *
   * @return empty when there is no such group
   * @throws ParkedJobRefused when another job of the group is not finished, or no loop of this
   *     application would carry it out
   */
  public Optional<ParkedJob> start(Asked asked) throws SQLException {
    if (queues.names().isEmpty()) {
      throw new ParkedJobRefused(
          "This application consumes no queue, so no loop of it would carry the job out.");
    }
    UUID id = OutboxMessage.newId();
    return DatabaseTransaction.call(
        database,
        tx -> {
          int total = ParkedJobRows.mark(tx, id, asked.group());
          if (total == 0 || !ParkedJobRows.insert(tx, id, asked, total)) {
            Optional<UUID> other = ParkedJobRows.unfinished(tx, asked.group());
            if (total == 0 && other.isEmpty()) {
              return Optional.<ParkedJob>empty();
            }
            throw new ParkedJobRefused(
                "Job %s is for the same group and not finished."
                    .formatted(other.map(UUID::toString).orElse("of another operator")));
          }
          String detail =
              "%s of %s messages of group %s, %s a second"
                  .formatted(word(asked.action()), total, asked.group(), asked.perSecond());
          Optional<ParkedJob> started = rows.find(tx, id);
          record(tx, asked.by(), "parked-job-start", id, asked.reason(), detail);
          return started;
        });
  }

  /**
   * What a job would come to.
   *
   * @param redriving asked about the newest messages, unless they are to be deleted
   * @param operator who asks
   * @return empty when there is no such group
   */
  public Optional<ParkedJobPreview> preview(
      JobAction action, String fingerprint, RedriveService redriving, Operator operator)
      throws SQLException {
    ParkedJobPreview counted;
    try (Connection connection = database.getConnection()) {
      counted = ParkedJobRows.count(connection, fingerprint, longestAge);
    }
    if (counted.count() == 0) {
      return Optional.empty();
    }
    boolean isRedrive = action == JobAction.REDRIVE;
    return Optional.of(
        new ParkedJobPreview(
            true,
            counted.count(),
            isRedrive ? counted.tooOld() : 0,
            counted.waiting(),
            isRedrive ? samples(fingerprint, redriving, operator) : List.of()));
  }

  private List<SampledMessage> samples(
      String fingerprint, RedriveService redriving, Operator operator) throws SQLException {
    List<SampledMessage> samples = new ArrayList<>();
    for (ParkedMessage each : parked.newest(null, null, fingerprint, SAMPLES)) {
      Optional<ParkedMessage> inFull = parked.find(each.id());
      if (inFull.isEmpty()) {
        continue;
      }
      Optional<RedriveResult> refusal = redriving.foresee(inFull.get(), operator);
      samples.add(
          new SampledMessage(
              each.id(),
              refusal.map(it -> it.outcome().word()).orElse(null),
              refusal.map(RedriveResult::detail).orElse(null)));
      if (refusal.filter(it -> it.outcome() == Outcome.SAGA_NOT_ASKED).isPresent()) {
        // The others are not answered either, each after its timeout.
        break;
      }
    }
    return samples;
  }

  /** The newest first. */
  public List<ParkedJob> newest(int limit) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return rows.newest(connection, limit);
    }
  }

  /**
   * Pauses, resumes or stops a job.
   *
   * @param reason for the audit log; null when nothing was said
   * @return empty when there is no such job
   * @throws ParkedJobRefused when that is not for a job of its status
   */
  public Optional<ParkedJob> change(UUID id, JobAct act, String by, @Nullable String reason)
      throws SQLException {
    return DatabaseTransaction.call(
        database,
        tx -> {
          Optional<ParkedJob> found = rows.lock(tx, id);
          if (found.isEmpty()) {
            return Optional.<ParkedJob>empty();
          }
          if (!act.isFor(found.get().status())) {
            throw new ParkedJobRefused(
                "Job %s is %s; %s is not for that.".formatted(id, found.get().status(), word(act)));
          }
          ParkedJobRows.change(tx, id, act.to());
          Optional<ParkedJob> changed = rows.find(tx, id);
          record(tx, by, "parked-job-" + word(act), id, reason, progress(found.get()));
          return changed;
        });
  }

  /** How far a job has come, for the audit log. */
  static String progress(ParkedJob job) {
    return "of %s messages: %s handled, %s still parked %s, %s pending"
        .formatted(job.total(), job.handled(), job.failed(), job.failures(), job.pending());
  }

  static void record(
      Connection tx,
      String by,
      String act,
      UUID job,
      @Nullable String reason,
      @Nullable String detail)
      throws SQLException {
    AuditLog.record(tx, new AuditEntry(by, act, AuditSubject.parkedJob(job), reason, detail));
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
