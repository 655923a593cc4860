package io.onceflow.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServicesFileTest {

  @TempDir private Path folder;

  @Test
  void namesTheThreeSamplesOfThisProject() {
    Path project = SampleServices.FILE.getParent();

    assertThat(SampleServices.all())
        .extracting(Service::name)
        .containsExactly("order-service", "payment-service", "shipping-service");
    assertThat(SampleServices.all().getFirst())
        .isEqualTo(
            new Service(
                "order-service",
                project.resolve("order-service/target/quarkus-app/quarkus-run.jar"),
                8080,
                9000,
                "orders",
                true,
                Map.of(
                    "ONCEFLOW_SERVICES_PAYMENT_SERVICE",
                    "http://localhost:${payment-service.port}",
                    "ONCEFLOW_SERVICES_SHIPPING_SERVICE",
                    "http://localhost:${shipping-service.port}")));
  }

  @Test
  void findsAModuleAndAJarBesideTheFile() throws IOException {
    Path file =
        written(
            """
            services:
              - name: trip-bookings
                port: 8090
                management-port: 9090
              - name: airline
                folder: participants/airline
                port: 8091
                management-port: 9091
                environment:
                  AIRLINE_DESK: http://localhost:${trip-bookings.port}/desk
              - name: hotel
                jar: bought/hotel.jar
                port: 8092
                management-port: 9092
                database: rooms
            """);

    assertThat(ServicesFile.read(file))
        .containsExactly(
            service("trip-bookings", "trip-bookings/" + BUILT, 8090, "trip_bookings", Map.of()),
            service(
                "airline",
                "participants/airline/" + BUILT,
                8091,
                "airline",
                Map.of("AIRLINE_DESK", "http://localhost:${trip-bookings.port}/desk")),
            service("hotel", "bought/hotel.jar", 8092, "rooms", Map.of()));
  }

  private static final String BUILT = "target/quarkus-app/quarkus-run.jar";

  private Service service(
      String name, String jar, int port, String database, Map<String, String> environment) {
    return new Service(name, folder.resolve(jar), port, port + 1000, database, false, environment);
  }

  static Stream<Arguments> unusable() {
    return Stream.of(
        arguments("", "No content"),
        arguments("{}", "it has no list `services`"),
        arguments("services: []", "it names no service"),
        arguments("services: [{port: 1, management-port: 2}]", "each service needs a name"),
        arguments("services: [{name: A b, port: 1, management-port: 2}]", "needs a name"),
        arguments("services: [{name: trips, port: 8080}]", "trips needs a port"),
        arguments("services: [{name: trips, port: 8080, management-port: 99999}]", "needs a port"),
        arguments(
            "services: [{name: a, port: 1, management-port: 2}, {name: a, port: 3, management-port: 4}]",
            "two services a"),
        arguments("services: [{name: trips, prot: 8080}]", "\"prot\""));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void tellsWhatIsWrongInAFile(String content, String why) throws IOException {
    Path file = written(content);

    assertThatThrownBy(() -> ServicesFile.read(file))
        .isInstanceOf(LaunchException.class)
        .hasMessageContainingAll(file.toString(), why);
  }

  @Test
  void tellsThatThereIsNoFile() {
    assertThatThrownBy(() -> ServicesFile.read(folder.resolve("none.yaml")))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("There is no file");
  }

  @Test
  void tellsThatItIsAFolder() {
    assertThatThrownBy(() -> ServicesFile.read(folder))
        .isInstanceOf(LaunchException.class)
        .hasMessageContaining("it is a folder");
  }

  private Path written(String content) throws IOException {
    return Files.writeString(folder.resolve("services.yaml"), content);
  }
}
