package io.onceflow.quarkus.runtime.dev;

import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.ParkedMessages;
import io.onceflow.inbox.internal.parking.RedriveCheck.Operator;
import io.onceflow.inbox.internal.parking.RedriveResult;
import io.onceflow.inbox.internal.parking.RedriveService;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.quarkus.runtime.dev.MessageFaults.Fault;
import io.onceflow.saga.SagaView;
import io.onceflow.saga.internal.operators.SagaFilterReader;
import io.onceflow.saga.internal.runtime.SagaRunners;
import io.onceflow.saga.internal.store.view.SagaFilter;
import io.onceflow.saga.internal.store.view.SagaList;
import io.onceflow.saga.internal.store.view.SagaSummary;
import io.smallrye.common.annotation.Blocking;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * What the pages of the Dev UI ask for. In development, every user of the browser is an operator.
 * Quarkus makes it before the application has started, so it looks its beans up when it is asked.
 */
@Singleton
@Blocking
public class OnceflowJsonRpc {

  private static final int MOST = 100;

  private final Instance<SagaRunners> sagas;
  private final UnitOfWork unitOfWork;
  private final Instance<ParkedMessages> parked;
  private final Instance<RedriveService> redriving;
  private final MessageFaults faults;

  OnceflowJsonRpc(
      Instance<SagaRunners> sagas,
      UnitOfWork unitOfWork,
      Instance<ParkedMessages> parked,
      Instance<RedriveService> redriving,
      MessageFaults faults) {
    this.sagas = sagas;
    this.unitOfWork = unitOfWork;
    this.parked = parked;
    this.redriving = redriving;
    this.faults = faults;
  }

  /** All versions of all definitions. */
  public List<DrawnDefinition> definitions() {
    return sagas.stream()
        .flatMap(runners -> runners.definitions().stream())
        .map(DrawnDefinition::of)
        .toList();
  }

  /** The oldest first. */
  public List<SagaSummary> sagas() throws SQLException {
    if (sagas.isUnsatisfied()) {
      return List.of();
    }
    SagaFilter all = SagaFilterReader.read(Map.of());
    SagaFilter.Page page = new SagaFilter.Page(null, false, MOST);
    return transactions().call(tx -> SagaList.find(tx.connection(), all, page));
  }

  /** What has happened to a saga, oldest first. */
  public List<SagaView.Entry> history(String saga) throws SQLException {
    return transactions().call(tx -> sagas.get().view(tx, UUID.fromString(saga))).stream()
        .map(SagaView::history)
        .flatMap(List::stream)
        .toList();
  }

  private UnitOfWork transactions() {
    return sagas.get().transactions(unitOfWork);
  }

  /** The newest first. */
  public List<ParkedMessage> parkedMessages() throws SQLException {
    return parked.get().newest(null, MOST);
  }

  /** Its outcome. */
  public String redrive(String message) throws SQLException {
    RedriveResult redrive =
        redriving.get().redrive(UUID.fromString(message), new Operator("Dev UI", ""));
    return redrive.detail().isEmpty()
        ? redrive.outcome().word()
        : redrive.outcome().word() + ": " + redrive.detail();
  }

  /** Has this happen to the next message: {@code lose}, {@code repeat} or {@code delay}. */
  public List<String> fault(String kind) {
    faults.ask(Fault.valueOf(kind.toUpperCase(Locale.ROOT)));
    return faults();
  }

  /** Those that have not happened yet. */
  public List<String> faults() {
    return faults.waiting().stream().map(fault -> fault.name().toLowerCase(Locale.ROOT)).toList();
  }

  /** Those that Dev Services hand out; none where the application has a key. */
  public List<DevToken> tokens() {
    Config config = ConfigProvider.getConfig();
    return Stream.of("customer", "operator")
        .flatMap(
            role ->
                config.getOptionalValue("onceflow.dev-tokens." + role, String.class).stream()
                    .map(token -> new DevToken(role, token)))
        .toList();
  }

  /** A token for trying the application. */
  public record DevToken(String role, String token) {}
}
