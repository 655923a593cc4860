package io.onceflow.order;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.onceflow.launcher.testing.HouseLaws;
import io.onceflow.order.api.planted.AskingTheQueue;
import io.onceflow.order.api.planted.UsingSagaInternals;
import io.onceflow.order.domain.planted.KnowingTheFramework;
import io.onceflow.order.domain.planted.KnowingTheSaga;
import io.onceflow.order.saga.planted.CallingBack;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

class HouseRulesTest extends HouseLaws {

  private static final String SAGA_MESSAGING = "io.onceflow.saga.internal.messaging..";

  HouseRulesTest() {
    super("io.onceflow.order");
  }

  @Override
  protected Stream<Arguments> rules() {
    return Stream.of(
        arguments(domainKnowsNoFramework(), KnowingTheFramework.class),
        arguments(
            knowsNothingOf("domain", inHere("api"), inHere("saga"), SAGA_MESSAGING),
            KnowingTheSaga.class),
        arguments(
            knowsNothingOf(
                "api", SAGA_MESSAGING, "com.rabbitmq..", "org.eclipse.microprofile.reactive.."),
            AskingTheQueue.class),
        arguments(
            knowsNothingOf(
                "saga",
                "jakarta.ws.rs..",
                "org.eclipse.microprofile.reactive..",
                inHere("api"),
                SAGA_MESSAGING),
            CallingBack.class),
        arguments(usesTheApiAlone(), UsingSagaInternals.class),
        arguments(logsGoOneWay(), AskingTheQueue.class),
        arguments(nothingIsInjectedIntoFields(), AskingTheQueue.class),
        arguments(packagesFormNoCycle(), KnowingTheSaga.class));
  }
}
