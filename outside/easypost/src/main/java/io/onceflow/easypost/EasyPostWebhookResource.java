package io.onceflow.easypost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.easypost.EasyPostEvents.Event;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes EasyPost's events. There is no token: EasyPost's signature says who sends them. Each is
 * kept once, however often it comes and in whatever order, before it is acknowledged; EasyPost
 * sends again what is not (<a href="https://docs.easypost.com/docs/webhooks">webhooks</a>).
 *
 * <p>The signature has no time. An old event that is sent again by somebody else changes nothing
 * while it is kept, and afterwards tells an old status, which a newer one of the same parcel
 * outdoes.
 */
@Path("/webhooks/easypost")
@Tag(name = "Webhooks")
public class EasyPostWebhookResource {

  private static final Logger LOG = Logger.getLogger(EasyPostWebhookResource.class);

  /** A tracker with a hundred stations has 60 kB. */
  private static final int LARGEST_BODY = 256 * 1024;

  /** PostgreSQL indexes no text that is much longer; EasyPost's ids have less than a hundred. */
  private static final int LONGEST_TEXT = 500;

  /** PostgreSQL's time goes further, but not as far as Java's. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

  private static final String HMAC = "HmacSHA256";
  private static final String SIGNATURE = "X-Hmac-Signature";

  /** Types that are counted by name; an endpoint is sent all that EasyPost has. */
  private static final Set<String> TYPES =
      Set.of("tracker.created", "tracker.updated", "refund.successful");

  private final EasyPostConfig config;
  private final EasyPostEvents events;
  private final ObjectMapper json;
  private final MeterRegistry metrics;

  EasyPostWebhookResource(
      EasyPostConfig config, EasyPostEvents events, ObjectMapper json, MeterRegistry metrics) {
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
  @Operation(summary = "Take an event of EasyPost's, signed by it")
  @APIResponse(responseCode = "204", description = "It is kept, or was kept before")
  @APIResponse(responseCode = "400", description = "Its signature is wrong, or it is no event")
  @APIResponse(responseCode = "404", description = "No webhook secret is configured")
  @APIResponse(responseCode = "413", description = "The body is larger than 256 KiB")
  public void take(@HeaderParam(SIGNATURE) @Nullable String signature, byte[] body) {
    List<String> secrets =
        config
            .webhookSecrets()
            .orElseThrow(
                () -> new NotFoundException("onceflow.easypost.webhook-secrets is not set"));
    if (body.length > LARGEST_BODY) {
      throw new ClientErrorException(
          "The body is larger than %s bytes".formatted(LARGEST_BODY),
          Status.REQUEST_ENTITY_TOO_LARGE);
    }
    if (signature == null
        || secrets.stream()
            .flatMap(it -> Stream.of(it, it.strip())) // one may have been chosen with blanks
            .noneMatch(it -> isSigned(body, signature, it))) {
      throw new BadRequestException("The header %s is missing or wrong".formatted(SIGNATURE));
    }
    Event event = read(body);
    events.take(event).ifPresent(known -> tell(event, known));
  }

  /** EasyPost signs under the secret's compatibility decomposition. */
  static boolean isSigned(byte[] body, String signature, String secret) {
    if (secret.isEmpty()) {
      return false;
    }
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(
          new SecretKeySpec(
              Normalizer.normalize(secret, Normalizer.Form.NFKD).getBytes(StandardCharsets.UTF_8),
              HMAC));
      String right = "hmac-sha256-hex=" + HexFormat.of().formatHex(mac.doFinal(body));
      return MessageDigest.isEqual(
          right.getBytes(StandardCharsets.UTF_8), signature.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + HMAC, e);
    }
  }

  private Event read(byte[] body) {
    try {
      JsonNode event = json.readTree(body);
      JsonNode object = event.path("result");
      boolean isShipment = "Shipment".equals(text(object, "object"));
      return new Event(
          required(event, "id"),
          required(event, "description"),
          required(object, "id"),
          text(object, isShipment ? "id" : "shipment_id"),
          text(object, "tracking_code"),
          text(object, "status"),
          moment(
              object.hasNonNull("updated_at")
                  ? required(object, "updated_at")
                  : required(event, "created_at")));
    } catch (IOException | DateTimeException e) {
      throw new BadRequestException("The body is no event of EasyPost's", e);
    }
  }

  private static Instant moment(String text) {
    Instant moment = OffsetDateTime.parse(text).toInstant();
    if (moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST)) {
      throw new DateTimeException("beyond what is kept: " + text);
    }
    return moment;
  }

  private static String required(JsonNode node, String field) {
    String value = text(node, field);
    if (value == null) {
      throw new BadRequestException(
          "The body is no event of EasyPost's: %s is missing".formatted(field));
    }
    return value;
  }

  private static @Nullable String text(JsonNode node, String field) {
    @Nullable String text = node.path(field).isTextual() ? node.path(field).textValue() : null;
    if (text != null && (text.length() > LONGEST_TEXT || text.indexOf('\0') >= 0)) {
      throw new BadRequestException(
          "The body is no event of EasyPost's: %s has more than %s characters, or a NUL"
              .formatted(field, LONGEST_TEXT));
    }
    return text;
  }

  private void tell(Event event, boolean known) {
    String type = TYPES.contains(event.description()) ? event.description() : "other";
    metrics
        .counter("onceflow.easypost.events", "type", type, "known", Boolean.toString(known))
        .increment();
    if (!known) {
      LOG.infof("%s is about %s, which is not known here", event.description(), event.objectId());
    }
  }
}
