package io.onceflow.inbox;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.onceflow.inbox.HandlerMethodsTest.GiveMoneyBack;
import io.onceflow.inbox.HandlerMethodsTest.LockAway;
import io.onceflow.inbox.HandlerMethodsTest.MoneyDeclined;
import io.onceflow.inbox.HandlerMethodsTest.MoneyTaken;
import io.onceflow.inbox.HandlerMethodsTest.TakeMoney;
import io.onceflow.inbox.HandlerMethodsTest.TakenOut;
import io.onceflow.inbox.internal.participant.Participant;
import io.onceflow.participant.CallKey;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import io.onceflow.participant.Handles.FallbackReply;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Handler methods that cannot work are refused at start. */
@Timeout(60)
class RefusedHandlerMethodsTest {

  private final Fixture fixture = new Fixture();

  private Participant participant(Object bean) {
    return fixture.participant(
        TestConfig.inbox(),
        Saga.PAYMENTS.source(),
        HandlerMethods.of(new CompositeRepository(), Fixture.JSON, bean));
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void areRefusedWithASentenceWhenTheyTakeWhatNothingProvides() {
    Object bean =
        new Object() {
          @Handles
          void take(TakeMoney command, String what) {}
        };
    assertThatThrownBy(() -> participant(bean))
        .hasMessageContaining("takes a java.lang.String, which a handler is not given");
  }

  @Test
  void areRefusedWithASentenceWhenTheyTakeARowThatNothingKeeps() {
    Object bean =
        new Object() {
          @Handles
          void take(TakeMoney command, Optional<String> what) {}
        };
    assertThatThrownBy(() -> participant(bean))
        .hasMessageContaining("take(")
        .hasMessageContaining("java.lang.String is neither a JPA entity nor kept by a bean");
  }

  @Test
  void areRefusedWithASentenceWhenTheirDeadlineIsNoDuration() {
    Object bean =
        new Object() {
          @Handles
          @CallsOut(deadline = "6 seconds")
          void take(TakeMoney command) {}
        };
    assertThatThrownBy(() -> participant(bean))
        .hasMessageContaining("deadline = \"6 seconds\", which is no duration; write 6s");
  }

  /** Each call would be interrupted before it is made. */
  @Test
  void areRefusedWithADeadlineThatIsOverAtOnce() {
    Object none =
        new Object() {
          @Handles
          @CallsOut(deadline = "0s")
          void take(TakeMoney command) {}
        };
    Object negative =
        new Object() {
          @Handles
          @CallsOut(deadline = "-6s")
          void take(TakeMoney command) {}
        };
    assertThatThrownBy(() -> participant(none))
        .hasMessageContaining("take(")
        .hasMessageContaining("deadline = \"0s\", which is over at once");
    assertThatThrownBy(() -> participant(negative)).hasMessageContaining("over at once");
  }

  @Test
  void areRefusedWithALimitThatLetsNoCallBegin() {
    Object never =
        new Object() {
          @Handles
          @CallsOut(atMost = -1)
          void take(TakeMoney command) {}
        };
    Object inNoTime =
        new Object() {
          @Handles
          @CallsOut(atMost = 5, within = "0s")
          void take(TakeMoney command) {}
        };
    assertThatThrownBy(() -> participant(never))
        .hasMessageContaining("atMost = -1; write how many calls begin within a time");
    assertThatThrownBy(() -> participant(inNoTime))
        .hasMessageContaining("within = \"0s\", which is over at once");
  }

  /**
   * It would be given up on after the first call that fails, and may have been meant as no bound.
   */
  @Test
  void areRefusedWithANegativeNumberOfAttempts() {
    Object bean =
        new Object() {
          @Handles
          @CallsOut(attempts = -1)
          void take(TakeMoney command) {}
        };
    assertThatThrownBy(() -> participant(bean))
        .hasMessageContaining("take(")
        .hasMessageContaining("attempts = -1; write how many calls are made at most, from 1 on");
  }

  @Test
  void areRefusedWithTwoKeysForAnAction() {
    Object bean =
        new Object() {
          @Handles
          void take(TakeMoney command, CallKey own, CallKey other) {}
        };
    assertThatThrownBy(() -> participant(bean))
        .hasMessageContaining("TakeMoney undoes nothing: only a compensation has a second one");
  }

  /** Seen red: it was empty at each call, as if the action's result were unknown. */
  @Test
  void areRefusedWithTheReplyToAnotherActionThanTheyUndo() {
    Object undoing =
        new Object() {
          @Handles
          void giveBack(GiveMoneyBack command, Optional<TakenOut> result) {}
        };
    Object acting =
        new Object() {
          @Handles
          void take(TakeMoney command, Optional<MoneyTaken> result) {}
        };
    assertThatThrownBy(() -> participant(undoing))
        .hasMessageContaining("giveBack(")
        .hasMessageContaining("takes an Optional of TakenOut, which is no reply to TakeMoney");
    assertThatThrownBy(() -> participant(acting))
        .hasMessageContaining("which is no reply to an action that TakeMoney undoes");
  }

  static Stream<Object> beansWithAFallbackReplyThatCannotBeMade() {
    return Stream.of(
        new Object() {
          @Handles
          void take(TakeMoney command) {}

          @FallbackReply
          MoneyDeclined fallback() {
            return new MoneyDeclined(new UUID(0, 1));
          }
        },
        new Object() {
          @Handles
          void take(TakeMoney command) {}

          @FallbackReply
          MoneyDeclined fallback(LockAway notHandledHere) {
            return new MoneyDeclined(notHandledHere.subject());
          }
        },
        new Object() {
          @Handles
          void take(TakeMoney command) {}

          @FallbackReply
          MoneyDeclined fallback(TakeMoney command, CallKey key) {
            return new MoneyDeclined(command.subject());
          }
        },
        new Object() {
          @Handles
          void take(TakeMoney command) {}

          @FallbackReply
          void fallback(TakeMoney command) {}
        });
  }

  @ParameterizedTest
  @MethodSource("beansWithAFallbackReplyThatCannotBeMade")
  void areRefusedWithASentenceWhenTheirFallbackReplyCannotBeMade(Object bean) {
    assertThatThrownBy(() -> participant(bean))
        .hasMessageContaining("fallback(")
        .hasMessageContaining(
            "is annotated with @FallbackReply; it takes a command that this class handles");
  }
}
