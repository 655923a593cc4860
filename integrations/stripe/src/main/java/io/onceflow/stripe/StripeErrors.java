package io.onceflow.stripe;

import com.stripe.exception.AuthenticationException;
import com.stripe.exception.StripeException;
import org.jboss.logging.Logger;

/** Errors of requests after which the result is unknown. */
final class StripeErrors {

  private static final Logger LOG = Logger.getLogger(StripeErrors.class);

  private StripeErrors() {}

  /**
   * An exception for an error that says nothing about the result.
   *
   * @param what was asked for, under which key
   */
  static StripeUnavailable unavailable(String what, StripeException e) {
    if (e instanceof AuthenticationException) {
      LOG.errorf(
          "Stripe refused the API key (request %s): %s; set onceflow.stripe.api-key to a key that"
              + " may write payment intents and refunds",
          e.getRequestId(), e.getMessage());
    }
    return new StripeUnavailable(
        "%s was answered %s %s (request %s)"
            .formatted(what, e.getStatusCode(), e.getCode(), e.getRequestId()),
        e);
  }
}
