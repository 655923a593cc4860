package io.onceflow.idempotency.testing;

import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A database that counts how many of its connections are in use. */
public final class CountedConnections {

  private final DataSource real;
  private final AtomicInteger inUse = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  public CountedConnections(DataSource real) {
    this.real = real;
  }

  /** How many connections were in use at once, at most. */
  public int mostAtOnce() {
    return most.get();
  }

  /** What the code under test gets. */
  public DataSource source() {
    return Interception.ofConnections(real, this::counted);
  }

  private Connection counted(Connection connection) {
    most.accumulateAndGet(inUse.incrementAndGet(), Math::max);
    return Interception.ofCalls(
        connection,
        (method, arguments) -> {
          if (method.getName().equals("close")) {
            inUse.decrementAndGet();
          }
        });
  }
}
