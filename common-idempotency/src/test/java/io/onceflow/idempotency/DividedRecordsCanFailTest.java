package io.onceflow.idempotency;

import static io.onceflow.idempotency.Idempotent.Mode.LEASED;
import static io.onceflow.idempotency.Idempotent.Mode.TRANSACTIONAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.onceflow.idempotency.StoreLawsCanFailTest.Law;
import io.onceflow.idempotency.testing.Midnight;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dividing the records by days breaks the laws at midnight, but for the trigger. */
@Timeout(60)
class DividedRecordsCanFailTest {

  private static final Midnight MIDNIGHT = Midnight.in("by_day_for_worse", ExpiredRecords.TABLE);

  @AfterEach
  void mend() {
    MIDNIGHT
        .database()
        .update("ALTER TABLE idempotency_record ENABLE TRIGGER idempotency_record_once");
  }

  static Stream<Law> laws() {
    return Stream.of(
        l -> l.aCompletedOneIsFoundWithItsExactBytes(TRANSACTIONAL),
        l -> l.aCompletedOneIsFoundWithItsExactBytes(LEASED),
        l -> l.manyFindACompletedOneAtOnce(TRANSACTIONAL),
        l -> l.anotherFingerprintIsTold(TRANSACTIONAL),
        l -> l.theFirstAnswerStandsHoweverOftenItIsAskedFor(LEASED),
        IdempotencyStoreLaws::aLeaseOutlivesItsProcess,
        IdempotencyStoreLaws::aLiveLeaseIsNotTakenOver,
        IdempotencyStoreLaws::anEndedLeaseIsNotTakenOverByAnotherRequest);
  }

  @ParameterizedTest
  @MethodSource("laws")
  void breakWithoutTheTrigger(Law law) {
    MIDNIGHT
        .database()
        .update("ALTER TABLE idempotency_record DISABLE TRIGGER idempotency_record_once");
    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> law.holdsFor(newLaws()));
  }

  @ParameterizedTest
  @MethodSource("laws")
  void holdWithIt(Law law) throws Exception {
    law.holdsFor(newLaws());
  }

  /** Were both rows there, the second day would not know of the first. */
  @Test
  void holdAKeyOnceOnBothDaysTogether() throws Exception {
    IdempotencyStoreLaws laws = newLaws();
    laws.run(LEASED, StoreUnderTest.response("before midnight"));
    laws.find(LEASED);
    assertThat(
            MIDNIGHT
                .database()
                .number(
                    "SELECT count(*) FROM idempotency_record WHERE key = ?",
                    laws.key.key().value()))
        .isEqualTo(1);
  }

  private static IdempotencyStoreLaws newLaws() {
    return new PartitionedIdempotencyStoreTest() {
      @Override
      Midnight midnight() {
        return MIDNIGHT;
      }
    };
  }
}
