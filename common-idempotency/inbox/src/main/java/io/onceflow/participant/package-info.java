/**
 * What a participant is written with: beans with methods that handle commands.
 *
 * <pre>{@code
 * @ApplicationScoped
 * class Flights {
 *   @Handles
 *   @CallsOut(deadline = "6s", attempts = 6)
 *   Answer reserve(ReserveFlight command, CallKey key) {
 *     return switch (airline.reserve(key.value(), command.flight())) { ... };
 *   }
 *
 *   @Handles
 *   @CallsOut
 *   void cancel(CancelFlight command, CallKey key, CallKey reserved) {
 *     airline.annul(reserved.value(), key.value());
 *   }
 * }
 * }</pre>
 */
@NullMarked
package io.onceflow.participant;

import org.jspecify.annotations.NullMarked;
