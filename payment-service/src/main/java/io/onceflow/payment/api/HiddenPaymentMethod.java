package io.onceflow.payment.api;

import io.onceflow.inbox.ParkedMessageDetail;
import io.onceflow.service.parked.Redaction;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;

/**
 * Takes the payment method's token out of a parked message before an operator sees it: what is
 * wrong with a message can be told without it. The message itself stays as it came, to be redriven.
 */
@Singleton
final class HiddenPaymentMethod implements Redaction {

  /** By its name, whatever it is, up to what ends it in JSON; and by its form, wherever it is. */
  private static final Pattern TOKEN =
      Pattern.compile("(?i)(\"paymentMethod\"\\s*+:\\s*+)[^,}\\]]++|pm_\\w+");

  @Override
  public ParkedMessageDetail of(ParkedMessageDetail parked) {
    return new ParkedMessageDetail(
        parked.id(),
        parked.queue(),
        parked.messageId(),
        parked.type(),
        parked.correlationId(),
        parked.replyTo(),
        parked.reason(),
        hidden(parked.detail()),
        parked.parkedAt(),
        parked.attempts(),
        parked.nextAttemptAt(),
        parked.headers(),
        hidden(parked.payload()));
  }

  static String hidden(String text) {
    return TOKEN
        .matcher(text)
        .replaceAll(found -> found.group(1) == null ? "…" : found.group(1) + "\"…\"");
  }
}
