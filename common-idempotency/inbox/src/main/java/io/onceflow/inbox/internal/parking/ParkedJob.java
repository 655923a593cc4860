package io.onceflow.inbox.internal.parking;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.onceflow.inbox.internal.parking.RedriveResult.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A redrive or deletion of a group of parked messages, in the shape of its JSON.
 *
 * @param group the fingerprint of the group
 * @param parkedFor the reason that its messages are parked for
 * @param reason in the operator's words; null for callers who may not see it
 * @param finishedAt null until then
 * @param total the messages that the group had when it started
 * @param handled how many of them are parked no more
 * @param failures how many stay parked, by the {@link Outcome#word() outcome} of their redrive
 */
public record ParkedJob(
    UUID id,
    JobAction action,
    String group,
    String queue,
    @Nullable String type,
    String parkedFor,
    @Nullable String reason,
    int perSecond,
    JobStatus status,
    String startedBy,
    Instant startedAt,
    @Nullable Instant finishedAt,
    int total,
    int handled,
    Map<String, Integer> failures) {

  /** What is done to each message. */
  public enum JobAction {
    /** It is handled once more, as by {@link RedriveService}. */
    @JsonProperty("redrive")
    REDRIVE,
    /** It is deleted permanently. */
    @JsonProperty("delete")
    DELETE
  }

  /** Where a job stands. */
  public enum JobStatus {
    RUNNING,
    PAUSED,
    /** An operator ended it; the pending messages are left as they were. */
    STOPPED,
    /** It has come to each message. */
    FINISHED
  }

  /** What operators do with a job that has started. */
  public enum JobAct {
    PAUSE(JobStatus.PAUSED, JobStatus.RUNNING),
    RESUME(JobStatus.RUNNING, JobStatus.PAUSED),
    STOP(JobStatus.STOPPED, JobStatus.RUNNING, JobStatus.PAUSED);

    private final JobStatus to;
    private final List<JobStatus> from;

    JobAct(JobStatus to, JobStatus... from) {
      this.to = to;
      this.from = List.of(from);
    }

    JobStatus to() {
      return to;
    }

    boolean isFor(JobStatus status) {
      return from.contains(status);
    }
  }

  /** How many stay parked. */
  @JsonProperty
  public int failed() {
    return failures.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How many it has not come to. */
  @JsonProperty
  public int pending() {
    return total - handled - failed();
  }

  /** How long the pending ones take at its rate; null unless it is running. */
  @JsonProperty
  public @Nullable Long etaMs() {
    return status == JobStatus.RUNNING ? pending() * 1_000L / perSecond : null;
  }

  /** As a caller sees it who may not see what operators write. */
  public ParkedJob withoutReason() {
    return new ParkedJob(
        id,
        action,
        group,
        queue,
        type,
        parkedFor,
        null,
        perSecond,
        status,
        startedBy,
        startedAt,
        finishedAt,
        total,
        handled,
        failures);
  }
}
