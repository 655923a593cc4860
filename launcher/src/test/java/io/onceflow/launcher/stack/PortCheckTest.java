package io.onceflow.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortCheckTest {

  @Test
  void hasNothingToSayWhenAllAreFree() {
    assertThat(new PortCheck(port -> false, () -> 0).complaint(ports(8081).all())).isEmpty();
  }

  @Test
  void namesAllTakenPortsAtOnceWithTheOptionThatMovesEach() {
    PortCheck check =
        new PortCheck(Set.of(8080, 5432)::contains, List.of(1001, 1002).iterator()::next);
    assertThat(check.complaint(ports(8081).all()))
        .hasValueSatisfying(
            complaint ->
                assertThat(complaint.lines())
                    .contains(
                        "   8080  order-service                 --order-port N",
                        "   5432  PostgreSQL                    --postgres-port N",
                        "Free just now: --order-port 1001 --postgres-port 1002"));
  }

  @Test
  void noticesAPortThatTwoWereGiven() {
    PortCheck check = new PortCheck(port -> false, () -> 1001);
    assertThat(check.complaint(ports(8080).all()))
        .hasValueSatisfying(
            complaint ->
                assertThat(complaint)
                    .contains("--payment-port N  (also asked for by order-service)"));
  }

  @Test
  void seesWhoListensOnTheLoopbackInterface() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(complaintAbout(taken)).isTrue();
    }
  }

  @Test
  void seesWhoListensOnAllInterfaces() throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      assertThat(complaintAbout(taken)).isTrue();
    }
  }

  private static boolean complaintAbout(ServerSocket socket) {
    var port = new StackPorts.Named(socket.getLocalPort(), "somebody", "--port");
    return PortCheck.ofThisMachine().complaint(List.of(port)).isPresent();
  }

  private static StackPorts ports(int payment) {
    List<Service> services = new ArrayList<>(SampleServices.all());
    services.set(1, services.get(1).on(payment, 9001));
    return new StackPorts(services, 5432, 5672, OptionalInt.empty());
  }
}
