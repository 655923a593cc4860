package io.onceflow.inbox;

import java.sql.Connection;
import java.sql.SQLException;

/** Where a message goes that cannot be handled. */
@FunctionalInterface
interface ParkingPlace {

  /** For what is redriven: it is parked already, so that it still cannot be handled is its end. */
  ParkingPlace NONE =
      (connection, delivery, why) -> {
        throw why;
      };

  /** Parks one message in the caller's transaction. */
  void park(Connection connection, Delivery delivery, CannotHandle why) throws SQLException;
}
