package io.onceflow.easypost;

import io.onceflow.core.IdempotencyKey;
import io.onceflow.core.internal.StepKey;
import io.onceflow.easypostdouble.EasyPostDouble;
import io.onceflow.easypostdouble.EasyPostDouble.TrackerEvents;
import io.onceflow.participant.CallKey;
import java.util.UUID;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A double for the tests of one class, which this JVM trusts meanwhile. */
final class TestEasyPost implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

  private final EasyPostDouble easyPost = EasyPostDouble.start(TrackerEvents.NONE);
  private final SSLSocketFactory usual = HttpsURLConnection.getDefaultSSLSocketFactory();

  static CallKey newKey() {
    return new CallKey(
        "alice", new StepKey(new IdempotencyKey(UUID.randomUUID().toString()), "arrange-shipment"));
  }

  static LabelRequest.Recipient recipient(String zip, String country) {
    return new LabelRequest.Recipient(
        "Ada Lovelace", "12 St James's Square", "London", zip, country);
  }

  EasyPostDouble easyPost() {
    return easyPost;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    HttpsURLConnection.setDefaultSSLSocketFactory(easyPost.trusting().getSocketFactory());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    easyPost.faults().none();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    easyPost.close();
    HttpsURLConnection.setDefaultSSLSocketFactory(usual);
  }
}
