package io.onceflow.launcher.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
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

  /**
   * Seen red: what a test profile and what a test's servers asked for was the same port, since
   * Quarkus loads the former by another class loader.
   */
  @Test
  void areNoneThatAnotherClassLoaderGot() throws Exception {
    URL[] here = {FreePorts.class.getProtectionDomain().getCodeSource().getLocation()};
    try (URLClassLoader other = new URLClassLoader(here, null)) {
      Method next = other.loadClass(FreePorts.class.getName()).getMethod("next");

      List<Object> ports = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        ports.add(next.invoke(null));
        ports.add(FreePorts.next());
      }
      assertThat(ports).doesNotHaveDuplicates();
    }
  }
}
