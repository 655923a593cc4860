package io.onceflow.payment.api;

import io.onceflow.parked.Redaction;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;

/** Takes the payment method's token out of a parked message: operators need not see it. */
@Singleton
final class HiddenPaymentMethod implements Redaction {

  /**
   * By its property name, with any value up to the end of that in JSON; and by its form, anywhere.
   */
  private static final Pattern TOKEN =
      Pattern.compile("(?i)(\"paymentMethod\"\\s*+:\\s*+)[^,}\\]]++|pm_\\w+");

  @Override
  public String of(String text) {
    return TOKEN
        .matcher(text)
        .replaceAll(found -> found.group(1) == null ? "…" : found.group(1) + "\"…\"");
  }
}
