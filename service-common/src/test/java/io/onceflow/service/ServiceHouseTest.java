package io.onceflow.service;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** The rules of this module's house. */
class ServiceHouseTest {

  private static final JavaClasses HOUSE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.onceflow.service");

  /** What services may name. Whoever adds a word here makes a promise. */
  @Test
  void itsPublicFaceIsSmall() {
    assertThat(HOUSE)
        .filteredOn(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
        .extracting(JavaClass::getSimpleName)
        .containsExactlyInAnyOrder(
            "OrderId",
            "StrictJson",
            "Redaction",
            // Public because JAX-RS wants it so.
            "ParkedMessageResource");
  }

  @Test
  void itsFeaturesDoNotKnowEachOther() {
    slices().matching("io.onceflow.service.(*)..").should().notDependOnEachOther().check(HOUSE);
  }

  @Test
  void nothingIsInjectedIntoFields() {
    fields().should().notBeAnnotatedWith(Inject.class).check(HOUSE);
  }
}
