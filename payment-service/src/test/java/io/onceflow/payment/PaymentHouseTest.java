package io.onceflow.payment;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.launcher.testing.HouseLaws;
import io.onceflow.payment.api.planted.AskingTheQueue;
import io.onceflow.payment.api.planted.UsingInternals;
import io.onceflow.payment.domain.planted.KnowingTheFramework;
import io.onceflow.payment.domain.planted.KnowingTheGateway;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class PaymentHouseTest extends HouseLaws {

  PaymentHouseTest() {
    super("io.onceflow.payment");
  }

  @Override
  protected Stream<Arguments> rules() {
    return Stream.of(
        arguments(domainKnowsNoFramework(), KnowingTheFramework.class),
        arguments(
            knowsNothingOf("domain", inHere("api"), inHere("gateway"), "io.onceflow.payment"),
            KnowingTheGateway.class),
        arguments(apiKnowsNoMessaging(), AskingTheQueue.class),
        arguments(usesTheApiAlone(), UsingInternals.class),
        arguments(logsGoOneWay(), AskingTheQueue.class),
        arguments(nothingIsInjectedIntoFields(), AskingTheQueue.class),
        arguments(packagesFormNoCycle(), KnowingTheGateway.class));
  }
}
