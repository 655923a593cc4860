package io.onceflow.stripe;

import io.onceflow.core.ScopeResolver;
import io.quarkus.security.Authenticated;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseHeader;

/**
 * Shows customers what they have to do about their payments. The client secret lets its holder
 * confirm the payment, so it is shown to the payment's owner alone, not to operators. It is read
 * from Stripe when it is asked for, and neither stored nor logged here.
 */
@Path("/stripe/pending-payments/{reference}")
@Tag(name = "Payments")
public class StripePendingPaymentsResource {

  private static final long RETRY_SECONDS = 5;

  private final Instance<StripePayments> payments;
  private final StripeConfig config;
  private final ScopeResolver scopes;

  StripePendingPaymentsResource(
      Instance<StripePayments> payments, StripeConfig config, ScopeResolver scopes) {
    this.payments = payments;
    this.config = config;
    this.scopes = scopes;
  }

  /**
   * The caller's payments of something that waited for their customer or bank.
   *
   * @param reference such as an order's id
   */
  @GET
  @Authenticated
  @Produces(MediaType.APPLICATION_JSON)
  @ResponseHeader(name = "Cache-Control", value = "no-store")
  @Operation(summary = "List the caller's pending payments by Stripe, with what confirms them")
  @APIResponse(responseCode = "503", description = "Stripe did not answer")
  public List<StripePendingPayment> list(@PathParam("reference") String reference) {
    if (config.apiKey().isEmpty()) {
      return List.of();
    }
    try {
      return payments.get().pending(scopes.scope(), reference);
    } catch (StripeUnavailable e) {
      throw new ServiceUnavailableException("Stripe did not answer; ask again", RETRY_SECONDS, e);
    }
  }
}
