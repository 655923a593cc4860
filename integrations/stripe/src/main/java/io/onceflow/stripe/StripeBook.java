package io.onceflow.stripe;

import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.StripeException;
import com.stripe.model.Charge;
import com.stripe.model.PaymentIntent;
import com.stripe.model.Refund;
import com.stripe.param.PaymentIntentListParams;
import com.stripe.param.PaymentIntentRetrieveParams;
import io.onceflow.reconciliation.Book;
import io.onceflow.reconciliation.BookEntry;
import io.onceflow.stripe.StripeRefundTable.MoneyWith;
import io.onceflow.stripe.StripeRefundTable.Stored;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stripe's charges as a book: payment intents that succeeded, by their ids, with what was refunded
 * of them. The list is complete at any time, which Stripe's search is not. Without a key of
 * Stripe's it cannot be read.
 */
@Singleton
class StripeBook implements Book {

  private static final int NOT_FOUND = 404;

  private final StripeClients clients;
  private final StripeRequests requests;
  private final StripeRefundTable refunds;
  private @Nullable StripeCalls calls;

  StripeBook(StripeClients clients, StripeRequests requests, StripeRefundTable refunds) {
    this.clients = clients;
    this.requests = requests;
    this.refunds = refunds;
  }

  /**
   * What was refunded of a charge.
   *
   * @param amount as Stripe counts it
   * @param last when the last refund was made; null without one, or where that is not known
   * @param failed the newest refund with a key that gives nothing back; null without one, or where
   *     that is not known
   */
  private record Refunded(long amount, @Nullable Instant last, @Nullable Refund failed) {}

  @Override
  public String name() {
    return "stripe-gateway";
  }

