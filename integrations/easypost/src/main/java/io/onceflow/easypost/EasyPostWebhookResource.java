package io.onceflow.easypost;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
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
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
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
 * resends what is not (<a href="https://docs.easypost.com/docs/webhooks">webhooks</a>).
 *
 * <p>The signature has no time. An old event that is resent by somebody else changes nothing while
 * it is kept, and afterwards tells an old status, which a newer one of the same parcel outdoes.
 */
@Path("/webhooks/easypost")
@Tag(name = "Webhooks")
public class EasyPostWebhookResource {

  private static final Logger LOG = Logger.getLogger(EasyPostWebhookResource.class);

  /** A tracker with a hundred stations has 60 kB. */
  private static final int LARGEST_BODY = 256 * 1024;

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
  @APIResponse(
      responseCode = "204",
      description = "It is kept, was kept before, or is none that can be kept")
  @APIResponse(responseCode = "400", description = "Its signature is wrong")
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
    Optional<EasyPostEvent> event = EasyPostEvent.read(json, body);
    if (event.isPresent()) {
      events.take(event.get()).ifPresent(known -> tell(event.get(), known));
    } else {
      // EasyPost disables webhooks that refuse what it has signed.
      LOG.info(
          "an event of EasyPost's is not kept: it has no id, description or time that can be kept");
      count("other", false);
    }
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

  private void count(String description, boolean known) {
    String type = TYPES.contains(description) ? description : "other";
    metrics
        .counter("onceflow.easypost.events", "type", type, "known", Boolean.toString(known))
        .increment();
  }

  private void tell(EasyPostEvent event, boolean known) {
    count(event.description(), known);
    if (!known) {
      LOG.infof("%s is about %s, which is not known here", event.description(), event.objectId());
    }
  }
}
