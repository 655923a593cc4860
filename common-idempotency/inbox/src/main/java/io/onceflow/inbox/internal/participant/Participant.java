package io.onceflow.inbox.internal.participant;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.MeterRegistry;
import io.onceflow.inbox.internal.InboxConfig;
import io.onceflow.inbox.internal.LeaseInvalid;
import io.onceflow.inbox.internal.call.CallExecutor;
import io.onceflow.inbox.internal.call.CallResult;
import io.onceflow.inbox.internal.call.LaneCallExecutor;
import io.onceflow.inbox.internal.call.LaneRecovery;
import io.onceflow.inbox.internal.call.LaneReservations;
import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchItem;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.parking.ParkedMessage;
import io.onceflow.inbox.internal.parking.ParkedMessageSink;
import io.onceflow.inbox.internal.parking.Parking;
import io.onceflow.outbox.internal.MessageHeaders;
import io.onceflow.outbox.internal.UnitOfWork;
import io.onceflow.participant.Answer.UnprocessableMessage;
import io.onceflow.participant.internal.HandlerMethods;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jboss.logging.Logger;

/**
 * Carries out commands, each exactly once: reads them, looks up what is known of their steps, lets
 * the handlers decide, and writes all decisions of a batch in a few statements and one transaction.
 *
 * <p>A step that calls external systems takes two transactions with the call between them. The
 * first records the intent under a lease, the second the result under the fencing token. Between
 * them the broker keeps the command, which is acknowledged after the second; where the broker does
 * not, or the command has to wait, the inbox row stores it. An owner that dies is replaced when its
 * lease ends: the broker delivers the command again, which stores it, and {@link #recover()} takes
 * it over. An owner that was only slow finds its token gone and writes nothing.
 */
public final class Participant implements BatchSettler, AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Participant.class);

  private final UnitOfWork unitOfWork;
  private final Parking parking;
  private final CommandTransactions transactions;
  private final CommandReader reader;
  private final BatchConsumer consumer;
  private final CallExecutor executor;
  private final LaneRecovery recovery;

  /**
   * What a participant stands on.
   *
   * @param name the application's, such as {@code payment-service}: the end of the routing keys
   *     that it answers under, which the broker lets no other service use
   * @param unitOfWork transactions
   * @param parking where unhandled messages go
   * @param config bounds and times
   * @param json how payloads are read and written
   * @param clock business time
   * @param metrics where it counts
   * @param timesSetBack how often the database's clock was set back, as this process has seen
   */
  public record Environment(
      String name,
      UnitOfWork unitOfWork,
      Parking parking,
      InboxConfig config,
      ObjectMapper json,
      Clock clock,
      MeterRegistry metrics,
      LongSupplier timesSetBack) {

    /** A word of a routing key, as short as leaves room for what it is added to. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    public Environment {
      if (!NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "quarkus.application.name is \"%s\"; it is a word of the routing key of every reply, so it has to match %s"
                .formatted(name, NAME));
      }
    }
  }

  /**
   * @param environment what it stands on
   * @param handlers one per type of command
   */
  public Participant(Environment environment, HandlerMethods handlers) {
    this(
        environment,
        ParticipantDependencies.of(environment, handlers),
        participant ->
            new LaneCallExecutor(
                environment.config(), participant.consumer::accept, environment.metrics()));
    handlers.all().forEach(handler -> LeaseInvalid.check(handler, environment.config()));
  }

  /**
   * @param executor makes the calls, and gives the results to a consumer that settles by this
   *     participant
   */
  public Participant(
      Environment environment,
      ParticipantDependencies dependencies,
      Function<Participant, CallExecutor> executor) {
    LeaseInvalid.check(environment.config());
    this.unitOfWork = environment.unitOfWork();
    this.parking = environment.parking();
    this.transactions = new CommandTransactions(dependencies);
    this.reader = dependencies.reader();
    this.consumer =
        new BatchConsumer(environment.name() + ".commands", environment.config().batchSize(), this);
    this.executor = executor.apply(this);
    this.recovery =
        new LaneRecovery(unitOfWork, transactions, this.executor, environment.config().batchSize());
  }

  /** Takes commands, and what calls come to, many in one transaction and on one thread. */
  public BatchConsumer consumer() {
    return consumer;
  }

  /** Starts to settle what its consumer has taken. */
  public void start() {
    consumer.start();
  }

  @Override
  public void settle(List<Delivery> batch) throws SQLException {
    settle(batch, List.of());
  }

  /** Results first: what arrives may concern the same steps. */
  @Override
  public void settle(List<Delivery> batch, List<BatchItem> results) throws SQLException {
    List<PendingCall> begun =
        unitOfWork.call(
            tx -> {
              transactions.conclude(tx, results.stream().map(CallResult.class::cast).toList());
              return transactions.settle(tx, batch, places(), parking);
            });
    begun.forEach(PendingCall::hold);
    executor.begin(begun);
  }

  /** Stores the message of the step, if the broker has it, for when the lease ends. */
  @Override
  public void giveUp(BatchItem item, Throwable failure) throws SQLException {
    CallResult result = (CallResult) item;
    if (result.delivery() != null) {
      unitOfWork.run(tx -> transactions.store(tx, result.leased()));
    }
    ResolvedCommand command = result.leased().command();
    command
        .about()
        .run(
            () ->
                LOG.errorf(
                    failure,
                    "the result of %s could not be written; it is called again when its lease"
                        + " ends",
                    command));
  }

  @Override
  public void park(Delivery delivery, UnprocessableMessage why) throws SQLException {
    unitOfWork.run(tx -> parking.park(tx, delivery, why));
  }

  @Override
  public boolean redrive(Parked parked) throws SQLException {
    List<PendingCall> begun = new ArrayList<>();
    boolean wasParked =
        unitOfWork.call(
            tx -> {
              Optional<Delivery> delivery = parked.take(tx);
              if (delivery.isPresent()) {
                begun.addAll(
                    transactions.settle(
                        tx, List.of(delivery.get()), places(), ParkedMessageSink.NONE));
              }
              return delivery.isPresent();
            });
    executor.begin(begun);
    return wasParked;
  }

  @Override
  public Set<String> known() {
    return reader.types();
  }

  private LaneReservations places() {
    return new LaneReservations(executor::lane);
  }

  /**
   * The step that a parked command is for; empty when neither its headers nor a handler of its type
   * say it.
   */
  public Optional<String> stepOf(ParkedMessage command) {
    return Optional.ofNullable(command.headers())
        .map(headers -> headers.get(MessageHeaders.SAGA_STEP))
        .or(() -> reader.stepOf(command.type()));
  }

  /**
   * Takes over steps whose owner is gone, or whose next attempt is due. To be called every now and
   * then by every replica; they share the work without a leader. It takes over what has room in its
   * lane, in turns of the scopes. A step that cannot be decided about (such as one whose handler is
   * gone since) holds up no other.
   *
   * @return how many were taken over
   */
  public int recover() throws SQLException {
    return recovery.recover();
  }

  /** Whether steps were due at the last recovery, taken over or not. */
  boolean hasDueSteps() {
    return recovery.hasDueSteps();
  }

  /**
   * Starts no more calls: steps that wait for one, or come to one from now on, are released. To be
   * done first by a process that stops, so that no step waits for a free call slot.
   */
  public void release() {
    executor.release();
  }

  /**
   * Calls out no more, lets the calls under way end for as long as {@link
   * InboxConfig.CallOut#stopWithin} says, and settles what has arrived until then. The other steps
   * are released: any replica takes them up at once.
   */
  @Override
  public void close() {
    executor.close();
    consumer.finish();
  }
}
