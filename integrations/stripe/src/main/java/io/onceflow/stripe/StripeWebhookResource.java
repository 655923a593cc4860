package io.onceflow.stripe;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Receives Stripe's events. The signature authenticates the request; there is no token. Each event
 * is kept once, however often it is sent and in whatever order, before it is acknowledged. Stripe
 * sends an event that is not acknowledged again for three days (<a
 * href="https://docs.stripe.com/webhooks">webhooks</a>).
 */
@Path("/webhooks/stripe")
@Tag(name = "Webhooks")
public class StripeWebhookResource {

  private static final Logger LOG = Logger.getLogger(StripeWebhookResource.class);

  /** Types that are counted by name; an endpoint may be sent every type that Stripe has. */
  private static final Set<String> TYPES =
      Set.of(
          "payment_intent.succeeded",
          "payment_intent.processing",
          "payment_intent.requires_action",
          "payment_intent.payment_failed",
          "payment_intent.canceled",
          "charge.refunded",
          "charge.dispute.created",
          "refund.created",
          "refund.updated",
          "refund.failed",
          "charge.refund.updated");

  /** Stripe's events are a few thousand characters long. */
  private static final int LARGEST = 256 * 1024;

  private static final long RETRY_SECONDS = 1;

  private final StripeConfig config;
  private final StripeEvents events;
  private final ObjectMapper json;
  private final MeterRegistry metrics;
  private final Semaphore places;

  StripeWebhookResource(
      StripeConfig config, StripeEvents events, ObjectMapper json, MeterRegistry metrics) {
    this.config = config;
    this.events = events;
    this.json = json;
    this.metrics = metrics;
    this.places = new Semaphore(config.webhookConcurrency());
  }

  /**
   * Receives an event.
   *
   * @param body the text that was signed
   */
  @POST
  @PermitAll
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(summary = "Receive an event that Stripe has signed")
  @APIResponse(
      responseCode = "204",
      description = "The event is kept, was kept before, or is none that can be kept")
  @APIResponse(
      responseCode = "400",
      description = "The signature is wrong, too old or of the future")
  @APIResponse(responseCode = "404", description = "No webhook secret is configured")
  @APIResponse(responseCode = "413", description = "The body is larger than 256 KiB")
  @APIResponse(responseCode = "503", description = "Too many events at a time; Stripe repeats it")
  public void receive(@HeaderParam("Stripe-Signature") @Nullable String signature, String body) {
    List<String> secrets =
        config
            .webhookSecrets()
            .orElseThrow(() -> new NotFoundException("onceflow.stripe.webhook-secrets is not set"));
    if (body.getBytes(StandardCharsets.UTF_8).length > LARGEST) {
      throw new ClientErrorException(
          "The body is larger than %s bytes".formatted(LARGEST),
          Response.Status.REQUEST_ENTITY_TOO_LARGE);
    }
    if (signature == null
        || secrets.stream().noneMatch(it -> isSigned(body, signature, it.strip()))) {
      throw new BadRequestException(
          "The header Stripe-Signature is missing, wrong, or not within %s of now"
              .formatted(config.webhookTolerance()));
    }
    Optional<StripeEvent> event = StripeEvent.read(json, body, isLive());
    if (event.isPresent()) {
      take(event.get());
    } else {
      // Stripe disables endpoints that refuse what it has signed.
      LOG.infof("an event of Stripe's is not kept: it is about no payment of this service");
      count("other", false);
    }
  }

  private void take(StripeEvent event) {
    if (!places.tryAcquire()) {
      throw new ServiceUnavailableException("Too many events at a time", RETRY_SECONDS);
    }
    try {
      events.take(event).ifPresent(known -> report(event, known));
    } finally {
      places.release();
    }
  }

  /** Stripe's keys say in which mode they are; null for one that does not. */
  private @Nullable Boolean isLive() {
    Optional<String> key = config.apiKey();
    if (key.filter(it -> it.contains("_live_")).isPresent()) {
      return true;
    }
    return key.filter(it -> it.contains("_test_")).isPresent() ? false : null;
  }

  /**
   * The library takes the header apart unchecked: a part of it may have no value, or no number. A
   * tolerance of zero is none to it, and it bounds the time in one direction only.
   */
  private boolean isSigned(String body, String signature, String secret) {
    long tolerance = Math.max(1, config.webhookTolerance().toSeconds());
    try {
      return Webhook.Signature.verifyHeader(body, signature, secret, tolerance)
          && !isOfTheFuture(signature, tolerance);
    } catch (SignatureVerificationException | NumberFormatException | IndexOutOfBoundsException e) {
      return false;
    }
  }

  private static boolean isOfTheFuture(String signature, long tolerance) {
    long latest = Instant.now().getEpochSecond() + tolerance;
    return Arrays.stream(signature.split(","))
        .map(String::strip)
        .filter(part -> part.startsWith("t="))
        .anyMatch(part -> Long.parseLong(part.substring(2)) > latest);
  }

  private void count(String type, boolean known) {
    metrics
        .counter(
            "onceflow.stripe.events",
            "type",
            TYPES.contains(type) ? type : "other",
            "known",
            Boolean.toString(known))
        .increment();
  }

  private void report(StripeEvent event, boolean known) {
    count(event.type(), known);
    if (known && event.isOfFailedRefund()) {
      LOG.errorf(
          "Stripe could not carry out the refund %1$s of %2$s (%3$s): %4$s; retry it"
              + " (POST /stripe/refunds/%5$s/retry), or pay the customer in another way and resolve"
              + " it (POST /stripe/refunds/%5$s/resolve)",
          event.objectId(), event.reference(), event.intentId(), event.failure(), event.key());
    } else if (!known) {
      LOG.infof("%s is about %s, which is unknown here", event.type(), event.objectId());
    }
  }
}
