package io.onceflow.stripe;

import com.stripe.StripeClient;
import com.stripe.exception.ApiConnectionException;
import com.stripe.exception.ApiException;
import com.stripe.exception.AuthenticationException;
import com.stripe.exception.CardException;
import com.stripe.exception.IdempotencyException;
import com.stripe.exception.InvalidRequestException;
import com.stripe.exception.RateLimitException;
import com.stripe.exception.StripeException;
import com.stripe.model.HasId;
import com.stripe.model.PaymentIntent;
import com.stripe.model.StripeCollection;
import com.stripe.service.V1Services;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Calls Stripe, and counts the results by the kinds of Stripe's <a
 * href="https://docs.stripe.com/api/errors">errors</a>.
 */
final class StripeCalls {

  private static final int CONFLICT = 409;

  private final StripeClient stripe;
  private final MeterRegistry metrics;

  StripeCalls(StripeClient stripe, MeterRegistry metrics) {
    this.stripe = stripe;
    this.metrics = metrics;
  }

  /** One request. */
  @FunctionalInterface
  interface Request<T> {
    T send(V1Services stripe) throws StripeException;
  }

  /**
   * Sends a request.
   *
   * @param operation what it does, in a few words that have no ids: a tag of the metric
   */
  <T> T call(String operation, Request<T> request) throws StripeException {
    try {
      T answer = complete(request.send(stripe.v1()));
      count(operation, "ok");
      return answer;
    } catch (StripeException e) {
      StripeException told = withoutAnswer(e);
      count(operation, kindOf(told));
      throw told;
    } catch (RuntimeException e) {
      ApiException unreadable =
          new ApiException("the answer cannot be read (%s)".formatted(e), null, null, null, e);
      count(operation, kindOf(unreadable));
      throw unreadable;
    }
  }

  /**
   * The library quotes all of an answer that is not of Stripe's form. One that broke off may be a
   * payment intent with its client secret; one of a proxy's is a page.
   */
  private static StripeException withoutAnswer(StripeException e) {
    return isOfStripesForm(e)
        ? e
        : new ApiException(
            "the answer is not of Stripe's form",
            e.getRequestId(),
            e.getCode(),
            e.getStatusCode(),
            null);
  }

  /**
   * Each error of Stripe's has a type. The library takes the status for the kind of the error, also
   * where a proxy has written it in a similar form: its 404 would say that there is no such charge.
   */
  private static boolean isOfStripesForm(StripeException e) {
    return switch (e) {
      case ApiException error -> hasType(error);
      case InvalidRequestException error -> hasType(error);
      case CardException error -> hasType(error);
      default -> true;
    };
  }

  private static boolean hasType(StripeException e) {
    return e.getStripeError() != null && e.getStripeError().getType() != null;
  }

  /** The library takes any JSON object, and fails at an empty body. */
  private static <T> T complete(T answer) {
    if (!isComplete(answer)) {
      throw new IllegalStateException("it is not of its form");
    }
    return answer;
  }

  private static boolean isComplete(Object answer) {
    return switch (answer) {
      case PaymentIntent intent ->
          intent.getId() != null && intent.getStatus() != null && intent.getMetadata() != null;
      case HasId object -> object.getId() != null;
      case StripeCollection<?> list ->
          list.getData() != null && list.getData().stream().allMatch(StripeCalls::isComplete);
      default -> true;
    };
  }

  private void count(String operation, String result) {
    metrics
        .counter("onceflow.stripe.requests", "operation", operation, "result", result)
        .increment();
  }

  static String kindOf(StripeException e) {
    return switch (e) {
      case CardException declined -> "declined";
      case IdempotencyException otherRequest -> "key-reused";
      case InvalidRequestException invalid -> "invalid";
      case RateLimitException tooMany -> "rate-limited";
      case AuthenticationException noPermissionIncluded -> "unauthorized";
      case ApiConnectionException noAnswer -> "no-answer";
      case StripeException conflict when isConflict(conflict) -> "conflict";
      case StripeException error -> "error";
    };
  }

  /** Another request under the same key is being carried out. */
  static boolean isConflict(StripeException e) {
    Integer status = e.getStatusCode();
    return status != null && status == CONFLICT;
  }
}
