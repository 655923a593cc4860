package io.onceflow.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.onceflow.outbox.internal.transport.MalformedBundle;
import io.onceflow.outbox.internal.transport.MessageBundle;
import java.util.List;
import org.junit.jupiter.api.Tag;

/**
 * What a stranger with the broker's password calls a bundle. By day it would only replay the inputs
 * beside it, for which Jazzer instruments all classes.
 */
@Tag("nightly")
class MessageBundleFuzzTest {

  /** It is refused as none, or holds no more than came. */
  @FuzzTest(maxDuration = "1m")
  void whatIsNoBundleIsRefused(byte[] body) {
    List<MessageBundle.Bundled> messages;
    try {
      messages = MessageBundle.decode(body);
    } catch (MalformedBundle e) {
      assertThat(e.getMessage()).startsWith("this is no bundle: ");
      return;
    }
    assertThat(messages).isNotEmpty();
    assertThat(messages.stream().mapToLong(message -> message.payload().length).sum())
        .isLessThan(body.length);
  }
}
