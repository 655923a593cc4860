package io.onceflow.launcher;

import io.onceflow.launcher.token.KeyFiles;
import io.onceflow.launcher.token.SignInPage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What the containers' token page runs. */
@Command(
    name = "sign-in-page",
    description = "Serves a page that opens the console signed in, for trying out on one machine.",
    mixinStandardHelpOptions = true,
    hidden = true)
final class SignInPageCommand implements Callable<Integer> {

  @Option(names = "--keys", required = true, description = "The folder of the key pair.")
  private Path folder = Path.of(".");

  @Option(names = "--console", required = true, description = "The service with the console.")
  private URI service = URI.create("http://localhost:8080");

  @Option(
      names = "--port",
      converter = ArgumentTypes.PortNumber.class,
      defaultValue = "8085",
      description = "${DEFAULT-VALUE} by default.")
  private int port;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (SignInPage page =
        new SignInPage(
            new KeyFiles(folder).readPrivateKey(), service, new InetSocketAddress(port))) {
      System.out.println("The page that signs in to the console is on port " + page.port());
      new CountDownLatch(1).await();
    }
    return 0;
  }
}
