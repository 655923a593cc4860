package io.onceflow.systemtests;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A span as a collector is told of it.
 *
 * @param service whose it is
 * @param trace 32 hexadecimal digits; the spans' ids 16
 * @param parent empty where it began the trace
 * @param kind 1 internal, 2 server, 3 client, 4 producer, 5 consumer
 * @param links ids of the traces of the spans that it is linked to
 * @param events what happened meanwhile
 */
record Span(
    String service,
    String trace,
    String id,
    String parent,
    String name,
    long kind,
    Map<String, String> attributes,
    List<String> links,
    List<String> events) {

  /** All in an {@code ExportTraceServiceRequest} of OTLP. */
  static List<Span> read(byte[] request) {
    return ProtoFields.of(request).messages(1).stream()
        .flatMap(
            resource -> {
              String service = attributes(resource.messages(1).getFirst(), 1).get("service.name");
              return resource.messages(2).stream()
                  .flatMap(scope -> scope.messages(2).stream())
                  .map(span -> read(service, span));
            })
        .toList();
  }

  private static Span read(String service, ProtoFields span) {
    return new Span(
        service,
        span.hex(1),
        span.hex(2),
        span.hex(4),
        span.text(5),
        span.number(6),
        attributes(span, 9),
        span.messages(13).stream().map(link -> link.hex(1)).toList(),
        span.messages(11).stream().map(event -> event.text(2)).toList());
  }

  /** Those that are text. */
  private static Map<String, String> attributes(ProtoFields of, int tag) {
    Map<String, String> attributes = new TreeMap<>();
    for (ProtoFields attribute : of.messages(tag)) {
      attribute.messages(2).forEach(value -> attributes.put(attribute.text(1), value.text(1)));
    }
    return attributes;
  }

  /** Who does what. */
  String hop() {
    return service + ": " + name;
  }
}
