package io.onceflow.messaging.once.internal;

import io.onceflow.inbox.internal.consumer.MessageReceiver;
import io.onceflow.inbox.internal.consumer.ReceivedMessage;
import io.onceflow.outbox.Outbox.Transaction;
import io.onceflow.participant.Answer.UnprocessableMessage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Has the messages that the inbox had not recorded handled by a method. */
record OnceReceiver(OnceMethod method, Arguments arguments) implements MessageReceiver {

  @Override
  public boolean takesAnyBytes() {
    return method.payload().hasRawClass(byte[].class);
  }

  /** A payload that cannot be read is parked before the inbox records it. */
  @Override
  public Reception examine(Transaction tx, List<ReceivedMessage> batch) {
    Map<ReceivedMessage, Object> readable = new IdentityHashMap<>();
    List<Verdict> verdicts = new ArrayList<>();
    for (ReceivedMessage received : batch) {
      try {
        readable.put(received, arguments.of(received));
        verdicts.add(new Verdict.Take(method.step()));
      } catch (UnprocessableMessage why) {
        verdicts.add(new Verdict.Park(why));
      }
    }
    return new Calls(method, readable, verdicts);
  }

  private record Calls(
      OnceMethod method, Map<ReceivedMessage, Object> readable, List<Verdict> verdicts)
      implements Reception {

    @Override
    public void apply(List<ReceivedMessage> fresh) {
      List<Object> arguments = fresh.stream().map(readable::get).toList();
      if (!method.takesList()) {
        arguments.forEach(method::call);
      } else if (!arguments.isEmpty()) {
        method.call(arguments);
      }
    }
  }
}
