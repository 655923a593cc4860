package io.onceflow.stripedouble;

import io.onceflow.stripedouble.StripeDouble.Webhooks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Sends events, signed, until they are taken with a 2xx. */
final class WebhookSender implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int ATTEMPTS = 60;
  private static final long PAUSE_MILLIS = 1_000;

  private final Webhooks to;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final ScheduledExecutorService later =
      Executors.newScheduledThreadPool(
          4, Thread.ofPlatform().daemon().name("webhook-", 0).factory());

  WebhookSender(Webhooks to) {
    this.to = to;
  }

  void send(String type, Map<String, Object> object) {
    Map<String, Object> event = new LinkedHashMap<>();
    event.put("id", Intents.id("evt_"));
    event.put("object", "event");
    event.put("type", type);
    event.put("created", Instant.now().getEpochSecond());
    event.put("livemode", false);
    event.put("data", Map.of("object", object));
    String body = Transformer.json(event);
    for (int i = 0; i < to.times(); i++) {
      Future<?> sent = later.submit(() -> attempt(body, 1));
      if (to.early()) {
        await(sent);
      }
    }
  }

  private static void await(Future<?> sent) {
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void attempt(String body, int number) {
    if (!isTaken(body) && number < ATTEMPTS && !later.isShutdown()) {
      later.schedule(() -> attempt(body, number + 1), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isTaken(String body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(to.url()))
              .timeout(LIMIT)
              .header("Content-Type", "application/json")
              .header("Stripe-Signature", signature(body))
              .POST(HttpRequest.BodyPublishers.ofString(body))
              .build();
      return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() / 100 == 2;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String signature(String body) {
    long now = Instant.now().getEpochSecond();
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(to.secret().getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] digest = mac.doFinal((now + "." + body).getBytes(StandardCharsets.UTF_8));
      return "t=%s,v1=%s".formatted(now, HexFormat.of().formatHex(digest));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  @Override
  public void close() {
    later.shutdownNow();
  }
}
