package com.example.giftcards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the application is delivered with. */
@Tag("packaged")
class PackageTest {

  @Test
  void holdsTheGuardAndNothingThatTheGuardDoesNotNeed() throws IOException {
    assertThat(PackagedApplication.libraries())
        .anyMatch(name -> name.contains("common-idempotency"))
        .noneMatch(name -> name.contains("amqp-client"))
        .noneMatch(name -> name.contains("rabbitmq"))
        .noneMatch(name -> name.contains("reactive-messaging"))
        .noneMatch(name -> name.contains("openapi"));
  }

  @Test
  void holdsOneModuleOfOnceflow() throws IOException {
    assertThat(PackagedApplication.libraries())
        .filteredOn(name -> name.startsWith("io.onceflow"))
        .hasSize(1);
  }
}
