package io.onceflow.benchmarks.saga.load;

import io.onceflow.launcher.token.KeyFiles;
import io.onceflow.launcher.token.Tokens;
import java.io.IOException;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Customers with separate orders and keys, and their tokens: signed once, since that takes seconds,
 * and used by all clients.
 */
public final class Callers {

  /** So many that none exceeds its quota. */
  private static final int MANY = 256;

  private static final Duration TOKENS_VALID_FOR = Duration.ofHours(12);

  private final List<String> authorizations;

  /**
   * Customers that a service knows by their tokens.
   *
   * @param keys sign the tokens
   */
  public Callers(KeyFiles keys) throws IOException {
    PrivateKey key = keys.readPrivateKey();
    Instant now = Instant.now();
    authorizations =
        IntStream.range(0, MANY)
            .mapToObj(user -> Tokens.sign(key, "customer-" + user, Set.of(), now, TOKENS_VALID_FOR))
            .map(token -> "Bearer " + token)
            .toList();
  }

  /** The header of one of them. */
  String authorization(int client) {
    return authorizations.get(client % MANY);
  }
}
