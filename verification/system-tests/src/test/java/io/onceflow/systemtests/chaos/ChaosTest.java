package io.onceflow.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.launcher.testing.TestServers;
import io.onceflow.systemtests.Project;
import io.onceflow.systemtests.chaos.plan.Kind;
import io.onceflow.systemtests.chaos.run.ChaosRun;
import io.onceflow.systemtests.chaos.run.Settings;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A short chaos run with as many kinds of faults as fit in, on a separate stack: of a minute, or
 * what {@code -Donceflow.chaos.seconds} says, after each fault alone for a while whose effect on
 * others is measured, unless {@code -Donceflow.chaos.alone-seconds=0} or {@code
 * -Donceflow.chaos.alone-most=2} of them, which are others each day; with {@code
 * -Donceflow.chaos.gateway=stripe-double} on a double of Stripe, with {@code
 * -Donceflow.chaos.carrier=easypost-double} on one of EasyPost. It measures how soon customers are
 * served, so the build runs it while no other class uses the cores.
 */
@Tag("alone")
class ChaosTest {

  private static final Duration LENGTH =
      Duration.ofSeconds(Integer.getInteger("onceflow.chaos.seconds", 60));

  /** Each day another one: a short run has a part of the faults, and in turn all are had. */
  private static final long SEED =
      Long.getLong("onceflow.chaos.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  /** Few, since the machine may be small. */
  private static final int CUSTOMERS = 6;

  private static final Duration READY_AT_LEAST = Duration.ofSeconds(10);
  private static final Duration QUIET_WITHIN = Duration.ofMinutes(5);
  private static final Duration POST_AT_LEAST = Duration.ofSeconds(1);

  private static final Duration ALONE_FOR =
      Duration.ofSeconds(Integer.getInteger("onceflow.chaos.alone-seconds", 4));

  private static final int ALONE_MOST =
      Integer.getInteger("onceflow.chaos.alone-most", Integer.MAX_VALUE);

  @Test
  void aShortChaosBreaksNoLaw() throws IOException, InterruptedException {
    Settings settings =
        new Settings(
            LENGTH,
            SEED,
            EnumSet.allOf(Kind.class),
            CUSTOMERS,
            System.getProperty(
                TestServers.STACK, System.getenv().getOrDefault(TestServers.STACK, "")),
            System.getProperty("onceflow.chaos.gateway", "simulated"),
            System.getProperty("onceflow.chaos.carrier", "simulated"),
            READY_AT_LEAST,
            QUIET_WITHIN,
            POST_AT_LEAST,
            ALONE_FOR,
            ALONE_MOST,
            null,
            Project.chaosOutput());

    try (ChaosRun run = new ChaosRun(settings, System.out)) {
      assertThat(run.run()).isEmpty();
    }
  }
}
