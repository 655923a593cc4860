package io.onceflow.quarkus.console;

import io.onceflow.launcher.testing.TestServers;
import io.onceflow.quarkus.trip.TripApplication;
import io.quarkus.test.QuarkusUnitTest;
import java.util.List;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.spec.JavaArchive;

/** An application that leads a saga, and so has the console. */
final class BookingApplication {

  private static final String BOOKINGS = "io.onceflow.quarkus.devui.";

  private BookingApplication() {}

  /**
   * One with a database of its own.
   *
   * @param more classes beside those of its saga
   */
  static QuarkusUnitTest on(String database, Class<?>... more) {
    TestServers.shared().createDatabase(database);
    return TripApplication.on(database)
        .overrideConfigKey("quarkus.http.test-port", "0")
        .overrideConfigKey("onceflow.transport", "local")
        .withApplicationRoot(jar -> addSaga(jar.addClasses(more)));
  }

  private static void addSaga(JavaArchive jar) {
    List.of("Booking", "BookSeat", "ReleaseSeat", "ReserveSeat", "Seats")
        .forEach(name -> jar.addClass(BOOKINGS + name));
    jar.addClasses(BookingApplication.class, ConsoleRequests.class, TripApplication.class)
        .addAsResource(
            new StringAsset("CREATE TABLE booking (id uuid PRIMARY KEY, flight text);"),
            "db/migration/V1__create_booking.sql");
  }
}
