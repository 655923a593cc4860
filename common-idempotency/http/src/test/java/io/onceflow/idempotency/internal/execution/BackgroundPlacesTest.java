package io.onceflow.idempotency.internal.execution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BackgroundPlacesTest {

  private static final int OFTEN = 300_000;

  @Test
  void bothLimitsHoldAndAPlaceIsGivenBack() {
    BackgroundPlaces places = new BackgroundPlaces(3, 2);
    assertThat(places.tryEnter("anna")).isTrue();
    assertThat(places.isFull("anna")).isFalse();
    assertThat(places.tryEnter("anna")).isTrue();
    assertThat(places.tryEnter("anna")).isFalse();
    assertThat(places.isFull("anna")).isTrue();
    assertThat(places.tryEnter("ben")).isTrue();
    assertThat(places.tryEnter("ben")).isFalse();
    assertThat(places.isFull("ben")).isFalse();

    places.leave("anna");

    assertThat(places.isFull("anna")).isFalse();
    assertThat(places.tryEnter("ben")).isTrue();
  }

  /** What finds no place in the process is not counted as the caller's, not even for a moment. */
  @Test
  void aStartWithoutAPlaceIsNotTheCallersQuota() {
    BackgroundPlaces places = new BackgroundPlaces(1, 1);
    assertThat(places.tryEnter("ben")).isTrue();

    CompletableFuture<Void> starts =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < OFTEN; i++) {
                places.tryEnter("anna");
              }
            });

    int refused = 0;
    do {
      refused += places.isFull("anna") ? 1 : 0;
    } while (!starts.isDone());
    starts.join();
    assertThat(refused).isZero();
  }
}
