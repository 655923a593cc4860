package io.onceflow.easypost;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** How EasyPost is reached, and what it is told of parcels. */
@ConfigMapping(prefix = "onceflow.easypost")
public interface EasyPostConfig {

  /** The API key, a secret. Required where labels are bought by EasyPost. */
  Optional<String> apiKey();

  /** The address of the API. The client library takes HTTPS alone. */
  @WithDefault("https://api.easypost.com")
  String url();

  /** How long a connection may take to be made. */
  @WithDefault("PT2S")
  Duration connectTimeout();

  /**
   * How long an answer may take. A booking is up to three requests; one that does not end within
   * {@code onceflow.inbox.call-out.deadline} is continued by the next attempt where it stands.
   */
  @WithDefault("PT4S")
  Duration readTimeout();

  /**
   * How long after the last request to buy a label one may still turn up at EasyPost, where the
   * request was not answered. A label that is given up is settled only after that.
   */
  @WithDefault("PT1M")
  Duration settlingTime();

  /** Carriers to buy from, as EasyPost names them, such as {@code USPS}. All by default. */
  Optional<List<String>> carriers();

  /**
   * Their services to buy, such as {@code GroundAdvantage}. All by default. Of what is left the
   * cheapest is bought.
   */
  Optional<List<String>> services();

  /** Where parcels are sent from, and where returns go. Required where labels are bought. */
  Optional<Sender> sender();

  /** The parcel of each shipment. */
  Parcel parcel();

  /**
   * The secrets that sign EasyPost's events, one or, while they are changed, two. Without any, no
   * events are taken.
   */
  Optional<List<String>> webhookSecrets();

  /**
   * How long requests and events are kept. Longer than {@code onceflow.inbox.retention}, since a
   * compensation may come so late: start-up refuses anything else where there is a key.
   */
  @WithDefault("P90D")
  Duration retention();

  /** An address. */
  interface Sender {

    /** A person's or company's name. */
    String name();

    /** Street and number. */
    String street();

    /** The city. */
    String city();

    /** State or province, where the country has them, such as {@code CA}. */
    Optional<String> state();

    /** The postal code. */
    String zip();

    /** ISO 3166-1 alpha-2, two capital letters. */
    String country();

    /** A telephone number, which some carriers require. */
    Optional<String> phone();
  }

  /** Weight and size. */
  interface Parcel {

    /** In ounces. */
    @WithDefault("16")
    double weight();

    /** In inches. */
    OptionalDouble length();

    /** In inches. */
    OptionalDouble width();

    /** In inches. */
    OptionalDouble height();
  }
}
