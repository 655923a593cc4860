package io.onceflow.launcher.stack;

/** What carries the messages of an embedded stack. */
public enum BrokerKind {
  /** An AMQP 0-9-1 broker in the launcher's process. */
  rabbitmq,
  /** Apache Kafka in a process of its own; the services are packaged for it. */
  kafka
}
