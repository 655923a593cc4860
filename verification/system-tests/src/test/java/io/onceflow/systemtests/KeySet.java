package io.onceflow.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * An issuer as OpenID Connect knows it, as far as services see it: it signs with keys that have
 * names, and publishes the public ones at an address.
 */
final class KeySet implements AutoCloseable {

  private static final Duration VALID_FOR = Duration.ofHours(1);
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Map<String, KeyPair> made = new ConcurrentHashMap<>();
  private final Map<String, RSAPublicKey> published = new ConcurrentHashMap<>();
  private final HttpServer server;
  private volatile boolean isBroken;

  KeySet() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/keys", this::answer);
    server.start();
  }

  /** Where services are to look. */
  String url() {
    return "http://localhost:%d/keys".formatted(server.getAddress().getPort());
  }

  /** Makes a key of this name, unless there is one, and publishes it. */
  void publish(String kid) {
    KeyPair pair = made.computeIfAbsent(kid, name -> Tokens.newKeys());
    published.put(kid, (RSAPublicKey) pair.getPublic());
  }

  /** Publishes it no more; it still signs. */
  void withdraw(String kid) {
    published.remove(kid);
  }

  /** Whether it answers with an error from now on. */
  void setBroken(boolean broken) {
    isBroken = broken;
  }

  /** A customer's token, signed with the key of this name. */
  String token(String kid, String user) {
    PrivateKey key = made.get(kid).getPrivate();
    String claims = Tokens.sign(key, user, Set.of(), Instant.now(), VALID_FOR).split("\\.")[1];
    String header = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"%s\"}".formatted(kid);
    String signed = base64(header.getBytes(StandardCharsets.UTF_8)) + "." + claims;
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(key);
      signature.update(signed.getBytes(StandardCharsets.US_ASCII));
      return signed + "." + base64(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A key that was made to sign does not", e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String keys =
        published.entrySet().stream()
            .map(entry -> jwk(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    byte[] body = keys.getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      // So that the test need not wait for the services' own interval.
      exchange.getResponseHeaders().set("Cache-Control", "max-age=1");
      exchange.sendResponseHeaders(isBroken ? UNAVAILABLE : OK, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String jwk(String kid, RSAPublicKey key) {
    return """
    {"kty":"RSA","use":"sig","alg":"RS256","kid":"%s","n":"%s","e":"%s"}\
    """
        .formatted(kid, number(key.getModulus()), number(key.getPublicExponent()));
  }

  /** Without the byte that is there for the sign alone. */
  private static String number(BigInteger number) {
    byte[] bytes = number.toByteArray();
    int from = bytes[0] == 0 ? 1 : 0;
    return base64(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
