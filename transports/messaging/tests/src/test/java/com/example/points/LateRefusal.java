package com.example.points;

import jakarta.transaction.Synchronization;
import java.sql.SQLException;

/** As a flush of entities that the database refuses. */
final class LateRefusal implements Synchronization {

  @Override
  public void beforeCompletion() {
    throw new IllegalStateException(
        "not flushed", new SQLException("violates a constraint", "23514"));
  }

  @Override
  public void afterCompletion(int status) {
    // Nothing is open.
  }
}
