package io.onceflow.stripedouble;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What customers and banks do about payment intents, and with what Stripe's users have nothing to
 * do: they are told by events alone. Over HTTP by {@code POST /double/payment_intents/<id>/succeed}
 * and {@code …/fail}.
 */
public final class PaymentParties {

  private static final Pattern PATH =
      Pattern.compile("/double/payment_intents/([^/]+)/(succeed|fail)");

  private static final List<String> UNDECIDED =
      List.of("requires_action", "requires_confirmation", "requires_payment_method", "processing");

  private final Intents intents;
  private final WebhookSender webhooks;

  PaymentParties(Intents intents, WebhookSender webhooks) {
    this.intents = intents;
    this.webhooks = webhooks;
  }

  /**
   * The customer confirms a payment, be it with another payment method, or the bank settles it.
   *
   * @return false where the intent has ended
   */
  public boolean succeed(String intent) {
    return move(intent, "succeeded", "payment_intent.succeeded");
  }

  /**
   * The customer fails to authenticate, or the bank rejects the payment. The customer may try
   * again.
   *
   * @return false where the intent has ended
   */
  public boolean fail(String intent) {
    intents.failed(intent, "payment_intent_authentication_failure", "authentication_failed");
    return move(intent, "requires_payment_method", "payment_intent.payment_failed");
  }

  /** The bank sends a refund back. */
  public void failRefund(String refund) {
    intents.failRefund(refund).ifPresent(it -> webhooks.send("refund.failed", it));
  }

  private boolean move(String intent, String to, String event) {
    Optional<Map<String, Object>> moved = intents.move(intent, UNDECIDED, to);
    moved.ifPresent(it -> webhooks.send(event, it));
    return moved.isPresent();
  }

  /** What the path asks for; empty for other paths. */
  Optional<StripeResponse> post(String path) {
    Matcher action = PATH.matcher(path);
    if (!action.matches()) {
      return Optional.empty();
    }
    String intent = action.group(1);
    boolean isDone = action.group(2).equals("succeed") ? succeed(intent) : fail(intent);
    return Optional.of(
        isDone
            ? intents.find(intent).map(StripeResponse::ok).orElseThrow()
            : StripeResponse.refused(
                400,
                "invalid_request_error",
                "payment_intent_unexpected_state",
                "There is no such intent, or it has ended."));
  }
}
