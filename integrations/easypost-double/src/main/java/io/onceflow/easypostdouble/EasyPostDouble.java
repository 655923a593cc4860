package io.onceflow.easypostdouble;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;

import com.github.tomakehurst.wiremock.WireMockServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * EasyPost's API for shipments on an HTTPS port of the loopback interface, in memory. What it does
 * follows EasyPost's documentation, not our client: its <a
 * href="https://docs.easypost.com/docs/shipments">shipments</a>, <a
 * href="https://docs.easypost.com/docs/errors">errors</a>, <a
 * href="https://docs.easypost.com/docs/pagination">pagination</a> and <a
 * href="https://docs.easypost.com/docs/webhooks">signed events</a>.
 */
public final class EasyPostDouble implements AutoCloseable {

  /** Requests that are never answered hold a thread each. */
  private static final int THREADS = 200;

  private final EasyPostShipments shipments = new EasyPostShipments();
  private final EasyPostFaults faults = new EasyPostFaults();
  private final DoubleCertificate certificate;
  private final TrackerSender trackers;
  private final WireMockServer server;

  private EasyPostDouble(int port, Path folder, TrackerEvents to) {
    certificate = DoubleCertificate.make(folder);
    trackers = new TrackerSender(to);
    EasyPostEndpoints endpoints = new EasyPostEndpoints(shipments, faults, trackers);
    server =
        new WireMockServer(
            options()
                .httpDisabled(true)
                .httpsPort(port)
                .bindAddress("127.0.0.1")
                .keystorePath(certificate.keys().toString())
                .keystoreType("PKCS12")
                .keystorePassword(DoubleCertificate.PASSWORD)
                .keyManagerPassword(DoubleCertificate.PASSWORD)
                .containerThreads(THREADS)
                .disableRequestJournal()
                .extensions(new EasyPostTransformer(endpoints, faults)));
  }

  /**
   * Where events are sent, and how.
   *
   * @param url of the receiver; empty where nothing is sent
   * @param secret with which they are signed
   * @param times that each is sent; EasyPost says that it is at least once
   * @param early whether an event is sent before the request that caused it is answered
   */
  public record TrackerEvents(String url, String secret, int times, boolean early) {

    /** No events. */
    public static final TrackerEvents NONE = new TrackerEvents("", "", 0, false);
  }

  /**
   * Starts it.
   *
   * @param port 0 for any free one
   * @param folder for its certificate
   */
  public static EasyPostDouble start(int port, Path folder, TrackerEvents events) {
    EasyPostDouble easyPost = new EasyPostDouble(port, folder, events);
    easyPost.server.start();
    easyPost.server.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200)));
    return easyPost;
  }

  /** Starts it on any free port, with its certificate in a temporary folder. */
  public static EasyPostDouble start(TrackerEvents events) {
    try {
      return start(0, Files.createTempDirectory("easypost-double"), events);
    } catch (IOException e) {
      throw new IllegalStateException("There is no place for the double's certificate", e);
    }
  }

  /** What the client takes for {@code https://api.easypost.com}. */
  public String url() {
    return "https://localhost:" + server.httpsPort();
  }

  /** The options of a JVM by which it trusts the double, and nothing else. */
  public List<String> trustOptions() {
    return List.of(
        "-Djavax.net.ssl.trustStore=" + certificate.trust().toAbsolutePath(),
        "-Djavax.net.ssl.trustStorePassword=" + DoubleCertificate.PASSWORD,
        "-Djavax.net.ssl.trustStoreType=PKCS12");
  }

  /** For another server in the same JVM, which a client takes for the double. */
  public SSLContext identity() {
    try (InputStream in = Files.newInputStream(certificate.keys())) {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(in, DoubleCertificate.PASSWORD.toCharArray());
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(own, DoubleCertificate.PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("The double's certificate cannot be read", e);
    }
  }

  /** For a client in the same JVM: it trusts the double, and nothing else. */
  public SSLContext trusting() {
    try (InputStream in = Files.newInputStream(certificate.trust())) {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(in, DoubleCertificate.PASSWORD.toCharArray());
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("The double's certificate cannot be read", e);
    }
  }

  /** What goes wrong from now on, besides what postal codes ask for. */
  public EasyPostFaults faults() {
    return faults;
  }

  /** The shipments with this reference, oldest first, as EasyPost shows them. */
  public List<Map<String, Object>> shipments(String reference) {
    return shipments.with(it -> reference.equals(it.get("reference")));
  }

  /** The shipments to this person that have a label, oldest first. */
  public List<Map<String, Object>> boughtFor(String name) {
    return shipments.with(
        it ->
            it.get("postage_label") != null
                && name.equals(EasyPostEndpoints.map(it, "to_address").get("name")));
  }

  /** All refunds of a shipment, oldest first. */
  public List<Map<String, Object>> refunds(String shipment) {
    return shipments.refundsOf(shipment);
  }

  /** The carrier rejects a refund that was submitted, weeks later, of which no event tells. */
  public void rejectRefund(String shipment) {
    shipments.rejectRefund(shipment);
  }

  /** Moves a bought shipment to this status, such as {@code delivered}, and tells so. */
  public void track(String shipment, String status) {
    trackers.send("tracker.updated", shipments.track(shipment, status));
  }

  @Override
  public void close() {
    server.stop();
    trackers.close();
  }
}
