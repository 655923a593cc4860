package com.example.giftcards;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.ServiceUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The bank: an external system, which no transaction of ours can undo. */
@ApplicationScoped
class Bank {

  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

  /** The bank's own promise is 5 s. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(8);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN).build();
  private final URI charges;

  Bank(@ConfigProperty(name = "bank.url") URI bank) {
    charges = bank.resolve("/charges");
  }

  /**
   * Charges, or finds what was charged under the key before.
   *
   * @param key the same however often the same charge is asked for
   * @throws ServiceUnavailableException when it is unknown whether it was charged; ask again under
   *     the same key
   */
  void charge(String key, Amount amount) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(charges)
            .timeout(ANSWER_WITHIN)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "\"" + key + "\"")
            .POST(BodyPublishers.ofString("{\"cents\":%s}".formatted(amount.cents())))
            .build();
    try {
      HttpResponse<Void> answer = http.send(request, BodyHandlers.discarding());
      if (answer.statusCode() >= 300) {
        throw new ServiceUnavailableException("the bank answered " + answer.statusCode());
      }
    } catch (IOException e) {
      throw new ServiceUnavailableException("the bank did not answer", (Long) null, e);
    }
  }
}
