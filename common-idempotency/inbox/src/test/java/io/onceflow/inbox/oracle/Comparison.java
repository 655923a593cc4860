package io.onceflow.inbox.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;

/** The oracle and the real participants side by side, compared after each transaction. */
final class Comparison implements AutoCloseable {

  private final String name;
  private final RealParticipants real;
  private final List<Event> trace = new ArrayList<>();
  private OracleState expected = ParticipantOracle.start();

  /**
   * @param name by which the run can be repeated
   * @param isCalledAtOnce see {@link RealParticipants}
   */
  Comparison(String name, boolean isCalledAtOnce) {
    this.name = name;
    this.real = new RealParticipants(isCalledAtOnce);
  }

  /** What the oracle expects. */
  OracleState state() {
    return expected;
  }

  void happen(Event event) {
    trace.add(event);
    expected = ParticipantOracle.after(expected, event);
    try {
      real.happen(event);
    } catch (Exception | AssertionError e) {
      fail(description(), e);
    }
    if (event.kind().isTransaction()) {
      assertThat(real.visible()).as(this::description).isEqualTo(expected.visible());
    }
  }

  private String description() {
    return name + ": " + trace;
  }

  @Override
  public void close() {
    real.close();
  }
}
