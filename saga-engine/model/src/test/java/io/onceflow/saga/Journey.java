package io.onceflow.saga;

import static io.onceflow.saga.SagaDefinition.pivot;
import static io.onceflow.saga.SagaDefinition.step;
import static java.time.Duration.ofSeconds;

import io.onceflow.message.Command;
import io.onceflow.message.Undoes;
import io.onceflow.saga.Step.OutgoingCommand;
import io.onceflow.saga.internal.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** A subject without a business: it keeps what was done to it, for sagas of any shape. */
public record Journey(UUID id, List<String> marks) {

  static final List<String> THINGS = List.of("shoes", "book", "tent");

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

  /** What a bag is packed with, one thing after the other or together. */
  static ItemSteps<Journey, String> pack(String bag, int atOnce) {
    return step(bag)
        .forEach((Journey journey) -> THINGS, thing -> thing)
        .atOnce(atOnce)
        .send(PackThing.class, Journey::pack)
        .replyWithin(ofSeconds(10));
  }

  /** A saga for each thing. */
  static ItemSteps<Journey, String> fetch(String name, int atOnce) {
    return step(name)
        .forEach((Journey journey) -> THINGS, thing -> thing)
        .atOnce(atOnce)
        .start(Errand.class, Journey::errandFor);
  }

  Journey errandFor(String thing) {
    return new Journey(new UUID(THINGS.indexOf(thing), 8), List.of(thing));
  }

  PackThing pack(String thing) {
    return new PackThing(id, thing);
  }

  UnpackThing unpack(String thing) {
    return new UnpackThing(id, thing);
  }

  /** Packs one thing. */
  @Command("bag.pack")
  public record PackThing(UUID journey, String thing) {}

  /** Takes it out again. */
  @Undoes(PackThing.class)
  @Command("bag.unpack")
  public record UnpackThing(UUID journey, String thing) {}

  /** What a journey starts, as a saga of its own. */
  public interface Errand extends Saga<Journey> {}

  /** What an errand is about. */
  public Journey errand() {
    return new Journey(new UUID(id.getMostSignificantBits() + 1, 7), marks);
  }

  /** What a saga is told of while it waits. */
  public record News(String text) {}

  /** Reads news from their text alone. */
  public static <R extends Record> R news(String json, Class<R> type) {
    return type.cast(new News(json));
  }

  Journey told(News news) {
    return marked(news.text());
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
