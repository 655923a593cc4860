package io.onceflow.easypost;

import com.easypost.model.Rate;
import com.easypost.model.Shipment;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.easypost.EasyPostApi.Answered;
import io.onceflow.easypost.EasyPostRequests.Asked;
import io.onceflow.easypost.LabelOutcome.Why;
import io.onceflow.participant.CallKey;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Buys labels by EasyPost, one under a key, and asks for their money back.
 *
 * <p>EasyPost knows no idempotency key, but sells a shipment one label. So a label is asked for in
 * steps: a shipment is looked for by the key, which is its reference, or made, which costs nothing;
 * it is written down as the one that is bought under the key; then it is bought. Whatever is
 * repeated, by this process or another, buys the shipment that is written down.
 *
 * <p>Each call may be made any number of times. {@link EasyPostUnavailable} means that its result
 * is unknown, or that it had none, and that it may be made again.
 */
@ApplicationScoped
public class EasyPostLabels {

  private static final Logger LOG = Logger.getLogger(EasyPostLabels.class);

  /** What carriers ask changes daily; a shipment found after so long is requested again. */
  private static final Duration RATES_LAST = Duration.ofHours(1);

  /** Refunds that are asked for, made, or not needed since nothing is billed. */
  static final Set<String> REFUNDED = Set.of("submitted", "refunded", "not_applicable");

  private final EasyPostConfig config;
  private final EasyPostRequests requests;
  private final EasyPostRefundTable refunds;
  private final EasyPostApi easyPost;
  private final EasyPostShipmentForm form;
  private final RateChoice rates;
  private final EasyPostEvents events;

  /**
   * @throws IllegalStateException without an API key or a sender
   */
  EasyPostLabels(
      EasyPostConfig config,
      EasyPostRequests requests,
      EasyPostRefundTable refunds,
      EasyPostEvents events,
      MeterRegistry metrics) {
    this.config = config;
    this.requests = requests;
    this.refunds = refunds;
    this.easyPost = new EasyPostApi(new EasyPostCalls(config, metrics));
    this.form = new EasyPostShipmentForm(config);
    this.rates = new RateChoice(config);
    this.events = events;
  }

  /**
   * Buys a label, or finds it bought.
   *
   * @throws EasyPostUnavailable if the result is not known
   */
  public LabelOutcome buy(CallKey key, LabelRequest request) throws InterruptedException {
    Optional<Asked> asked = requests.ask(key, request.subject(), config.settlingTime());
    if (asked.isEmpty()) {
      return new LabelOutcome.GivenUp();
    }
    String trackingCode = asked.get().trackingCode();
    if (trackingCode != null) {
      return new LabelOutcome.Bought(trackingCode);
    }
    return switch (findOrCreate(key, request, asked.get().shipmentId())) {
      case Answered.Done(Shipment shipment) -> buy(key, shipment, asked.get());
      case Answered.Rejected rejected -> refused(key, rejected);
    };
  }

  private Answered findOrCreate(CallKey key, LabelRequest request, @Nullable String chosen)
      throws InterruptedException {
    if (chosen != null) {
      return new Answered.Done(easyPost.retrieve(chosen));
    }
    // Also at the first attempt: a database that was restored may have lost the row of a label.
    Optional<Shipment> found = easyPost.find(key.value());
    return found.isPresent()
        ? new Answered.Done(found.get())
        : easyPost.create(key.value(), form.of(key.value(), request));
  }

