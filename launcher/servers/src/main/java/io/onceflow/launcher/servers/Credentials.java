package io.onceflow.launcher.servers;

import java.util.List;

/** Names and passwords for trying out, the same on every stack. They protect nothing. */
public final class Credentials {

  /** The databases; each belongs to the user of the same name. */
  public static final List<String> DATABASES = List.of("orders", "payments", "shipping");

  /** The password of every database user and of {@link #BROKER_USER}. */
  public static final String PASSWORD = "onceflow";

  /** The broker's user. */
  public static final String BROKER_USER = "onceflow";

  private Credentials() {}
}
