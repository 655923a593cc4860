package io.onceflow.quarkus.deployment;

import io.quarkus.deployment.ApplicationArchive;
import io.quarkus.deployment.builditem.ApplicationArchivesBuildItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.DotName;
import org.jboss.jandex.IndexView;

/** Finds the product's migrations in the archives that the application has. */
final class Migrations {

  private static final String ROOT = "db/onceflow/";

  /** Those of optional modules: whether an application has one, its dependencies say. */
  private static final List<String> OPTIONAL = List.of("stripe", "easypost", "reconciliation");

  private Migrations() {}

  /**
   * Those of inbox, outbox and optional modules, of sagas where there are any, of the guard where
   * it is used.
   */
  static List<String> of(ApplicationArchivesBuildItem archives, IndexView index) {
    List<String> folders = new ArrayList<>(List.of("inbox", "outbox"));
    folders.addAll(OPTIONAL);
    if (SagaFeature.areIn(index)) {
      folders.add("saga");
    }
    if (usesGuard(index)) {
      folders.add("idempotency");
    }
    return archives.getAllApplicationArchives().stream()
        .flatMap(archive -> folders.stream().flatMap(folder -> in(archive, ROOT + folder).stream()))
        .distinct()
        .sorted()
        .toList();
  }

  /** The guard's own classes carry its annotation, too. */
  private static boolean usesGuard(IndexView index) {
    return index.getAnnotations(Names.IDEMPOTENT).stream()
        .map(annotation -> owner(annotation.target()))
        .anyMatch(
            owner ->
                !(owner.packagePrefix() + ".").startsWith(Names.IDEMPOTENT.packagePrefix() + "."));
  }

  private static DotName owner(AnnotationTarget target) {
    return target.kind() == AnnotationTarget.Kind.CLASS
        ? target.asClass().name()
        : target.asMethod().declaringClass().name();
  }

  private static List<String> in(ApplicationArchive archive, String folder) {
    return archive.apply(
        tree -> {
          Path path = tree.getPath(folder);
          return path == null || !Files.isDirectory(path) ? List.of() : scripts(path, folder);
        });
  }

  private static List<String> scripts(Path path, String folder) {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".sql"))
          .map(name -> folder + "/" + name)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
