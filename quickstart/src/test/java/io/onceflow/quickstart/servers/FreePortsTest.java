package io.onceflow.quickstart.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {

  /** Seen red: an outgoing connection had a service's port before the service was started. */
  @Test
  void areNoneThatTheSystemGivesToConnections() {
    List<Integer> ports = IntStream.range(0, 200).map(i -> FreePorts.next()).boxed().toList();

    assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < 32_768);
  }
}
