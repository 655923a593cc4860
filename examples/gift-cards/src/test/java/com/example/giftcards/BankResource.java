package com.example.giftcards;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives the application under {@code @QuarkusTest} a bank, and the bank to its tests. */
public final class BankResource implements QuarkusTestResourceLifecycleManager {

  private @Nullable FakeBank bank;

  @Override
  public Map<String, String> start() {
    try {
      bank = new FakeBank();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.of("bank.url", bank.url().toString());
  }

  @Override
  public void inject(TestInjector injector) {
    injector.injectIntoFields(bank, new TestInjector.MatchesType(FakeBank.class));
  }

  @Override
  public void stop() {
    if (bank != null) {
      bank.close();
    }
  }
}
