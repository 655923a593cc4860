package io.onceflow.launcher;

import io.onceflow.launcher.stack.Home;
import io.onceflow.launcher.token.KeyFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes the key pair. */
@Command(
    name = "keys",
    description = "Makes the key pair that signs and verifies tokens, unless it is there.",
    mixinStandardHelpOptions = true)
final class KeysCommand implements Callable<Integer> {

  @Option(
      names = "--keys",
      paramLabel = "DIR",
      description = "The folder of privateKey.pem and publicKey.pem; .onceflow/keys by default.")
  private @Nullable Path folder;

  @Override
  public Integer call() throws IOException {
    KeyFiles keys = new KeyFiles(folder == null ? Home.ofThisProcess().keys() : folder);
    boolean made = keys.create();
    System.out.println((made ? "Made " : "There already: ") + keys.publicKey());
    return 0;
  }
}
