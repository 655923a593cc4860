package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.Caller.Answer;
import io.onceflow.idempotency.internal.execution.RequestOutcome;
import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators see: each request is counted once by what became of it, timed, and traced. */
@QuarkusTest
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
@Timeout(60)
class GuardTellsTest extends GuardedThings {

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @Test
  void thatOneWasExecutedAndOneReplayed() {
    assertThat(outcomeOf("/things")).isEqualTo("executed");
    assertThat(outcomeOf("/things")).isEqualTo("replayed");
    assertThat(outcomeOf("/things?other=request")).isEqualTo("mismatch");
  }

  @Test
  void thatOneRunsAndOneIsToldSo() throws Exception {
    Future<Answer> first = begin(threads, body);
    assertThat(outcomeOf("/things")).isEqualTo("rejected-in-flight");
    runs.open(name);
    first.get();
  }

  @Test
  void thatOneWasReleased() {
    assertThat(outcomeOf("/things/failing")).isEqualTo("released");
    assertThat(outcomeOf("/things/refused")).isEqualTo("released");
    assertThat(outcomeOf("/things/doomed-at-commit")).isEqualTo("released");
    assertThat(outcomeOf("/leased/failing")).isEqualTo("released");
  }

  @Test
  void thatOneWasAccepted() {
    assertThat(outcomeOf("/background")).isEqualTo("accepted");
  }

  @Test
  void whatWasDoneUnderWhichKey() {
    String trace = traced("/leased");
    assertThat(Spans.attributes(trace))
        .isEqualTo(Map.of("operation", "LeasedThings.make", "key", key, "outcome", "executed"));
  }

  @Test
  void howLongItTook() {
    long before = counts.timed("ThingsResource.make");
    ada.post("/things", key, body);
    ada.post("/things", key, body);
    assertThat(counts.timed("ThingsResource.make")).isEqualTo(before + 2);
  }

  @Test
  void eachOutcomeOnce() {
    String operation = "ThingsResource.fail";
    long released = counts.of(operation, RequestOutcome.RELEASED);
    ada.post("/things/failing", key, body);
    assertThat(counts.of(operation, RequestOutcome.RELEASED)).isEqualTo(released + 1);
    assertThat(counts.of(operation, RequestOutcome.EXECUTED)).isZero();
    assertThat(counts.of(operation, RequestOutcome.UNAVAILABLE)).isZero();
  }

  private String outcomeOf(String path) {
    return String.valueOf(Spans.attributes(traced(path)).get("outcome"));
  }

  private String traced(String path) {
    String trace = UUID.randomUUID().toString();
    ada.send(ada.request(path, body).header("Idempotency-Key", key).header(Spans.HEADER, trace));
    return trace;
  }
}
