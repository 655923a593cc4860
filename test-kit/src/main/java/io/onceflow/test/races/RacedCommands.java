package io.onceflow.test.races;

import java.util.List;
import java.util.stream.Stream;

/** What all races of commands are about: a service, its commands and its ledger. */
abstract class RacedCommands extends DeliveryRaces<RacedCommand> {

  /** What has really happened. */
  protected abstract Ledger ledger();

  /** All commands that the service carries out, one line for each. */
  protected abstract List<RacedCommand> commands();

  /** Those that have a compensation. */
  final Stream<RacedCommand> actions() {
    return commands().stream().filter(it -> it.undo() != null);
  }

  /** Those that are one. */
  final Stream<RacedCommand> compensations() {
    return commands().stream().filter(this::isCompensation);
  }

  /** Those that may be answered as not done. */
  final Stream<RacedCommand> refusable() {
    return commands().stream().filter(RacedCommand::isRefusable);
  }

  /** Those that are neither refused nor a compensation: done, or left to an operator. */
  final Stream<RacedCommand> neverRefused() {
    return commands().stream().filter(it -> !it.isRefusable() && !isCompensation(it));
  }

  /** Those that follow an earlier saga. */
  final Stream<RacedCommand> followers() {
    return commands().stream().filter(it -> !it.underItsKey() && !it.before().isEmpty());
  }

  /** Those that nothing need precede. */
  final Stream<RacedCommand> first() {
    return commands().stream().filter(it -> it.before().isEmpty());
  }

  private boolean isCompensation(RacedCommand command) {
    return actions().anyMatch(it -> it.compensation().type().equals(command.type()));
  }

  @Override
  final List<RacedCommand> raced() {
    return commands();
  }

  @Override
  final Run run(RacedCommand command) throws Exception {
    return Run.begin(service(), ledger(), command);
  }
}
