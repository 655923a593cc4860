package io.onceflow.quarkus.reference;

import io.smallrye.config.ConfigMapping;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.TypeElement;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaCompiler.CompilationTask;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Reads all config mappings of a source tree by an annotation processor of the Java compiler. */
@SupportedAnnotationTypes("io.smallrye.config.ConfigMapping")
final class ConfigMappings extends AbstractProcessor {

  private static final Set<String> NO_SOURCES = Set.of("target", "node_modules", "test");

  private final List<MappingDoc> found = new ArrayList<>();

  private ConfigMappings() {}

  /** The mappings in all folders {@code src/main/java} below the root, by their prefixes. */
  static List<MappingDoc> in(Path root) throws IOException {
    Sources sources = new Sources();
    Files.walkFileTree(root.toRealPath(), sources);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(problems, null, StandardCharsets.UTF_8)) {
      files.setLocationFromPaths(StandardLocation.SOURCE_PATH, sources.folders);
      CompilationTask task =
          compiler.getTask(
              null,
              files,
              problems,
              // A class file that is newer than its source has no Javadoc.
              List.of("-proc:only", "-implicit:none", "-Xprefer:source"),
              null,
              files.getJavaFileObjectsFromPaths(sources.mappings));
      ConfigMappings mappings = new ConfigMappings();
      task.setProcessors(List.of(mappings));
      if (!task.call()) {
        throw new IllegalStateException(
            "the mappings do not compile: " + problems.getDiagnostics());
      }
      return mappings.found.stream().sorted(Comparator.comparing(MappingDoc::prefix)).toList();
    }
  }

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    MappingReader reader = new MappingReader(processingEnv);
    round.getElementsAnnotatedWith(ConfigMapping.class).stream()
        .map(TypeElement.class::cast)
        .map(reader::read)
        .forEach(found::add);
    return false;
  }

  /** The source folders, and the files in them that declare mappings. */
  private static final class Sources extends SimpleFileVisitor<Path> {

    private final List<Path> folders = new ArrayList<>();
    private final List<Path> mappings = new ArrayList<>();

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      String name = folder.getFileName().toString();
      if (NO_SOURCES.contains(name) && !isBelowSources(folder) || name.startsWith(".")) {
        return FileVisitResult.SKIP_SUBTREE;
      }
      if (folder.endsWith(Path.of("src", "main", "java"))) {
        folders.add(folder);
      }
      return FileVisitResult.CONTINUE;
    }

    /** A package may have such a name. */
    private boolean isBelowSources(Path folder) {
      return !folders.isEmpty() && folder.startsWith(folders.getLast());
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (isBelowSources(file) && file.toString().endsWith(".java") && declaresMapping(file)) {
        mappings.add(file);
      }
      return FileVisitResult.CONTINUE;
    }

    private static boolean declaresMapping(Path file) {
      try {
        return Files.readString(file).lines().anyMatch(it -> it.startsWith("@ConfigMapping("));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
