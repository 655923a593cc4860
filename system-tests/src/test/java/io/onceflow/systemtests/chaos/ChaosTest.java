package io.onceflow.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.quickstart.testing.TestServers;
import io.onceflow.systemtests.OneStackIsEnough;
import io.onceflow.systemtests.Project;
import io.onceflow.systemtests.chaos.plan.Kind;
import io.onceflow.systemtests.chaos.run.ChaosRun;
import io.onceflow.systemtests.chaos.run.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A short chaos run with every kind of fault, on a separate stack: of a minute, or what {@code
 * -Donceflow.chaos.seconds} says, after each isolated fault alone for a while, unless {@code
 * -Donceflow.chaos.alone-seconds=0}; with {@code -Donceflow.chaos.gateway=stripe-double} on a
 * double of Stripe, with {@code -Donceflow.chaos.carrier=easypost-double} on one of EasyPost. It
 * measures how soon customers are served, so the build runs it while no other class uses the cores.
 */
@OneStackIsEnough
@Tag("alone")
class ChaosTest {

  private static final Duration LENGTH =
      Duration.ofSeconds(Integer.getInteger("onceflow.chaos.seconds", 60));
  private static final long SEED = 42;

  /** Few, since the machine may be small; for the same reason services may take long to start. */
  private static final int CUSTOMERS = 6;

  private static final Duration READY_WITHIN = Duration.ofSeconds(90);
  private static final Duration QUIET_WITHIN = Duration.ofMinutes(5);

  /** Likewise; alone on two cores it is one second. */
  private static final Duration POST_WITHIN = Duration.ofSeconds(5);

  private static final Duration ALONE_FOR =
      Duration.ofSeconds(Integer.getInteger("onceflow.chaos.alone-seconds", 4));

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
            READY_WITHIN,
            QUIET_WITHIN,
            POST_WITHIN,
            ALONE_FOR,
            null,
            Project.chaosOutput());

    try (ChaosRun run = new ChaosRun(settings, System.out)) {
      assertThat(run.run()).isEmpty();
    }
  }
}
