package io.onceflow.shipping.carrier;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.participant.CallKey;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.reconciliation.Difference;
import io.onceflow.reconciliation.Difference.Kind;
import io.onceflow.reconciliation.Difference.Status;
import io.onceflow.shipping.domain.ArrangeReturn;
import io.onceflow.shipping.domain.ArrangeShipment;
import io.onceflow.shipping.domain.Carrier;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StrayBookingsTest {

  private static final CallKey KEY = CallKey.of("reconciliation", "track-1:cancel");
  private static final UUID ORDER = UUID.randomUUID();

  private final Cancellations cancelled = new Cancellations();
  private final StrayBookings strays = new StrayBookings(cancelled);

  /** The compensation of the step may come later, and asks for the same cancellation. */
  @Test
  void cancelsUnderTheKeyThatFollowsFromTheBooking() throws InterruptedException {
    CallKey booking = CallKey.of("alice", "k-1:arrange-shipment@order-service/place-order");

    strays.carryOut(
        stray(
            Map.of(
                "orderId", ORDER.toString(),
                "customer", booking.scope(),
                "idempotencyKey", booking.stepKey())),
        KEY);

    assertThat(cancelled.keys).containsExactly(Carrier.cancellationOf(booking));
  }

  @Test
  void cancelsWhatNoStepHasBookedUnderTheKeyOfTheMend() throws InterruptedException {
    strays.carryOut(stray(Map.of("orderId", ORDER.toString())), KEY);

    assertThat(cancelled.keys).containsExactly(KEY);
  }

  @Test
  void proposesNothingWhereTheCarrierDoesNotTellTheOrder() {
    assertThat(strays.proposal(stray(Map.of("orderId", ORDER.toString())))).isNotEmpty();
    assertThat(strays.proposal(stray(Map.of()))).isEmpty();
    assertThat(strays.proposal(stray(Map.of("orderId", "trip 7")))).isEmpty();
  }

  /** Ours says cancelled: the carrier has rejected the refund since. */
  @Test
  void asksAgainForACancellationThatHasFailed() throws InterruptedException {
    CallKey booking = CallKey.of("alice", "k-1:arrange-shipment@order-service/place-order");
    Map<String, String> evidence =
        Map.of(
            "orderId", ORDER.toString(),
            "customer", booking.scope(),
            "idempotencyKey", booking.stepKey());
    Difference failed = state("CANCELLED", "BOOKED", evidence);

    assertThat(strays.proposal(failed)).contains("the booking track-1, which has failed");
    strays.carryOut(failed, KEY);

    assertThat(cancelled.keys).containsExactly(Carrier.cancellationOf(booking));
    assertThat(strays.proposal(state("BOOKED", "CANCELLED|ABSENT", evidence))).isEmpty();
  }

  private static Difference state(String ours, String theirs, Map<String, String> evidence) {
    return difference(Kind.STATE, List.of(entry(ours, evidence)), List.of(entry(theirs, Map.of())));
  }

  private static BookEntry entry(String state, Map<String, String> evidence) {
    Instant at = Instant.EPOCH;
    return new BookEntry("track-1", state, null, null, at, at, null, evidence);
  }

  private static Difference stray(Map<String, String> evidence) {
    return difference(Kind.MISSING_HERE, List.of(), List.of(entry("BOOKED", evidence)));
  }

  private static Difference difference(Kind kind, List<BookEntry> ours, List<BookEntry> theirs) {
    Instant at = Instant.EPOCH;
    return new Difference(
        new UUID(0, 1),
        "shipments-carrier",
        "track-1",
        kind,
        LocalDate.EPOCH,
        Status.MENDING,
        ours,
        theirs,
        at,
        at,
        null,
        null,
        null,
        null);
  }

  private static final class Cancellations implements Carrier {

    final List<CallKey> keys = new ArrayList<>();

    @Override
    public void cancel(CallKey key, UUID orderId, String trackingNumber) {
      keys.add(key);
    }

    @Override
    public Outcome book(CallKey key, ArrangeShipment command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Outcome fetch(CallKey key, ArrangeReturn command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<String> annul(CallKey booking, UUID orderId) {
      throw new UnsupportedOperationException();
    }
  }
}
