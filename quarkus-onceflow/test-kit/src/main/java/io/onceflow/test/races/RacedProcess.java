package io.onceflow.test.races;

import io.onceflow.inbox.internal.consumer.BatchConsumer;
import io.onceflow.inbox.internal.consumer.BatchSettler;
import io.onceflow.inbox.internal.consumer.Delivery;
import io.onceflow.inbox.internal.participant.Participant;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/**
 * One process of a service, which may die: from then on it commits nothing and acknowledges
 * nothing, whatever its threads still do.
 */
final class RacedProcess {

  private static final int LARGEST_BATCH = 128;

  private final Gates gates;
  private final MortalSource mortal;
  private final RacedService.Consumer consumer;
  private final BatchConsumer intake;
  private volatile boolean doomedAtAcknowledgement;
  private boolean mourned;

  /**
   * @param troubles of its handlers
   */
  RacedProcess(RacedService service, HandlerTroubles troubles) {
    gates = new Gates(troubles);
    mortal = new MortalSource(service.database(), this::stopSoon);
    consumer = service.start(mortal.database(), gates);
    intake = intake(consumer.settler());
  }

  /** A participant's has its results of calls in it, and is started with it. */
  private static BatchConsumer intake(BatchSettler settler) {
    if (settler instanceof Participant participant) {
      return participant.consumer();
    }
    BatchConsumer intake = new BatchConsumer("race", LARGEST_BATCH, settler);
    intake.start();
    return intake;
  }

  Gates gates() {
    return gates;
  }

  DataSource database() {
    return mortal.database();
  }

  /** How many transactions it has committed. */
  int commits() {
    return mortal.commits();
  }

  void dieAtCommit(int number, MortalSource.Moment moment) {
    mortal.dieAtCommit(number, moment);
  }

  /** It dies when it is about to acknowledge something. */
  void dieAtAcknowledgement() {
    doomedAtAcknowledgement = true;
  }

  void die() {
    mortal.die();
  }

  boolean isDead() {
    return mortal.isDead();
  }

  /** Takes a message from the queue. */
  void accept(Delivery delivery) {
    intake.accept(delivery);
  }

  /** Takes messages that came together, in one batch for sure. */
  void acceptTogether(List<Delivery> batch) throws SQLException {
    consumer.settler().settle(batch);
    batch.forEach(delivery -> delivery.acknowledge().run());
  }

  /** Whether it may tell the broker that something is settled; it may die of it. */
  boolean acknowledges() {
    if (doomedAtAcknowledgement) {
      die();
    }
    return !isDead();
  }

  int recover() throws SQLException {
    return consumer.recovery().recover();
  }

  int tryAgain() throws SQLException {
    return consumer.failed().tryAgain();
  }

  /** Whether it has died since this was last asked. */
  boolean hasJustDied() {
    boolean just = isDead() && !mourned;
    mourned |= just;
    return just;
  }

  /** Does not wait for its threads: some of them hang, as in a process that is killed. */
  void stopSoon() {
    Thread.startVirtualThread(
        () -> {
          consumer.closing().run();
          intake.close();
        });
  }
}