  private LabelOutcome buy(CallKey key, Shipment candidate, Asked asked)
      throws InterruptedException {
    Optional<String> chosen = requests.choose(key, candidate.getId());
    if (chosen.isEmpty()) {
      return new LabelOutcome.GivenUp();
    }
    Shipment shipment =
        chosen.get().equals(candidate.getId()) ? candidate : easyPost.retrieve(chosen.get());
    if (isBought(shipment)) {
      return bought(key, shipment);
    }
    Optional<Rate> rate = rate(shipment);
    if (rate.isEmpty()) {
      requireSettled(key, asked);
      LOG.infof("EasyPost offers no rate for %s (shipment %s)", key, shipment.getId());
      return new LabelOutcome.Refused(Why.NO_RATE, "");
    }
    if (!requests.beginBuying(key, shipment.getId())) {
      return new LabelOutcome.GivenUp();
    }
    return switch (easyPost.buy(shipment.getId(), rate.get().getId())) {
      case Answered.Done(Shipment bought) -> bought(key, bought);
      case Answered.Rejected rejected -> boughtOrRefused(key, shipment.getId(), rejected);
    };
  }

  private Optional<Rate> rate(Shipment shipment) throws InterruptedException {
    Shipment rated = isOld(shipment) ? rerated(shipment) : shipment;
    return rates.of(rated);
  }

  private static boolean isOld(Shipment shipment) {
    return shipment.getCreatedAt() != null
        && shipment.getCreatedAt().toInstant().plus(RATES_LAST).isBefore(Instant.now());
  }

  private Shipment rerated(Shipment shipment) throws InterruptedException {
    return easyPost.rerate(shipment.getId()) instanceof Answered.Done(Shipment rated)
        ? rated
        : shipment;
  }

  /** A request that was refused may have been preceded by one that was not answered. */
  private LabelOutcome boughtOrRefused(CallKey key, String shipmentId, Answered.Rejected rejected)
      throws InterruptedException {
    Shipment shipment = easyPost.retrieve(shipmentId);
    return isBought(shipment) ? bought(key, shipment) : refused(key, rejected);
  }

  private LabelOutcome bought(CallKey key, Shipment shipment) {
    if (isRefunded(shipment)) {
      return new LabelOutcome.GivenUp();
    }
    String trackingCode =
        trackingCode(shipment)
            .orElseThrow(
                () ->
                    new EasyPostUnavailable(
                        "the label %s (shipment %s) has no tracking code yet"
                            .formatted(key, shipment.getId())));
    requests.bought(key.value(), shipment.getId(), trackingCode);
    return new LabelOutcome.Bought(trackingCode);
  }

  private static LabelOutcome refused(CallKey key, Answered.Rejected rejected) {
    LOG.warnf(
        "EasyPost refuses the label %s (%s %s): %s",
        key, rejected.status(), rejected.code(), rejected.message());
    Why why = rejected.code().startsWith("ADDRESS.") ? Why.ADDRESS_INVALID : Why.INVALID;
    return new LabelOutcome.Refused(why, rejected.code());
  }

  /**
   * Asks for the money of a label back, and lets none be bought in its place.
   *
   * @param trackingCode what {@link LabelOutcome.Bought} named
   * @param subject of its request
   * @throws EasyPostRefundFailed if EasyPost does not refund it
   */
  public void refund(String trackingCode, String subject) throws InterruptedException {
    String shipmentId =
        requests
            .giveUpBought(trackingCode, subject)
            .orElseThrow(
                () ->
                    new EasyPostRefundFailed(
                        "label_unknown",
                        "no label with the tracking code %s is known here for %s"
                            .formatted(trackingCode, subject)));
    refund(shipmentId);
  }

  /** Asks for the money of a label back that is given up. */
  void refund(String shipmentId) throws InterruptedException {
    refund(easyPost.retrieve(shipmentId));
  }

  /**
   * Settles a label whose result is unknown: none is bought under its key any more, and if one was,
   * its money is asked for.
   *
   * @param subject of its request
   * @return the tracking code of the label that had been bought; empty if none had been, or if it
   *     has none
   * @throws EasyPostUnavailable while a request to buy it may still have an effect
   */
  public Optional<String> annul(CallKey key, String subject) throws InterruptedException {
    Asked asked = requests.giveUp(key, subject, config.settlingTime());
    // Where no shipment is written down, too: a database that was restored may have lost it.
    Optional<Shipment> shipment =
        asked.shipmentId() == null
            ? easyPost.find(key.value())
            : Optional.of(easyPost.retrieve(asked.shipmentId()));
    if (shipment.isPresent() && isBought(shipment.get())) {
      return takeBack(key.value(), shipment.get());
    }
    requireSettled(key, asked);
    return Optional.empty();
  }

