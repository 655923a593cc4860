package io.onceflow.quarkus.reluctant;

import io.onceflow.participant.Answer;
import io.onceflow.participant.CallsOut;
import io.onceflow.participant.Handles;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Refuses a command as often as it is told to, and then carries it out. */
@ApplicationScoped
class ReluctantDepot {

  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();

  void refuseTimes(String command, int times) {
    refusals.put(command, times);
  }

  int asked(String command) {
    return asked.getOrDefault(command, 0);
  }

  void reset() {
    refusals.clear();
    asked.clear();
  }

  @Handles
  Answer lend(LendTool command) {
    return answer("LendTool");
  }

  @Handles
  @CallsOut
  Answer takeBack(ReturnTool command) {
    return answer("ReturnTool");
  }

  @Handles
  Answer pay(PayRental command) {
    return answer("PayRental");
  }

  @Handles
  Answer insure(InsureRental command) {
    return answer("InsureRental");
  }

  private Answer answer(String command) {
    int before = asked.merge(command, 1, Integer::sum) - 1;
    return before < refusals.getOrDefault(command, 0) ? Answer.refused() : Answer.done();
  }
}
