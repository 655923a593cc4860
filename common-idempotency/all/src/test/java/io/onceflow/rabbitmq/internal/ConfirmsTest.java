package io.onceflow.rabbitmq.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.outbox.internal.transport.Publisher.Published;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule 3 in small: what counts as confirmed. */
@Timeout(30)
class ConfirmsTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration NOW = Duration.ZERO;

  private final Confirms confirms = new Confirms(() -> {});
  private final UUID one = UUID.randomUUID();
  private final UUID two = UUID.randomUUID();
  private final UUID three = UUID.randomUUID();

  private void expect(long sequenceNumber, UUID id) {
    confirms.expect(sequenceNumber, id, id, true);
  }

  @BeforeEach
  void threeArePublished() {
    expect(1, one);
    expect(2, two);
    expect(3, three);
  }

  @Test
  void anAckConfirmsOne() throws Exception {
    confirms.acked(2, false);
    assertThat(confirms.await(NOW).confirmed()).containsExactly(two);
    assertThat(confirms.isSettled()).isFalse();
  }

  @Test
  void aMultipleAckConfirmsAllUpToIt() throws Exception {
    confirms.acked(2, true);
    assertThat(confirms.await(NOW).confirmed()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void theAcksMayComeInAnyOrder() throws Exception {
    confirms.acked(3, false);
    confirms.acked(1, false);
    confirms.acked(2, false);
    assertThat(confirms.await(LONG).confirmed()).containsExactlyInAnyOrder(one, two, three);
    assertThat(confirms.isSettled()).isTrue();
  }

  @Test
  void aReturnBeforeItsAckIsARefusal() throws Exception {
    confirms.returned(two, "no queue is bound");
    confirms.acked(3, true);
    Published published = confirms.await(LONG);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(one, three);
    assertThat(published.refused()).containsExactly(Map.entry(two, "no queue is bound"));
  }

  @Test
  void aNackIsARefusal() throws Exception {
    confirms.nacked(1, false);
    confirms.acked(3, true);
    Published published = confirms.await(LONG);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(two, three);
    assertThat(published.refused()).containsOnlyKeys(one);
  }

  @Test
  void aReturnAfterItsNackSaysWhy() throws Exception {
    confirms.nacked(1, false);
    confirms.returned(one, "no queue is bound");
    assertThat(confirms.await(NOW).refused()).containsEntry(one, "no queue is bound");
  }

  @Test
  void aReturnThatComesTooLateDoesNotStandAgainstTheNextPublication() throws Exception {
    confirms.nacked(3, true);
    assertThat(confirms.await(LONG).refused()).containsOnlyKeys(one, two, three);
    confirms.returned(one, "no queue is bound");
    expect(4, one);
    confirms.acked(4, false);
    Published again = confirms.await(LONG);
    assertThat(again.confirmed()).containsExactly(one);
    assertThat(again.refused()).isEmpty();
  }

  @Test
  void whatIsNotAnsweredByTheDeadlineIsInDoubt() throws Exception {
    confirms.acked(1, false);
    Published published = confirms.await(Duration.ofMillis(1));
    assertThat(published.confirmed()).containsExactly(one);
    assertThat(published.refused()).isEmpty();
    assertThat(confirms.isSettled()).isFalse();
  }

  @Test
  void aClosedChannelIsNotWaitedFor() throws Exception {
    confirms.acked(1, false);
    confirms.close();
    assertThat(confirms.await(Duration.ofDays(1)).confirmed()).containsExactly(one);
    assertThat(confirms.isSettled()).isFalse();
  }

  @Test
  void aChannelThatClosesWakesWhoWaits() throws Exception {
    CompletableFuture<Published> awaited =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return confirms.await(Duration.ofDays(1));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    confirms.acked(2, true);
    confirms.close();
    assertThat(awaited.get().confirmed()).containsExactlyInAnyOrder(one, two);
  }

  @Test
  void whatCouldNotBePublishedIsNotWaitedFor() throws Exception {
    confirms.acked(2, true);
    confirms.forget(3);
    assertThat(confirms.await(Duration.ofDays(1)).confirmed()).containsExactlyInAnyOrder(one, two);
    assertThat(confirms.isSettled()).isTrue();
  }

  @Test
  void everyBatchIsToldOfItsOwnOnly() throws Exception {
    confirms.acked(3, true);
    confirms.await(LONG);
    expect(4, UUID.randomUUID());
    assertThat(confirms.await(NOW).confirmed()).isEmpty();
  }

  @Test
  void severalOfOneIdAreConfirmedTogether() throws Exception {
    UUID pack = expectPack(4, 5);
    confirms.acked(4, true);
    assertThat(confirms.await(NOW).confirmed()).doesNotContain(pack);
    confirms.acked(5, false);
    assertThat(confirms.await(NOW).confirmed()).containsExactly(pack);
  }

  @Test
  void severalOfOneIdAreRefusedIfOneIs() throws Exception {
    UUID returned = UUID.randomUUID();
    UUID pack = UUID.randomUUID();
    confirms.expect(4, pack, returned, false);
    confirms.expect(5, pack, UUID.randomUUID(), true);
    confirms.returned(returned, "no queue is bound");
    confirms.acked(5, true);
    Published published = confirms.await(LONG);
    assertThat(published.confirmed()).containsExactlyInAnyOrder(one, two, three);
    assertThat(published.refused()).containsExactly(Map.entry(pack, "no queue is bound"));
  }

  /** As when the broker begins to block, or one cannot be written. */
  @Test
  void severalOfOneIdAreInDoubtUntilTheLastIsPublished() throws Exception {
    UUID pack = UUID.randomUUID();
    confirms.expect(4, pack, UUID.randomUUID(), false);
    confirms.acked(4, true);
    assertThat(confirms.await(LONG).confirmed()).doesNotContain(pack);
    confirms.expect(5, pack, UUID.randomUUID(), true);
    confirms.forget(5);
    assertThat(confirms.await(LONG).confirmed()).isEmpty();
  }

  @Test
  void theAnswerToOneIsWaitedFor() throws Exception {
    assertThat(confirms.awaitOne(two, NOW)).isEmpty();
    confirms.acked(2, false);
    assertThat(confirms.awaitOne(two, LONG)).contains(true);
    confirms.returned(three, "no queue is bound");
    confirms.acked(3, false);
    assertThat(confirms.awaitOne(three, LONG)).contains(false);
    assertThat(confirms.await(NOW)).isEqualTo(new Published(Set.of(two), Map.of()));
    confirms.close();
    assertThat(confirms.awaitOne(one, LONG)).isEmpty();
  }

  private UUID expectPack(long first, long last) {
    UUID pack = UUID.randomUUID();
    for (long i = first; i <= last; i++) {
      confirms.expect(i, pack, UUID.randomUUID(), i == last);
    }
    return pack;
  }
}
