package io.onceflow.idempotency;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Typed;
import org.junit.jupiter.api.BeforeEach;

/** What expired is as new, also to a shared commit. */
@QuarkusTest
@Typed(SharedForgetsTest.class) // not one of the class that it extends as well
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class SharedForgetsTest extends GuardForgetsTest {

  @Override
  @BeforeEach
  void adaCalls() {
    ada = SharedThings.caller(server);
  }
}
