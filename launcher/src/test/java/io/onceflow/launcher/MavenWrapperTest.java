package io.onceflow.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mvnw}, which the archetype copies. */
class MavenWrapperTest {

  /**
   * Before, the distribution's address was none of a Maven repository, so that the wrapper asked a
   * mirror for a path that no repository has.
   */
  @Test
  void takesMavenFromTheMirrorThatTheEnvironmentNames(@TempDir Path home) throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HttpServer mirror =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    mirror.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    mirror.start();
    try {
      ProcessBuilder wrapper = new ProcessBuilder("sh", "../mvnw", "-v").redirectErrorStream(true);
      wrapper.environment().put("MAVEN_USER_HOME", home.toString());
      wrapper
          .environment()
          .put(
              "MVNW_REPOURL",
              "http://localhost:%s/mirror".formatted(mirror.getAddress().getPort()));
      wrapper.environment().put("JAVA_HOME", System.getProperty("java.home"));
      wrapper.environment().put("no_proxy", "localhost");
      Process process = wrapper.start();
      String printed = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor()).as(printed).isNotZero();
    } finally {
      mirror.stop(0);
    }
    assertThat(asked)
        .isNotEmpty()
        .allSatisfy(
            path ->
                assertThat(path)
                    .matches(
                        "/mirror/org/apache/maven/apache-maven/([0-9.]+)/apache-maven-\\1-bin\\.(zip|tar\\.gz)"));
  }
}
