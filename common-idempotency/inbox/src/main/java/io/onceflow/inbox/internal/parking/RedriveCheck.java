package io.onceflow.inbox.internal.parking;

import java.sql.SQLException;
import java.util.Optional;

/** Asks the saga that a parked message belongs to whether it still wants that message. */
@FunctionalInterface
public interface RedriveCheck {

  /**
   * @param parked with a correlation-id
   * @param operator who redrives it
   * @return why the saga does not want it any more, for the operator; empty when it does
   * @throws SagaQueryFailed when the saga cannot be asked now
   */
  Optional<String> objection(ParkedMessage parked, Operator operator) throws SQLException;

  /**
   * An operator.
   *
   * @param name for the log
   * @param token the bearer token by which the request came; it is passed on only to the service
   *     that keeps the sagas
   */
  record Operator(String name, String token) {

    /** Without the token. */
    @Override
    public String toString() {
      return name;
    }
  }
}
