package io.onceflow.web.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.web.internal.http.BodyShares.Room;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodySharesTest {

  private final BodyShares<String> shares = new BodyShares<>(2, 10);

  @Test
  void oneMoreOfAnAddressDisplacesItsOldest() {
    shares.begin("theirs", "b");
    shares.begin("first", "a");
    shares.begin("second", "a");

    assertThat(shares.begin("third", "a").displaced()).containsExactly("first");
    assertThat(shares.incomplete()).containsExactly("theirs", "second", "third");
  }

  @Test
  void bytesBeyondTheBoundDisplaceTheOldestThatIsIncomplete() {
    shares.begin("complete", "a");
    shares.grow("complete", 4);
    shares.complete("complete");
    shares.begin("slow", "b");
    shares.grow("slow", 4);
    shares.begin("new", "c");

    Room<String> room = shares.grow("new", 6);

    assertThat(room.displaced()).containsExactly("slow");
    assertThat(room.fits()).isTrue();
    assertThat(shares.bytes()).isEqualTo(10);
  }

  @Test
  void aBodyIsRefusedWhereAllOthersAreComplete() {
    shares.begin("complete", "a");
    shares.grow("complete", 10);
    shares.complete("complete");
    shares.begin("new", "b");

    assertThat(shares.grow("new", 1).fits()).isFalse();
    assertThat(shares.bytes()).isEqualTo(10);
  }

  @Test
  void nothingIsHeldOfWhatWasReleased() {
    shares.begin("one", "a");
    shares.grow("one", 7);
    shares.complete("one");
    shares.release("one");
    shares.release("one");
    shares.grow("one", 5); // arrives after it was given up

    assertThat(shares.bytes()).isZero();
    assertThat(shares.incomplete()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "5, 0, false",
    "6, 100, true",
    "6, 1439, true",
    "6, 1440, false",
    "30, 7200, false",
    "31, 1000000, true"
  })
  void aBodyIsTooSlowBelowTheRateOrAfterTheLimit(int seconds, int received, boolean tooSlow) {
    BodyRate rate = new BodyRate(240, Duration.ofSeconds(5), Duration.ofSeconds(30));

    assertThat(rate.isTooSlow(Duration.ofSeconds(seconds).toNanos(), received)).isEqualTo(tooSlow);
  }
}
