package io.onceflow.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.message.Command;
import io.onceflow.message.Done;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.smallrye.mutiny.Uni;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.jandex.Index;
import org.junit.jupiter.api.Test;

/** What the build says of handlers, and what it lets pass. */
class HandlerChecksTest {

  @Command("seat.reserve")
  record ReserveSeat(UUID seatId) {}

  @Done(ReserveSeat.class)
  record SeatReserved(UUID seatId) {}

  /** Each keeps a transaction open, or wants one, while the other system answers. */
  static class InTransactions {

    @Handles
    @CallsOut
    @Transactional
    void required(ReserveSeat command) {}

    @Handles
    @CallsOut
    @Transactional(TxType.REQUIRES_NEW)
    void requiresNew(ReserveSeat command) {}

    @Handles
    @CallsOut
    @Transactional(TxType.MANDATORY)
    void mandatory(ReserveSeat command) {}
  }

  /** Seen red: the build let each of them pass. */
  @Test
  void refuseACallWithinATransaction() throws IOException {
    assertThat(wrongWith(InTransactions.class))
        .hasSize(3)
        .anySatisfy(it -> assertThat(it).contains(callsOut("InTransactions.required", "REQUIRED")))
        .anySatisfy(
            it -> assertThat(it).contains(callsOut("InTransactions.requiresNew", "REQUIRES_NEW")))
        .anySatisfy(
            it -> assertThat(it).contains(callsOut("InTransactions.mandatory", "MANDATORY")));
  }

  private static String callsOut(String handler, String type) {
    return "%s is annotated with @CallsOut and, by itself or by its class, with @Transactional(%s)"
        .formatted(handler, type);
  }

  @Transactional
  static class TransactionalClass {

    @Handles
    @CallsOut
    void reserve(ReserveSeat command) {}
  }

  @Test
  void refuseACallWithinATransactionOfItsClass() throws IOException {
    assertThat(wrongWith(TransactionalClass.class))
        .singleElement()
        .asString()
        .contains(callsOut("TransactionalClass.reserve", "REQUIRED"));
  }

  static class Inheriting extends TransactionalClass {

    @Handles
    @CallsOut
    void reserveAnother(ReserveSeat command) {}
  }

  @Test
  void refuseACallWithinATransactionThatItsClassInherits() throws IOException {
    assertThat(wrongWith(Inheriting.class, TransactionalClass.class))
        .anySatisfy(
            it -> assertThat(it).contains(callsOut("Inheriting.reserveAnother", "REQUIRED")));
  }

  @Transactional
  static class WithoutTransactions {

    @Handles
    @CallsOut
    @Transactional(TxType.NEVER)
    void never(ReserveSeat command) {}

    @Handles
    @CallsOut
    @Transactional(TxType.NOT_SUPPORTED)
    void notSupported(ReserveSeat command) {}

    @Handles
    @CallsOut
    @Transactional(TxType.SUPPORTS)
    void supports(ReserveSeat command) {}

    @Handles
    void decidesInTheTransactionOfItsStep(ReserveSeat command) {}
  }

  @Test
  void letACallPassThatHasNoTransaction() throws IOException {
    assertThat(wrongWith(WithoutTransactions.class)).isEmpty();
  }

  @Transactional(TxType.REQUIRES_NEW)
  static class Apart {}

  static class WritingApart extends Apart {

    @Handles
    void reserve(ReserveSeat command) {}
  }

  /** Seen red: only the class that declares the handler was looked at. */
  @Test
  void refuseATransactionOfItsOwnThatItsClassInherits() throws IOException {
    assertThat(wrongWith(WritingApart.class, Apart.class))
        .singleElement()
        .asString()
        .contains("WritingApart.reserve is annotated with @Transactional(REQUIRES_NEW)");
  }

  static class Reactive {

    @Handles
    Uni<SeatReserved> reserve(ReserveSeat command) {
      return Uni.createFrom().item(new SeatReserved(command.seatId()));
    }
  }

  /** Seen red: the build let it pass, and each call failed. */
  @Test
  void refuseWhatNothingSubscribesTo() throws IOException {
    assertThat(MessageChecks.of(index(Reactive.class), handlers(Reactive.class)))
        .singleElement()
        .asString()
        .contains("Reactive.reserve returns Uni; a handler returns an Answer");
  }

  static class OfAnUnreadLibrary {

    @Handles
    void reserve(ReserveSeat command) {}
  }

  /** Seen red: it was said to lack the annotation that it has. */
  @Test
  void sayThatTheLibraryOfACommandIsNotRead() throws IOException {
    assertThat(
            MessageChecks.of(Index.of(OfAnUnreadLibrary.class), handlers(OfAnUnreadLibrary.class)))
        .singleElement()
        .asString()
        .contains("its first parameter is ReserveSeat, which is in none of the libraries")
        .contains("quarkus.index-dependency");
  }

  private static List<String> wrongWith(Class<?>... classes) throws IOException {
    return HandlerChecks.of(index(classes), handlers(classes));
  }

  private static Index index(Class<?>... classes) throws IOException {
    return Index.of(
        Stream.concat(Stream.of(classes), Stream.of(ReserveSeat.class, SeatReserved.class))
            .toArray(Class<?>[]::new));
  }

  private static List<HandlerMethodBuildItem> handlers(Class<?>... classes) throws IOException {
    return Index.of(classes).getAnnotations(Names.HANDLES).stream()
        .map(annotation -> new HandlerMethodBuildItem(annotation.target().asMethod()))
        .toList();
  }
}
