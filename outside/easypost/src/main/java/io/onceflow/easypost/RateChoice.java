package io.onceflow.easypost;

import com.easypost.model.Rate;
import com.easypost.model.Shipment;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The cheapest rate of those carriers and services that are configured. */
final class RateChoice {

  private final Optional<List<String>> carriers;
  private final Optional<List<String>> services;

  RateChoice(EasyPostConfig config) {
    this.carriers = config.carriers();
    this.services = config.services();
  }

  /** Empty where the shipment has no such rate. */
  Optional<Rate> of(Shipment shipment) {
    return Optional.ofNullable(shipment.getRates()).stream()
        .flatMap(List::stream)
        .filter(rate -> rate.getRate() != null)
        .filter(rate -> isAmong(carriers, rate.getCarrier()))
        .filter(rate -> isAmong(services, rate.getService()))
        .min(Comparator.comparing(Rate::getRate));
  }

  private static boolean isAmong(Optional<List<String>> wanted, String name) {
    return wanted.isEmpty() || wanted.get().stream().anyMatch(it -> it.equalsIgnoreCase(name));
  }
}
