package io.onceflow.saga.internal.store;

import java.util.List;
import java.util.Map;

/**
 * The commands of a saga, as they are to be stored with it.
 *
 * @param journaled what was last sent for each step, by the step's name
 * @param rendered those among them that this write sends first
 * @param answered what was sent before and is not sent again: its payload, which may name a card,
 *     is erased
 */
public record SentCommands(
    Map<String, JournaledCommand> journaled,
    List<RenderedCommand> rendered,
    List<JournaledCommand> answered) {

  /** Of a saga of which no command is kept. */
  public static final SentCommands NONE = new SentCommands(Map.of(), List.of(), List.of());
}