  /** An earlier request to buy it may still be carried out. */
  private static void requireSettled(CallKey key, Asked asked) {
    if (asked.unsettledUntil() != null) {
      throw new EasyPostUnavailable(
          "the label %s (shipment %s) may still be bought until %s"
              .formatted(key, asked.shipmentId(), asked.unsettledUntil()));
    }
  }

  private Optional<String> takeBack(String key, Shipment shipment) throws InterruptedException {
    Optional<String> trackingCode = trackingCode(shipment);
    requests.bought(key, shipment.getId(), trackingCode.orElse(null));
    refund(shipment);
    return trackingCode;
  }

  private void refund(Shipment shipment) throws InterruptedException {
    String id = shipment.getId();
    if (!isRefunded(shipment)) {
      if (refunds.isResolved(id)) {
        return;
      }
      requireRefunded(shipment, easyPost.refund(id));
    }
    refunds.refunded(id);
  }

  /** A request that was rejected may have been preceded by one that was not answered. */
  private void requireRefunded(Shipment shipment, Answered answered) throws InterruptedException {
    String id = shipment.getId();
    Shipment after =
        answered instanceof Answered.Done(Shipment refunded) ? refunded : easyPost.retrieve(id);
    if (isRefunded(after)) {
      return;
    }
    String code =
        answered instanceof Answered.Rejected rejected
            ? Objects.requireNonNullElse(after.getRefundStatus(), rejected.code())
            : after.getRefundStatus();
    if (code == null) {
      throw new EasyPostUnavailable(
          "the refund of shipment %s was answered without a status".formatted(id));
    }
    refunds.failed(id, code);
    throw new EasyPostRefundFailed(
        code,
        ("the refund of shipment %1$s (%2$s) is %3$s; ask the carrier, then retry it"
                + " (POST /easypost/refunds/%1$s/retry), or use the label otherwise and resolve it"
                + " (POST /easypost/refunds/%1$s/resolve)")
            .formatted(id, shipment.getTrackingCode(), code));
  }

  /**
   * What EasyPost's events told last of a parcel, such as {@code in_transit} or {@code delivered}.
   */
  public Optional<String> trackingStatus(String trackingCode) {
    return events.status(trackingCode);
  }

  /**
   * Reads EasyPost's list of labels, a page at a time, newest first.
   *
   * @param from when the first shipment may have been made
   * @param before when the last one must have been made
   * @param reader gets each label
   * @throws EasyPostUnavailable if a page cannot be read; what was read before is not complete
   */
  public void list(Instant from, Instant before, Consumer<ListedLabel> reader)
      throws InterruptedException {
    new EasyPostList(easyPost).read(from, before, reader);
  }

  /**
   * Finds labels by their tracking code, those that were bought elsewhere too.
   *
   * @throws EasyPostUnavailable if they cannot be asked for
   */
  public List<ListedLabel> find(String trackingCode) throws InterruptedException {
    List<ListedLabel> found = new ArrayList<>();
    for (String shipment : easyPost.withTrackingCode(trackingCode)) {
      found.add(EasyPostList.listed(easyPost.retrieve(shipment)));
    }
    return found;
  }

  private static boolean isBought(Shipment shipment) {
    return shipment.getPostageLabel() != null;
  }

  private static boolean isRefunded(Shipment shipment) {
    return shipment.getRefundStatus() != null && REFUNDED.contains(shipment.getRefundStatus());
  }

  /** A letter has none; other labels may get theirs late. */
  private static Optional<String> trackingCode(Shipment shipment) {
    return Optional.ofNullable(shipment.getTrackingCode()).filter(code -> !code.isEmpty());
  }
}
