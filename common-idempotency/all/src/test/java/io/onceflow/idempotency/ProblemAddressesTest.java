package io.onceflow.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code ProblemAddress} alone says where the page of a problem is. An address that is written
 * elsewhere is wrong in an application below a path.
 */
class ProblemAddressesTest {

  private static final Path ROOT = Path.of("../..");
  private static final String SOURCES = Path.of("src/main/java").toString();

  private static final Pattern OWN_ADDRESS =
      Pattern.compile(
          "withType\\(URI\\.create\\(|\"type\", *\"/problems|\"<.*rel=\\\\\"describedby");

  @Test
  void areWrittenInOnePlace() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .filter(file -> ROOT.relativize(file).toString().contains(SOURCES))
                  .filter(ProblemAddressesTest::writesAnAddress)
                  .map(file -> file.getFileName().toString()))
          .containsExactly("ProblemAddress.java");
    }
  }

  private static boolean writesAnAddress(Path file) {
    try {
      return OWN_ADDRESS.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