  @Override
  public void read(Window window, Consumer<BookEntry> entries)
      throws IOException, InterruptedException {
    StripeCalls stripe = stripe();
    PaymentIntentListParams.Builder params =
        PaymentIntentListParams.builder()
            .setCreated(
                PaymentIntentListParams.Created.builder()
                    .setGte(window.from().getEpochSecond())
                    .setLte(window.to().getEpochSecond() - 1)
                    .build())
            .addExpand("data.latest_charge")
            .setLimit(StripeIntents.PAGE);
    Map<String, MoneyWith> resolved = resolved(null);
    try {
      StripePages.<PaymentIntent, InterruptedException>read(
          last ->
              stripe.call(
                  "list charges",
                  it -> it.paymentIntents().list(params.setStartingAfter(last).build())),
          intent -> {
            if (Thread.interrupted()) {
              throw new InterruptedException("the reading of Stripe's list is aborted");
            }
            if (isCharged(intent)) {
              entries.accept(entry(intent, refunded(stripe, intent), resolved.get(intent.getId())));
            }
          });
    } catch (StripeException e) {
      throw new IOException("Stripe's list of charges cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public List<BookEntry> find(String reference) throws IOException {
    PaymentIntentRetrieveParams params =
        PaymentIntentRetrieveParams.builder().addExpand("latest_charge").build();
    StripeCalls stripe = stripe();
    try {
      PaymentIntent intent =
          stripe.call("read charge", it -> it.paymentIntents().retrieve(reference, params));
      if (!isCharged(intent)) {
        return List.of();
      }
      Refunded refunded = listRefunds(stripe, reference);
      recordFailure(intent, refunded);
      MoneyWith resolved = resolved(reference).get(reference);
      return List.of(whileUnderWay(intent, entry(intent, refunded, resolved)));
    } catch (InvalidRequestException e) {
      if (Integer.valueOf(NOT_FOUND).equals(e.getStatusCode())) {
        return List.of();
      }
      throw unreadable(reference, e);
    } catch (StripeException e) {
      throw unreadable(reference, e);
    }
  }

  /** Refunds fail weeks after they were made, and long after their charges. */
  @Override
  public List<String> changedIn(Window window, @Nullable String after) throws IOException {
    try {
      return refunds.begunIn(window.from(), window.to(), after);
    } catch (SQLException e) {
      throw new IOException("the refunds of a day cannot be read: " + e.getMessage(), e);
    }
  }

  private Map<String, MoneyWith> resolved(@Nullable String intent) throws IOException {
    try {
      return refunds.resolved(intent);
    } catch (SQLException e) {
      throw new IOException("the refunds that are resolved cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Its event may never have come, as where the endpoint was disabled. A refund that is unknown
   * here is of another application with the same account.
   */
  private void recordFailure(PaymentIntent intent, Refunded refunded) throws IOException {
    Refund failed = refunded.failed();
    if (failed == null || refunded.amount() >= intent.getAmountReceived()) {
      return;
    }
    String key = String.valueOf(StripeRefunds.metadata(failed, StripeIntents.KEY));
    try {
      Optional<Stored> known = refunds.find(key);
      if (known.isPresent()) {
        refunds.failed(
            key,
            known.get().reference(),
            intent.getId(),
            failed.getId(),
            StripeRefunds.codeOf(failed));
      }
    } catch (SQLException e) {
      throw new IOException(
          "the refund of %s cannot be read: %s".formatted(intent.getId(), e.getMessage()), e);
    }
  }

  /**
   * A charge whose step has not ended may change at any time, even if the service was down for
   * long: the step is resumed, and knows the charge then.
   */
  private BookEntry whileUnderWay(PaymentIntent intent, BookEntry it) throws IOException {
    return isUnderWay(intent) ? it.withChangedAt(Instant.now()) : it;
  }

  private boolean isUnderWay(PaymentIntent intent) throws IOException {
    String key = intent.getMetadata().get(StripeIntents.KEY);
    try {
      return key != null && requests.isUnderWay(key);
    } catch (SQLException e) {
      throw new IOException(
          "the step of %s cannot be looked up: %s".formatted(intent.getId(), e.getMessage()), e);
    }
  }

  private static IOException unreadable(String reference, StripeException e) {
    return new IOException("Stripe cannot be asked for " + reference + ": " + e.getMessage(), e);
  }

  private static boolean isCharged(PaymentIntent intent) {
    return "succeeded".equals(intent.getStatus()) && !StripeIntents.isVoid(intent);
  }

  private static Refunded refunded(StripeCalls stripe, PaymentIntent intent)
      throws StripeException {
    Charge charge = intent.getLatestChargeObject();
    return charge == null
        ? listRefunds(stripe, intent.getId())
        : new Refunded(charge.getAmountRefunded(), null, null);
  }

  private static Refunded listRefunds(StripeCalls stripe, String intent) throws StripeException {
    List<Refund> all = StripeRefunds.of(stripe, intent);
    return new Refunded(
        StripeRefunds.amountOf(all),
        all.stream()
            .filter(StripeRefunds::isMade)
            .map(refund -> Instant.ofEpochSecond(refund.getCreated()))
            .max(Instant::compareTo)
            .orElse(null),
        all.stream()
            .filter(refund -> !StripeRefunds.isMade(refund))
            .filter(refund -> StripeRefunds.metadata(refund, StripeIntents.KEY) != null)
            .max(Comparator.comparing(Refund::getCreated))
            .orElse(null));
  }

  private static BookEntry entry(
      PaymentIntent intent, Refunded refunded, @Nullable MoneyWith resolved) {
    String currency = intent.getCurrency().toUpperCase(Locale.ROOT);
    long received = intent.getAmountReceived();
    Instant at = Instant.ofEpochSecond(intent.getCreated());
    return new BookEntry(
        intent.getId(),
        state(received, refunded.amount(), resolved),
        amount(received, currency),
        currency,
        at,
        Optional.ofNullable(refunded.last()).orElse(at),
        null,
        evidence(intent, refunded, resolved));
  }

  /**
   * As Stripe counts it where that is no amount here, such as in a currency that Java does not
   * know: nothing was charged in it here, and one such charge must not hide the others.
   */
  private static long amount(long received, String currency) {
    try {
      return StripeAmounts.fromStripe(received, currency);
    } catch (IllegalArgumentException e) {
      return received;
    }
  }

  /**
   * A charge that was given back need not be known here. Where the money of one is whose refund an
   * operator has resolved, the operator has said: any state of our book agrees.
   */
  private static String state(long received, long refunded, @Nullable MoneyWith resolved) {
    if (resolved != null) {
      return "CHARGED|REFUNDED|" + BookEntry.ABSENT;
    }
    if (refunded == 0) {
      return "CHARGED";
    }
    return refunded == received ? "REFUNDED|" + BookEntry.ABSENT : "PARTLY_REFUNDED";
  }

  private static Map<String, String> evidence(
      PaymentIntent intent, Refunded refunded, @Nullable MoneyWith resolved) {
    Map<String, String> evidence = new HashMap<>();
    Map<String, String> metadata = intent.getMetadata();
    Optional.ofNullable(metadata.get(StripeIntents.REFERENCE))
        .ifPresent(it -> evidence.put("reference", it));
    Optional.ofNullable(metadata.get(StripeIntents.KEY)).ifPresent(it -> evidence.put("key", it));
    Refund failed = refunded.failed();
    if (failed != null) {
      evidence.put("failedRefund", failed.getId());
      evidence.put("failure", StripeRefunds.codeOf(failed));
    }
    if (resolved != null) {
      evidence.put("resolved", "money with " + resolved);
    }
    return evidence;
  }

  private synchronized StripeCalls stripe() throws IOException {
    if (calls == null) {
      try {
        calls = clients.readingCalls();
      } catch (IllegalStateException e) {
        throw new IOException("Stripe's list cannot be read: " + e.getMessage(), e);
      }
    }
    return calls;
  }
}
