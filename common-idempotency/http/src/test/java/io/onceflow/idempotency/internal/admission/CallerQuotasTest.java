package io.onceflow.idempotency.internal.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.admission.CallerQuotas.Memory;
import io.onceflow.idempotency.internal.admission.RequestPattern.Kind;
import io.onceflow.idempotency.internal.store.StoredResponse;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What one caller may have, and that it is not at the expense of others. */
class CallerQuotasTest {

  private static final int IN_HAND = 3;
  private static final int BURST = 10;
  private static final int REMEMBERED = 4;
  private static final int BYTES = 1_000;

  private final AtomicLong nanos = new AtomicLong();
  private final CallerQuotas quotas = new CallerQuotas(config(), nanos::get);

  @Test
  void aCallerHasSoManyRequestsInHandAndOthersHaveTheirs() {
    for (int i = 0; i < IN_HAND; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK).map(QuotaExceeded::policy))
        .hasValue(CallerQuotas.CONCURRENCY);
    assertThat(quotas.tryEnter("bob", Kind.BEGINS_WORK)).isEmpty();
    leave("ada");
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
  }

  @Test
  void whileRequestsAreSlowNoCallerHasMoreInHandThanAllOthers() {
    CallerQuotas quotas = quotas(100);
    shareSlowly(quotas);
    for (int i = 0; i < CallerQuotas.LEAST_IN_HAND; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
    QuotaExceeded over = quotas.tryEnter("ada", Kind.BEGINS_WORK).orElseThrow();
    assertThat(over.policy()).isEqualTo(CallerQuotas.CONCURRENCY);
    assertThat(over.quota()).isEqualTo(CallerQuotas.LEAST_IN_HAND);
    for (int i = 0; i <= CallerQuotas.LEAST_IN_HAND; i++) {
      assertThat(quotas.tryEnter("caller " + i, Kind.BEGINS_WORK)).isEmpty();
    }
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
  }

  @Test
  void aCallerWhoIsAloneMayBeSlow() {
    CallerQuotas quotas = quotas(100);
    shareSlowly(quotas);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    for (int i = 0; i < 50; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
  }

  @Test
  void aCallerWhoComesLongAfterTheLastOneIsAlone() {
    CallerQuotas quotas = quotas(100);
    enterSlowly(quotas, "bob", 1);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    enterSlowly(quotas, "ada", 10);
    for (int i = 0; i < 50; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
  }

  @Test
  void aCallerWhoseRequestsStillRunSharesTheProcess() {
    CallerQuotas quotas = quotas(100);
    assertThat(quotas.tryEnter("bob", Kind.BEGINS_WORK)).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    enterSlowly(quotas, "ada", 10);
    for (int i = 0; i < CallerQuotas.LEAST_IN_HAND; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isPresent();
  }

  /** So many requests at once, which take half a second. */
  private void enterSlowly(CallerQuotas quotas, String caller, int requests) {
    long enteredAt = nanos.get();
    for (int i = 0; i < requests; i++) {
      assertThat(quotas.tryEnter(caller, Kind.BEGINS_WORK)).isEmpty();
    }
    nanos.addAndGet(Duration.ofMillis(500).toNanos());
    for (int i = 0; i < requests; i++) {
      quotas.leave(caller, enteredAt);
    }
  }

  @Test
  void callersWhoAreServedQuicklyAreNotCompared() {
    CallerQuotas quotas = quotas(100);
    quotas.tryEnter("bob", Kind.BEGINS_WORK);
    quotas.leave("bob", nanos.get());
    for (int i = 0; i < 50; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
  }

  /** Two callers in turn, and each request takes half a second. */
  private void shareSlowly(CallerQuotas quotas) {
    for (int i = 0; i < 10; i++) {
      String caller = i % 2 == 0 ? "ada" : "bob";
      long enteredAt = nanos.get();
      assertThat(quotas.tryEnter(caller, Kind.BEGINS_WORK)).isEmpty();
      nanos.addAndGet(Duration.ofMillis(500).toNanos());
      quotas.leave(caller, enteredAt);
    }
  }

  @Test
  void aCallerHasSoManyRequestsInASecond() {
    for (int i = 0; i < BURST; i++) {
      assertThat(enterAndLeave("ada")).isEmpty();
    }
    QuotaExceeded over = enterAndLeave("ada").orElseThrow();
    assertThat(over.policy()).isEqualTo(CallerQuotas.REQUESTS);
    assertThat(over.retryAfter()).isEqualTo(Duration.ofMillis(500));
    assertThat(enterAndLeave("bob")).isEmpty();
    nanos.addAndGet(over.retryAfter().toNanos());
    assertThat(enterAndLeave("ada")).isEmpty();
    assertThat(enterAndLeave("ada")).isPresent();
  }

  @Test
  void aRequestWithManyOperationsCostsAsManyAndMayLeaveADebt() {
    int operations = 3 * BURST;
    assertThat(quotas.tryCharge("ada", operations)).isEmpty();
    QuotaExceeded over = quotas.tryCharge("ada", operations).orElseThrow();
    assertThat(over.retryAfter()).isEqualTo(Duration.ofMillis(10_500));
    assertThat(enterAndLeave("ada")).isPresent();
    assertThat(quotas.tryCharge("bob", operations)).isEmpty();
  }

  @Test
  void whatIsNotUsedDoesNotAddUp() {
    nanos.addAndGet(Duration.ofDays(1).toNanos());
    for (int i = 0; i < BURST; i++) {
      assertThat(enterAndLeave("ada")).isEmpty();
    }
    assertThat(enterAndLeave("ada")).isPresent();
  }

  @Test
  void aRefusedRequestHasNoPlaceToGiveBack() {
    for (int i = 0; i < IN_HAND; i++) {
      quotas.tryEnter("ada", Kind.BEGINS_WORK);
    }
    quotas.tryEnter("ada", Kind.BEGINS_WORK);
    for (int i = 0; i < IN_HAND; i++) {
      leave("ada");
    }
    for (int i = 0; i < IN_HAND; i++) {
      assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isEmpty();
    }
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isPresent();
  }

  @Test
  void oneCallersBodiesTakeHalfOfTheRoom() {
    assertThat(quotas.tryTake("ada", Memory.BODIES, 500)).isEqualTo(CallerQuotas.Room.TAKEN);
    assertThat(quotas.tryTake("ada", Memory.BODIES, 1)).isEqualTo(CallerQuotas.Room.CALLER_FULL);
    assertThat(quotas.tryTake("bob", Memory.BODIES, 500)).isEqualTo(CallerQuotas.Room.TAKEN);
    assertThat(quotas.tryTake("eve", Memory.BODIES, 1)).isEqualTo(CallerQuotas.Room.FULL);
    quotas.giveBack("ada", Memory.BODIES, 500);
    assertThat(quotas.tryTake("eve", Memory.BODIES, 1)).isEqualTo(CallerQuotas.Room.TAKEN);
  }

  @Test
  void aBodyLongerThanTheRoomIsTakenWhenItIsAlone() {
    assertThat(quotas.tryTake("ada", Memory.BODIES, 5 * BYTES)).isEqualTo(CallerQuotas.Room.TAKEN);
    assertThat(quotas.tryTake("bob", Memory.BODIES, 1)).isEqualTo(CallerQuotas.Room.FULL);
  }

  /** 300 orders of 500 lines at once: another's order waited ten seconds. */
  @Test
  void aLongBodyOrAnswerCountsAsSeveralRequests() {
    quotas.charge("ada", Kind.BEGINS_WORK, 2 * BURST * CallerQuotas.BYTES_OF_AN_OPERATION);
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK).map(QuotaExceeded::policy))
        .hasValue(CallerQuotas.REQUESTS);
    assertThat(quotas.tryEnter("bob", Kind.BEGINS_WORK)).isEmpty();
  }

  @Test
  void readingHasARateOfItsOwnAndSharesThePlaces() {
    for (int i = 0; i < BURST; i++) {
      assertThat(enterAndLeave("ada")).isEmpty();
    }
    assertThat(enterAndLeave("ada")).isPresent();
    for (int i = 0; i < IN_HAND; i++) {
      assertThat(quotas.tryEnter("ada", Kind.OTHER)).isEmpty();
    }
    assertThat(quotas.tryEnter("ada", Kind.OTHER).map(QuotaExceeded::policy))
        .hasValue(CallerQuotas.CONCURRENCY);
  }

  /** Before: two whose clients took nothing had all of it for half a minute. */
  @Test
  void thoseWhoTakeNoAnswersLeaveRoomForOthers() {
    for (String slow : List.of("ada", "bob", "cid")) {
      while (quotas.tryTake(slow, Memory.ANSWERS, 25) == CallerQuotas.Room.TAKEN) {
        assertThat(quotas.held(Memory.ANSWERS)).isLessThan(BYTES);
      }
      assertThat(quotas.tryTake(slow, Memory.ANSWERS, 25)).isEqualTo(CallerQuotas.Room.CALLER_FULL);
    }

    assertThat(quotas.tryTake("eve", Memory.ANSWERS, 25)).isEqualTo(CallerQuotas.Room.TAKEN);
  }

  @Test
  void answersHaveRoomOfTheirOwn() {
    quotas.hold("ada", Memory.ANSWERS, BYTES);
    assertThat(quotas.tryTake("ada", Memory.ANSWERS, 1)).isEqualTo(CallerQuotas.Room.CALLER_FULL);
    assertThat(quotas.tryTake("bob", Memory.ANSWERS, 1)).isEqualTo(CallerQuotas.Room.FULL);
    assertThat(quotas.tryTake("ada", Memory.BODIES, 1)).isEqualTo(CallerQuotas.Room.TAKEN);
    quotas.giveBack("ada", Memory.ANSWERS, BYTES);
    assertThat(quotas.tryTake("bob", Memory.ANSWERS, 1)).isEqualTo(CallerQuotas.Room.TAKEN);
    assertThat(quotas.overBytes(Memory.ANSWERS).policy()).isEqualTo("answers");
  }

  @Test
  void noMoreCallersAreRememberedThanConfigured() {
    for (int i = 0; i < 100; i++) {
      enterAndLeave("caller " + i);
    }
    assertThat(quotas.remembered()).isEqualTo(REMEMBERED);
  }

  @Test
  void aCallerWithSomethingInHandIsNotForgotten() {
    for (int i = 0; i < IN_HAND; i++) {
      quotas.tryEnter("ada", Kind.BEGINS_WORK);
    }
    for (int i = 0; i < 100; i++) {
      enterAndLeave("caller " + i);
    }
    assertThat(quotas.tryEnter("ada", Kind.BEGINS_WORK)).isPresent();
  }

  /** Formerly such a caller was forgotten at once, and had a request less than none later. */
  @Test
  void aCallerBeyondThoseRememberedIsCountedWhenAllHaveSomethingInHand() {
    for (int i = 0; i <= REMEMBERED; i++) {
      assertThat(quotas.tryEnter("caller " + i, Kind.BEGINS_WORK)).isEmpty();
    }
    for (int i = 0; i <= REMEMBERED; i++) {
      leave("caller " + i);
    }
    String last = "caller " + REMEMBERED;
    for (int i = 0; i < IN_HAND; i++) {
      assertThat(quotas.tryEnter(last, Kind.BEGINS_WORK)).isEmpty();
    }
    assertThat(quotas.tryEnter(last, Kind.BEGINS_WORK)).isPresent();
  }

  @Test
  void theAnswerNamesTheQuotaInTheFieldsOfTheDraft() {
    var answer =
        new QuotaExceeded("requests", 2_000, null, 10L, Duration.ofMillis(2_100))
            .response("/orders");
    assertThat(answer.getStatus()).isEqualTo(429);
    assertThat(answer.getHeaderString("RateLimit-Policy")).isEqualTo("\"requests\";q=2000;w=10");
    assertThat(answer.getHeaderString("RateLimit")).isEqualTo("\"requests\";r=0;t=3");
    assertThat(answer.getHeaderString("Retry-After")).isEqualTo("3");
    assertThat(
            new QuotaExceeded("content", 9, "content-bytes", null, Duration.ZERO)
                .response("/orders")
                .getHeaderString("RateLimit-Policy"))
        .isEqualTo("\"content\";q=9;qu=\"content-bytes\"");
  }

  /** It asks to come back; kept, it would be the answer for a day. */
  @Test
  void anAnswerThatAsksToComeBackIsNotKeptWhereRefusalsAre() {
    StoredResponse answer = new StoredResponse(429, Map.of(), new byte[0]);
    assertThat(answer.isRefusal()).isFalse();
    assertThat(answer.isFailure()).isTrue();
  }

  private Optional<QuotaExceeded> enterAndLeave(String caller) {
    Optional<QuotaExceeded> over = quotas.tryEnter(caller, Kind.BEGINS_WORK);
    if (over.isEmpty()) {
      leave(caller);
    }
    return over;
  }

  private void leave(String caller) {
    quotas.leave(caller, nanos.get());
  }

  private CallerQuotas quotas(int mostInHand) {
    return new CallerQuotas(config(mostInHand, 1_000, 1_000), nanos::get);
  }

  private static AdmissionConfig config() {
    return config(IN_HAND, 2, BURST);
  }

  private static AdmissionConfig config(int mostInHand, int perSecond, int burst) {
    return new SmallRyeConfigBuilder()
        .withMapping(AdmissionConfig.class)
        .withConverter(MemorySize.class, 100, new MemorySizeConverter())
        .withDefaultValue("onceflow.admission.caller.most-in-hand", Integer.toString(mostInHand))
        .withDefaultValue("onceflow.admission.caller.per-second", Integer.toString(perSecond))
        .withDefaultValue("onceflow.admission.caller.burst", Integer.toString(burst))
        .withDefaultValue("onceflow.admission.caller.remembered", Integer.toString(REMEMBERED))
        .withDefaultValue("onceflow.admission.most-bytes-in-hand", Integer.toString(BYTES))
        .build()
        .getConfigMapping(AdmissionConfig.class);
  }
}
