package io.onceflow.saga.internal.runtime;

import io.onceflow.internal.database.DatabaseConnections;
import io.onceflow.internal.watchdog.LoopWatch;
import io.onceflow.saga.internal.store.control.LivingReplicas;
import io.onceflow.saga.internal.store.control.ReplicaDetails;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** What this process is, and how it does. */
@ApplicationScoped
public class ThisReplica {

  private final LivingReplicas.Identity identity;

  ThisReplica(@ConfigProperty(name = "quarkus.application.version") String build) {
    this.identity = new LivingReplicas.Identity(UUID.randomUUID(), build, host());
  }

  /** Of its row; another after a restart. */
  public UUID id() {
    return identity.id();
  }

  LivingReplicas.Identity identity() {
    return identity;
  }

  /** How it does now. */
  ReplicaDetails details() {
    Runtime jvm = Runtime.getRuntime();
    return new ReplicaDetails(
        LoopWatch.ages().entrySet().stream()
            .map(it -> new ReplicaDetails.Loop(it.getKey(), it.getValue().toMillis()))
            .toList(),
        DatabaseConnections.now().orElse(null),
        new ReplicaDetails.Heap(jvm.totalMemory() - jvm.freeMemory(), jvm.maxMemory()));
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
