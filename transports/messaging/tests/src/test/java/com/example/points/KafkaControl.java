package com.example.points;

/** A broker, as a test finds it that is loaded by another class loader than the one it runs in. */
public interface KafkaControl {

  /** Host and port. */
  String getAddress();

  /** Stops it; it keeps what it has. */
  void stop();

  /** Starts it again on its port. */
  void start();
}
