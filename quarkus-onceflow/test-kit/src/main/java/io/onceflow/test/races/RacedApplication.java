package io.onceflow.test.races;

import io.quarkus.test.junit.QuarkusTestProfile;
import java.util.Map;

/**
 * The profile of a {@code @QuarkusTest} that races the application's participants: the application
 * takes over no steps and publishes nothing, since the races do both.
 *
 * <pre>{@code
 * @QuarkusTest
 * @TestProfile(RacedApplication.class)
 * @WithTestResource(OnceflowTestResource.class)
 * class LoansRacesTest extends CommandRaces {
 *
 *   @Inject Loans loans;
 *
 *   @Override
 *   protected RacedService service() {
 *     return RacedParticipants.inApplication().withEntities(Loan.class).of(loans);
 *   }
 * }
 * }</pre>
 */
public class RacedApplication implements QuarkusTestProfile {

  @Override
  public Map<String, String> getConfigOverrides() {
    return Map.of("onceflow.outbox.relay", "none", "onceflow.inbox.recovery-interval", "P1D");
  }
}
