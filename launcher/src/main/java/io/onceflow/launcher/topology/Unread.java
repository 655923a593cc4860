package io.onceflow.launcher.topology;

import java.util.List;

/** Commands and replies that arrive nowhere, as far as is known. Events need no reader. */
final class Unread {

  private static final List<String> EXCHANGES = List.of("onceflow.commands", "onceflow.replies");

  private Unread() {}

  /** A sentence for each. */
  static List<String> of(List<ServiceTopology> applications) {
    return applications.stream()
        .flatMap(
            application ->
                application
                    .sent()
                    .filter(sent -> EXCHANGES.contains(sent.exchange()))
                    .filter(sent -> !isRead(sent, applications))
                    .map(
                        sent ->
                            "%s sends %s to %s, which none of these applications reads; name all of a broker at once"
                                .formatted(application.application(), sent.key(), sent.exchange())))
        .toList();
  }

  private static boolean isRead(ServiceTopology.Sent sent, List<ServiceTopology> applications) {
    return applications.stream()
        .flatMap(each -> each.queues().stream())
        .anyMatch(queue -> queue.takes(sent.exchange(), sent.key()));
  }
}
