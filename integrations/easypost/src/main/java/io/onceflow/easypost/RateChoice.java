package io.onceflow.easypost;

import com.easypost.model.Rate;
import com.easypost.model.Shipment;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The cheapest rate of those carriers and services that are configured. Prices in different
 * currencies cannot be compared: where a shipment's rates have several, those in the currency of
 * the sender's country are compared, or, where there are none, those in the one that most rates
 * have.
 */
final class RateChoice {

  private final Optional<List<String>> carriers;
  private final Optional<List<String>> services;
  private final String senders;

  RateChoice(EasyPostConfig config) {
    this.carriers = config.carriers();
    this.services = config.services();
    this.senders = config.sender().map(sender -> currencyIn(sender.country())).orElse("");
  }

  /** Empty for what is no country, or one without a currency of its own. */
  private static String currencyIn(String country) {
    try {
      return Optional.ofNullable(Currency.getInstance(Locale.of("", country)))
          .map(Currency::getCurrencyCode)
          .orElse("");
    } catch (IllegalArgumentException noCountry) {
      return "";
    }
  }

  /** Empty where the shipment has no such rate. */
  Optional<Rate> of(Shipment shipment) {
    List<Rate> offered =
        Optional.ofNullable(shipment.getRates()).stream()
            .flatMap(List::stream)
            .filter(rate -> rate.getRate() != null)
            .filter(rate -> isAmong(carriers, rate.getCarrier()))
            .filter(rate -> isAmong(services, rate.getService()))
            .toList();
    return offered.isEmpty() ? Optional.empty() : cheapest(offered, compared(offered));
  }

  private static Optional<Rate> cheapest(List<Rate> offered, String currency) {
    return offered.stream()
        .filter(rate -> currencyOf(rate).equals(currency))
        .min(Comparator.comparing(Rate::getRate));
  }

  /** The currency in which prices are compared, of one rate at least. */
  private String compared(List<Rate> offered) {
    Map<String, Long> rates =
        offered.stream()
            .collect(
                Collectors.groupingBy(RateChoice::currencyOf, TreeMap::new, Collectors.counting()));
    return rates.containsKey(senders)
        ? senders
        : Collections.max(rates.entrySet(), Map.Entry.comparingByValue()).getKey();
  }

  private static String currencyOf(Rate rate) {
    return rate.getCurrency() == null ? "" : rate.getCurrency();
  }

  private static boolean isAmong(Optional<List<String>> wanted, String name) {
    return wanted.isEmpty() || wanted.get().stream().anyMatch(it -> it.equalsIgnoreCase(name));
  }
}
