package io.onceflow.quarkus.deployment;

import io.onceflow.quarkus.runtime.dev.OnceflowJsonRpc;
import io.quarkus.deployment.IsLocalDevelopment;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.annotations.BuildSteps;
import io.quarkus.deployment.builditem.ApplicationArchivesBuildItem;
import io.quarkus.devui.spi.JsonRPCProvidersBuildItem;
import io.quarkus.devui.spi.page.CardPageBuildItem;
import io.quarkus.devui.spi.page.Page;
import io.quarkus.devui.spi.page.WebComponentPageBuilder;
import io.quarkus.vertx.http.deployment.HttpRootPathBuildItem;

/** The card of the Dev UI, whose pages are in {@code dev-ui/}. */
@BuildSteps(onlyIf = IsLocalDevelopment.class)
class DevUi {

  @BuildStep
  CardPageBuildItem card(
      ConsoleBuildConfig console,
      ApplicationArchivesBuildItem archives,
      HttpRootPathBuildItem root) {
    CardPageBuildItem card = new CardPageBuildItem();
    if (ConsoleProcessor.isServed(console, archives)) {
      // In a tab of its own: the console lets no page show it in a frame.
      card.addPage(
          Page.externalPageBuilder("Console")
              .icon("font-awesome-solid:desktop")
              .url(root.resolvePath("console") + "/")
              .doNotEmbed());
    }
    card.addPage(page("Definitions", "diagram-project", "definitions"));
    card.addPage(page("Sagas", "route", "sagas"));
    card.addPage(page("Parked messages", "square-parking", "parked"));
    card.addPage(page("Tokens", "key", "tokens"));
    return card;
  }

  private static WebComponentPageBuilder page(String title, String icon, String component) {
    return Page.webComponentPageBuilder()
        .title(title)
        .icon("font-awesome-solid:" + icon)
        .componentLink("qwc-onceflow-%s.js".formatted(component));
  }

  @BuildStep
  JsonRPCProvidersBuildItem jsonRpc() {
    return new JsonRPCProvidersBuildItem(OnceflowJsonRpc.class);
  }
}
