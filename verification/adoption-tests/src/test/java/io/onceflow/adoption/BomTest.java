package io.onceflow.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The BOM names every artifact that a release publishes, and no other. */
class BomTest {

  private static final Path CHECKOUT = Path.of("../..").toAbsolutePath().normalize();

  /** Is named on a command line and never a dependency. */
  private static final String ARCHETYPE = "onceflow-archetype";

  private final List<Pom> modules = Pom.modules(CHECKOUT);
  private final List<String> bom =
      Pom.read(CHECKOUT.resolve("quarkus-onceflow/bom/pom.xml")).managed();

  @Test
  void namesEveryPublishedArtifact() {
    Set<String> published =
        modules.stream()
            .filter(Pom::isPublished)
            .map(Pom::artifact)
            .filter(it -> !it.equals(ARCHETYPE))
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(bom)
        .as("a module that is not published sets the property maven.deploy.skip")
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void needsNoArtifactThatIsNotPublished() {
    assertThat(modules.stream().filter(it -> bom.contains(it.artifact())))
        .allSatisfy(it -> assertThat(bom).as(it.artifact()).containsAll(it.dependencies()));
  }
}
