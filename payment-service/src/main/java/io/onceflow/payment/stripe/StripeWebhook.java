package io.onceflow.payment.stripe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.stripe.exception.SignatureVerificationException;
import com.stripe.net.Webhook;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.payment.stripe.StripeEvents.Event;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes Stripe's events. Whoever can sign one is Stripe: there is no token. Each is kept once,
 * however often it comes and in whatever order, before it is acknowledged; Stripe sends for three
 * days what is not (<a href="https://docs.stripe.com/webhooks">webhooks</a>).
 */
@Path("/webhooks/stripe")
@Tag(name = "Webhooks")
public class StripeWebhook {

  private static final Logger LOG = Logger.getLogger(StripeWebhook.class);

  /** Types that are counted by name; an endpoint may be sent all that Stripe has. */
  private static final Set<String> TYPES =
      Set.of(
          "payment_intent.succeeded",
          "payment_intent.payment_failed",
          "payment_intent.canceled",
          "charge.refunded",
          "charge.dispute.created",
          "refund.created",
          "refund.updated",
          "refund.failed");

  private final StripeConfig config;
  private final StripeEvents events;
  private final ObjectMapper json;
  private final MeterRegistry metrics;

  StripeWebhook(
      StripeConfig config, StripeEvents events, ObjectMapper json, MeterRegistry metrics) {
    this.config = config;
    this.events = events;
    this.json = json;
    this.metrics = metrics;
  }

  /**
   * Takes an event.
   *
   * @param body as it was signed
   */
  @POST
  @PermitAll
  @Consumes(MediaType.APPLICATION_JSON)
  @Operation(summary = "Take an event of Stripe's, signed by it")
  @APIResponse(responseCode = "204", description = "It is kept, or was kept before")
  @APIResponse(
      responseCode = "400",
      description = "Its signature is wrong or too old, or it is no event")
  @APIResponse(responseCode = "404", description = "No webhook secret is configured")
  public void take(@HeaderParam("Stripe-Signature") @Nullable String signature, String body) {
    List<String> secrets =
        config
            .webhookSecrets()
            .orElseThrow(() -> new NotFoundException("onceflow.stripe.webhook-secrets is not set"));
    if (signature == null || secrets.stream().noneMatch(it -> isSigned(body, signature, it))) {
      throw new BadRequestException(
          "The header Stripe-Signature is missing, wrong or older than "
              + config.webhookTolerance());
    }
    Event event = read(body);
    events.take(event).ifPresent(known -> tell(event, known));
  }

  private boolean isSigned(String body, String signature, String secret) {
    try {
      return Webhook.Signature.verifyHeader(
          body, signature, secret, config.webhookTolerance().toSeconds());
    } catch (SignatureVerificationException e) {
      return false;
    }
  }

  private Event read(String body) {
    try {
      JsonNode event = json.readTree(body);
      JsonNode object = event.path("data").path("object");
      boolean isIntent = object.path("object").asText().equals("payment_intent");
      JsonNode metadata = object.path("metadata");
      return new Event(
          required(event, "id"),
          required(event, "type"),
          required(object, "id"),
          text(object, isIntent ? "id" : "payment_intent"),
          text(metadata, StripeApi.KEY),
          orderId(text(metadata, StripeApi.ORDER)),
          text(object, "status"),
          Instant.ofEpochSecond(event.path("created").asLong()));
    } catch (JsonProcessingException | DateTimeException e) {
      throw new BadRequestException("The body is no event of Stripe's", e);
    }
  }

  private static String required(JsonNode node, String field) {
    String value = text(node, field);
    if (value == null) {
      throw new BadRequestException(
          "The body is no event of Stripe's: %s is missing".formatted(field));
    }
    return value;
  }

  private static @Nullable String text(JsonNode node, String field) {
    return node.path(field).isTextual() ? node.path(field).textValue() : null;
  }

  /** Metadata can be written by others who use the same account. */
  private static @Nullable UUID orderId(@Nullable String text) {
    try {
      return text == null ? null : UUID.fromString(text);
    } catch (IllegalArgumentException ofSomebodyElse) {
      return null;
    }
  }

  private void tell(Event event, boolean known) {
    String type = TYPES.contains(event.type()) ? event.type() : "other";
    metrics
        .counter("onceflow.stripe.events", "type", type, "known", Boolean.toString(known))
        .increment();
    if (isFailedRefund(event)) {
      LOG.errorf(
          "Stripe could not carry out the refund %s of %s (key %s); pay the customer otherwise",
          event.objectId(), event.intentId(), event.key());
    } else if (!known) {
      LOG.infof("%s is about %s, which is not known here", event.type(), event.objectId());
    }
  }

  private static boolean isFailedRefund(Event event) {
    return event.type().equals("refund.failed");
  }
}
