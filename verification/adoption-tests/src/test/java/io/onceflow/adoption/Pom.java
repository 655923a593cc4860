package io.onceflow.adoption;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A module of this checkout, as its pom describes it. */
record Pom(Path file, Element project) {

  static Pom read(Path file) {
    try {
      return new Pom(
          file,
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement());
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new IllegalStateException(file + " cannot be read", e);
    }
  }

  /** The modules of a checkout, those of its modules included. */
  static List<Pom> modules(Path folder) {
    Pom pom = read(folder.resolve("pom.xml"));
    List<Pom> all = new ArrayList<>();
    for (Element module : below(pom.project, "modules", "module")) {
      Path its = folder.resolve(module.getTextContent());
      if (Files.exists(its.resolve("pom.xml"))) {
        all.addAll(modules(its));
      }
    }
    all.add(pom);
    return all;
  }

  String artifact() {
    return text(project, "artifactId");
  }

  /** Whether other projects may depend on it: a jar that a release publishes. */
  boolean isPublished() {
    boolean skipped =
        below(project, "properties", "maven.deploy.skip").stream()
            .anyMatch(it -> it.getTextContent().equals("true"));
    return !skipped && !text(project, "packaging").equals("pom");
  }

  /** The text of an element, such as {@code scm/url}; empty if there is none. */
  String value(String path) {
    List<Element> elements = List.of(project);
    for (String name : path.split("/")) {
      elements = elements.stream().flatMap(it -> children(it, name).stream()).toList();
    }
    return elements.stream().map(Element::getTextContent).findFirst().orElse("");
  }

  /** The versions of all its dependencies, as they are written. */
  List<String> dependencyVersions() {
    return below(project, "dependencies", "dependency").stream()
        .map(it -> text(it, "version"))
        .toList();
  }

  /** The artifacts of Onceflow that come along with this one. */
  List<String> dependencies() {
    return artifacts(below(project, "dependencies", "dependency"));
  }

  /** The artifacts of Onceflow whose versions this manages. */
  List<String> managed() {
    return below(project, "dependencyManagement", "dependencies").stream()
        .flatMap(it -> artifacts(children(it, "dependency")).stream())
        .toList();
  }

  private static List<String> artifacts(List<Element> dependencies) {
    return dependencies.stream()
        .filter(it -> text(it, "groupId").equals("io.onceflow"))
        .filter(it -> !text(it, "scope").equals("test"))
        .map(it -> text(it, "artifactId"))
        .toList();
  }

  private static List<Element> below(Element element, String child, String grandchild) {
    return children(element, child).stream()
        .flatMap(it -> children(it, grandchild).stream())
        .toList();
  }

  private static String text(Element element, String child) {
    return children(element, child).stream().map(Element::getTextContent).findFirst().orElse("");
  }

  private static List<Element> children(Element element, String name) {
    NodeList nodes = element.getChildNodes();
    return IntStream.range(0, nodes.getLength())
        .mapToObj(nodes::item)
        .flatMap(it -> it instanceof Element child ? Stream.of(child) : Stream.empty())
        .filter(it -> it.getTagName().equals(name))
        .toList();
  }
}
