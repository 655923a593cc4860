package io.onceflow.stripedouble;

import java.util.Optional;

/** Takes any key but a few that stand for those that Stripe refuses. */
final class ApiKeys {

  private static final String BEARER = "Bearer ";

  private ApiKeys() {}

  /** Why a request with this header is refused. */
  static Optional<StripeResponse> refusal(String authorization) {
    if (!authorization.startsWith(BEARER)) {
      return Optional.of(unauthorized("You did not provide an API key."));
    }
    return switch (authorization.substring(BEARER.length())) {
      case "sk_test_revoked" -> Optional.of(unauthorized("Invalid API Key provided."));
      case "rk_test_without_permissions" ->
          Optional.of(
              StripeResponse.refused(
                  403,
                  "invalid_request_error",
                  "more_permissions_required_for_application",
                  "The provided key does not have the required permissions for this endpoint."));
      default -> Optional.empty();
    };
  }

  private static StripeResponse unauthorized(String message) {
    return StripeResponse.refused(401, "invalid_request_error", "", message);
  }
}
