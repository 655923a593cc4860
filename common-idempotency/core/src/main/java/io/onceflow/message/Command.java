package io.onceflow.message;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The record is the payload of a command. Its AMQP type is the record's simple name, such as {@code
 * ReserveFlight}; its JSON has one property for each component. A constructor that throws refuses a
 * payload that makes no sense: such a message is parked.
 *
 * <pre>{@code
 * @Command("flight.reserve")
 * record ReserveFlight(UUID tripId, String flight) {}
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Command {

  /**
   * The routing key on the exchange {@code onceflow.commands}, such as {@code flight.reserve}. A
   * participant's queue is bound by the first word of it.
   */
  String value();

  /**
   * The application that handles it, by its {@code quarkus.application.name}, such as {@code
   * airline}: an orchestrator takes replies from no other. Without one it is the first word of the
   * routing key followed by {@code -service}, unless {@code onceflow.saga.replies.participants}
   * names another. Commands whose routing keys start with the same word have the same participant.
   */
  String of() default "";
}
