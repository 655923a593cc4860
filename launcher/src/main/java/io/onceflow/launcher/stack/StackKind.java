package io.onceflow.launcher.stack;

import com.fasterxml.jackson.annotation.JsonProperty;

/** On what the services run. Lower case, since that is how the option is written. */
public enum StackKind {
  /** PostgreSQL from binaries and a broker in the launcher: nothing but a JDK is needed. */
  @JsonProperty("embedded")
  embedded,
  /** All of it in containers, by docker-compose.yml. */
  @JsonProperty("docker")
  docker,
  /** The services here, their servers wherever the environment says. */
  @JsonProperty("external")
  external
}
