package io.onceflow.shipping;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.launcher.testing.HouseLaws;
import io.onceflow.shipping.api.planted.AskingTheQueue;
import io.onceflow.shipping.api.planted.UsingInternals;
import io.onceflow.shipping.domain.planted.KnowingTheCarrier;
import io.onceflow.shipping.domain.planted.KnowingTheFramework;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class ShippingHouseTest extends HouseLaws {

  ShippingHouseTest() {
    super("io.onceflow.shipping");
  }

  @Override
  protected Stream<Arguments> rules() {
    return Stream.of(
        arguments(domainKnowsNoFramework(), KnowingTheFramework.class),
        arguments(
            knowsNothingOf("domain", inHere("api"), inHere("carrier"), "io.onceflow.shipping"),
            KnowingTheCarrier.class),
        arguments(apiKnowsNoMessaging(), AskingTheQueue.class),
        arguments(usesTheApiAlone(), UsingInternals.class),
        arguments(logsGoOneWay(), AskingTheQueue.class),
        arguments(nothingIsInjectedIntoFields(), AskingTheQueue.class),
        arguments(packagesFormNoCycle(), KnowingTheCarrier.class));
  }
}
