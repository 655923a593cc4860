package io.onceflow.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofSeconds;

import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** A subject without a business: it keeps what was done to it, for sagas of any shape. */
public record Journey(UUID id, List<String> marks) {

  static Journey journey() {
    return new Journey(new UUID(0, 7), List.of());
  }

  /** A step {@code book-x} that {@code cancel-x} undoes. */
  public static Step.Send<Journey> book(String what) {
    return step("book-" + what)
        .send((Journey journey) -> journey.ask("Book", what))
        .compensateWith("cancel-" + what, journey -> journey.ask("Cancel", what))
        .on(PlaceOrder.Answer.class, Journey::note)
        .replyWithin(ofSeconds(10));
  }

  /** A step that nothing undoes. */
  public static Step.Send<Journey> tell(String listener) {
    return step("tell-" + listener)
        .send((Journey journey) -> journey.ask("Tell", listener))
        .on(PlaceOrder.Answer.class, Journey::note)
        .replyWithin(ofSeconds(10));
  }

  /** A pivot {@code decide-x} that a participant takes. */
  public static Step.Send<Journey> decide(String what) {
    return pivot("decide-" + what)
        .send((Journey journey) -> journey.ask("Decide", what))
        .on(PlaceOrder.Answer.class, Journey::note)
        .replyWithin(ofSeconds(10));
  }

  private OutgoingCommand ask(String verb, String what) {
    return new OutgoingCommand(verb, verb.toLowerCase(Locale.ROOT) + "." + what, id);
  }

  public Journey marked(String mark) {
    List<String> all = new ArrayList<>(marks);
    all.add(mark);
    return new Journey(id, List.copyOf(all));
  }

  Journey note(Reply reply) {
    return marked(reply.step());
  }
}
