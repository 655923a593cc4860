package io.onceflow.stripedouble;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Carries requests out. What goes wrong is chosen by the payment method, as in Stripe's test mode.
 */
final class StripeEndpoints {

  private static final Pattern INTENT = Pattern.compile("/v1/payment_intents/([^/]+)(/cancel)?");

  /** A payment method that the bank settles days later. */
  private static final String BANK_ACCOUNT = "pm_usBankAccount";

  /** Stripe's least amount, in hundredths, of the currencies that have a least one here. */
  private static final Map<String, Long> LEAST = Map.of("eur", 50L, "usd", 50L, "gbp", 30L);

  private static final List<String> OPEN =
      List.of("requires_payment_method", "requires_confirmation", "requires_action");

  /** Longer than any client waits. */
  private static final long FOR_EVER_MILLIS = 60_000;

  private static final long SLOWLY_MILLIS = 3_000;

  private final Intents intents;
  private final Faults faults;
  private final WebhookSender webhooks;
  private final Map<String, Integer> attempts = new HashMap<>();

  StripeEndpoints(Intents intents, Faults faults, WebhookSender webhooks) {
    this.intents = intents;
    this.faults = faults;
    this.webhooks = webhooks;
  }

  /** A refusal before the request is looked at, which leaves its key free. */
  Optional<StripeResponse> refusal(String key, Form form) throws InterruptedException {
    faults.takeTime();
    if (faults.refusesAsTooMany()) {
      return Optional.of(tooManyRequests());
    }
    return switch (form.get("payment_method").orElse("")) {
      case "pm_sim_down" -> {
        Thread.sleep(FOR_EVER_MILLIS);
        yield Optional.of(unavailable());
      }
      case "pm_sim_unavailable_twice" ->
          attempt(key) <= 2 ? Optional.of(unavailable()) : Optional.empty();
      case "pm_sim_rate_limited_twice" ->
          attempt(key) <= 2 ? Optional.of(tooManyRequests()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private synchronized int attempt(String key) {
    return attempts.merge(key, 1, Integer::sum);
  }

  StripeResponse post(String path, Form form) throws InterruptedException {
    if (path.equals("/v1/payment_intents")) {
      return unreliably(create(form));
    }
    if (path.equals("/v1/refunds")) {
      return unreliably(refund(form));
    }
    Matcher intent = INTENT.matcher(path);
    if (intent.matches() && intent.group(2) != null) {
      return cancel(intent.group(1));
    }
    return unknown(path);
  }

  StripeResponse get(String path, Form query) {
    if (path.equals("/v1/payment_intents")) {
      return StripeResponse.ok(intents.listIntents(query));
    }
    if (path.equals("/v1/refunds")) {
      return StripeResponse.ok(intents.listRefunds(query));
    }
    Matcher intent = INTENT.matcher(path);
    return intent.matches()
        ? intents.find(intent.group(1)).map(StripeResponse::ok).orElseGet(() -> unknown(path))
        : unknown(path);
  }

  private StripeResponse create(Form form) throws InterruptedException {
    long amount = form.number("amount", 0);
    if (amount <= 0 || form.get("currency").isEmpty()) {
      return StripeResponse.refused(
          400, "invalid_request_error", "parameter_invalid_integer", "Invalid positive integer");
    }
    if (amount < LEAST.getOrDefault(form.get("currency").orElse(""), 1L)) {
      return StripeResponse.refused(
          400, "invalid_request_error", "amount_too_small", "Amount must be at least 50 cents");
    }
    if (!form.get("confirm").map(Boolean::parseBoolean).orElse(false)) {
      return StripeResponse.ok(intents.create(form, "requires_payment_method"));
    }
    String method = form.get("payment_method").orElse("");
    return switch (method) {
      case "pm_card_visa", "pm_sim_unavailable_twice", "pm_sim_rate_limited_twice" -> charge(form);
      case BANK_ACCOUNT -> processing(form);
      case "pm_sim_slow" -> {
        Thread.sleep(SLOWLY_MILLIS);
        yield charge(form);
      }
      case "pm_sim_lost_answer" -> charge(form).lost();
      case "pm_sim_error_after_charge" -> {
        charge(form);
        yield failed();
      }
      case "pm_card_authenticationRequired" -> authenticate(form);
      default -> CardDeclines.includes(method) ? decline(form, method) : noSuchMethod(method);
    };
  }

  private static StripeResponse noSuchMethod(String method) {
    return StripeResponse.refused(
        400,
        "invalid_request_error",
        "resource_missing",
        "No such PaymentMethod: '%s'".formatted(method));
  }

  private StripeResponse decline(Form form, String method) {
    CardDeclines decline = CardDeclines.of(method);
    return decline(form, decline.code(), decline.declineCode());
  }

  private StripeResponse processing(Form form) {
    Map<String, Object> intent = intents.create(form, "processing");
    webhooks.send("payment_intent.processing", intent);
    return StripeResponse.ok(intent);
  }

  private StripeResponse charge(Form form) {
    Map<String, Object> intent = intents.create(form, "succeeded");
    webhooks.send("payment_intent.succeeded", intent);
    return StripeResponse.ok(intent);
  }

  private StripeResponse decline(Form form, String code, String declineCode) {
    Map<String, Object> intent = intents.create(form, "requires_payment_method");
    webhooks.send("payment_intent.payment_failed", intent);
    return StripeResponse.cardError(code, declineCode, intent);
  }

  private StripeResponse authenticate(Form form) {
    if (form.get("error_on_requires_action").map(Boolean::parseBoolean).orElse(false)) {
      return decline(form, "authentication_required", "authentication_required");
    }
    Map<String, Object> intent = intents.create(form, "requires_action");
    webhooks.send("payment_intent.requires_action", intent);
    return StripeResponse.ok(intent);
  }

  private StripeResponse cancel(String id) {
    Optional<Map<String, Object>> cancelled = intents.move(id, OPEN, "canceled");
    cancelled.ifPresent(intent -> webhooks.send("payment_intent.canceled", intent));
    return cancelled
        .map(StripeResponse::ok)
        .orElseGet(
            () ->
                StripeResponse.error(
                    400,
                    "invalid_request_error",
                    "payment_intent_unexpected_state",
                    "You cannot cancel this PaymentIntent because of its status."));
  }

  private StripeResponse refund(Form form) {
    String intent = form.get("payment_intent").orElse("");
    if (intents.find(intent).isEmpty()) {
      return StripeResponse.refused(
          400, "invalid_request_error", "resource_missing", "No such payment_intent: " + intent);
    }
    if (faults.refundError().equals("api_error")) {
      return failed();
    }
    if (!faults.refundError().isEmpty()) {
      return StripeResponse.error(
          400, "invalid_request_error", faults.refundError(), "The charge cannot be refunded.");
    }
    Optional<Map<String, Object>> refund = intents.refund(intent, form, faults.refundStatus());
    refund.ifPresent(it -> webhooks.send("refund.created", it));
    return refund
        .map(StripeResponse::ok)
        .orElseGet(
            () ->
                StripeResponse.error(
                    400,
                    "invalid_request_error",
                    "charge_already_refunded",
                    "Charge has already been refunded."));
  }

  private StripeResponse unreliably(StripeResponse response) {
    if (response.status() != 200) {
      return response;
    }
    if (faults.failsAfterEffect()) {
      return failed();
    }
    return faults.losesAnswer() ? response.lost() : response;
  }

  private static StripeResponse failed() {
    return StripeResponse.error(500, "api_error", "", "Something went wrong on Stripe's end.");
  }

  private static StripeResponse unavailable() {
    return StripeResponse.refused(503, "api_error", "", "Service unavailable");
  }

  private static StripeResponse tooManyRequests() {
    return StripeResponse.refused(
        429, "invalid_request_error", "rate_limit", "Request rate limit exceeded");
  }

  private static StripeResponse unknown(String path) {
    return StripeResponse.refused(
        404, "invalid_request_error", "resource_missing", "Unrecognized request URL: " + path);
  }
}
