package io.onceflow.quarkus.reference;

import io.onceflow.quarkus.reference.MappingDoc.Key;
import io.onceflow.quarkus.reference.MappingDoc.Value;
import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import io.smallrye.config.WithParentName;
import io.smallrye.config.common.utils.StringUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;

/** Reads the keys of a mapping from its methods, as SmallRye Config does. */
final class MappingReader {

  private final ProcessingEnvironment compiler;

  MappingReader(ProcessingEnvironment compiler) {
    this.compiler = compiler;
  }

  MappingDoc read(TypeElement mapping) {
    String prefix = mapping.getAnnotation(ConfigMapping.class).prefix();
    List<Key> keys = new ArrayList<>();
    addKeys(prefix, mapping, keys);
    ConfigRoot root = mapping.getAnnotation(ConfigRoot.class);
    return new MappingDoc(
        mapping.getSimpleName().toString(),
        prefix,
        javadoc(mapping),
        root != null && root.phase() != ConfigPhase.RUN_TIME,
        keys);
  }

  private void addKeys(String prefix, TypeElement group, List<Key> keys) {
    ElementFilter.methodsIn(group.getEnclosedElements()).stream()
        .filter(method -> method.getModifiers().contains(Modifier.ABSTRACT))
        .forEach(method -> addKey(name(prefix, method), method, keys));
  }

  private static String name(String prefix, ExecutableElement method) {
    if (method.getAnnotation(WithParentName.class) != null) {
      return prefix;
    }
    WithName given = method.getAnnotation(WithName.class);
    String hyphenated = StringUtil.skewer(method.getSimpleName().toString());
    return prefix + "." + (given == null ? hyphenated : given.value());
  }

  private void addKey(String name, ExecutableElement method, List<Key> keys) {
    TypeMirror type = method.getReturnType();
    boolean optional = is(type, "java.util.Optional") || is(type, "java.util.Map");
    if (is(type, "java.util.Map")) {
      addValue(name + ".\"name\"", argument(type, 1), method, optional, keys);
    } else if (is(type, "java.util.Optional")) {
      addValue(name, argument(type, 0), method, optional, keys);
    } else {
      addValue(name, type, method, optional, keys);
    }
  }

  private void addValue(
      String name, TypeMirror type, ExecutableElement method, boolean optional, List<Key> keys) {
    Element element = compiler.getTypeUtils().asElement(type);
    if (element instanceof TypeElement group && isGroup(group)) {
      addKeys(name, group, keys);
      return;
    }
    WithDefault value = method.getAnnotation(WithDefault.class);
    keys.add(
        new Key(
            name,
            words(type),
            Optional.ofNullable(value).map(WithDefault::value),
            value == null && !optional,
            method.getEnclosingElement().getSimpleName().toString(),
            method.getSimpleName().toString(),
            javadoc(method),
            values(element)));
  }

  /** An interface with keys of its own; those of the JDK, such as {@code Path}, are values. */
  private static boolean isGroup(TypeElement type) {
    return type.getKind() == ElementKind.INTERFACE
        && !type.getQualifiedName().toString().startsWith("java.");
  }

  private String words(TypeMirror type) {
    if (is(type, "java.util.List")) {
      return "list of " + words(argument(type, 0));
    }
    if (is(type, "java.util.Optional")) {
      return words(argument(type, 0));
    }
    Element element = compiler.getTypeUtils().asElement(type);
    return switch (element == null ? type.toString() : element.getSimpleName().toString()) {
      case "String" -> "text";
      case "int", "Integer", "long", "Long" -> "whole number";
      case "double", "Double" -> "number";
      case "boolean", "Boolean" -> "`true` or `false`";
      case "Duration" -> "duration";
      case "MemorySize" -> "memory size";
      case "Path" -> "file";
      case "URI" -> "URI";
      case String other ->
          element != null && element.getKind() == ElementKind.ENUM
              ? "one of the values below"
              : other;
    };
  }

  private List<Value> values(Element type) {
    return type == null || type.getKind() != ElementKind.ENUM
        ? List.of()
        : type.getEnclosedElements().stream()
            .filter(it -> it.getKind() == ElementKind.ENUM_CONSTANT)
            .map(it -> new Value(StringUtil.skewer(it.getSimpleName().toString()), javadoc(it)))
            .toList();
  }

  private String javadoc(Element element) {
    return Objects.requireNonNullElse(compiler.getElementUtils().getDocComment(element), "");
  }

  private static boolean is(TypeMirror type, String name) {
    return type instanceof DeclaredType declared
        && declared.asElement() instanceof TypeElement element
        && element.getQualifiedName().contentEquals(name);
  }

  private static TypeMirror argument(TypeMirror type, int index) {
    return ((DeclaredType) type).getTypeArguments().get(index);
  }
}
