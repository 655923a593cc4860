package io.onceflow.launcher.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** The three sample services, as the file of this project names them. */
public final class SampleServices {

  /** The file. */
  public static final Path FILE = Path.of("..", "services.yaml").toAbsolutePath().normalize();

  private SampleServices() {}

  /** The services in their order: order-service, payment-service, shipping-service. */
  public static List<Service> all() {
    try {
      return ServicesFile.read(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
