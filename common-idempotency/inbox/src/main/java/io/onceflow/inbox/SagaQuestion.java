package io.onceflow.inbox;

import java.sql.SQLException;
import java.util.Optional;

/** Asks the saga that a parked message belongs to whether it still wants that message. */
@FunctionalInterface
public interface SagaQuestion {

  /**
   * @param parked with a correlation-id
   * @param operator who redrives it
   * @return why the saga does not want it any more, for the operator; empty when it does
   * @throws SagaNotAsked when the saga's whereabouts cannot be learnt now
   */
  Optional<String> objection(ParkedInFull parked, Operator operator) throws SQLException;

  /**
   * An operator at work.
   *
   * @param name for the log
   * @param token the bearer token by which the request came; it is shown to nobody else than the
   *     service that keeps the sagas
   */
  record Operator(String name, String token) {

    /** Without the token. */
    @Override
    public String toString() {
      return name;
    }
  }
}
