package io.onceflow.idempotency;

import io.onceflow.launcher.testing.ServersResource;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Typed;
import org.junit.jupiter.api.BeforeEach;

/** What is committed together with others is replayed as if it had been alone. */
@QuarkusTest
@Typed(SharedReplaysTest.class) // not one of the class that it extends as well
@WithTestResource(
    value = ServersResource.class,
    initArgs = @ResourceArg(name = "database", value = "orders"))
class SharedReplaysTest extends GuardReplaysTest {

  @Override
  @BeforeEach
  void adaCalls() {
    ada = SharedThings.caller(server);
  }
}
