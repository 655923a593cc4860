package io.onceflow.idempotency.internal.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.onceflow.idempotency.internal.openapi.ResourcePaths.Endpoint;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import org.jboss.jandex.Index;
import org.jboss.jandex.IndexView;
import org.jboss.jandex.Indexer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** The rarer ways to say where a method is found; the others are seen in OpenApiGuardTest. */
public class ResourcePathsTest {

  /** A resource. */
  @Path("/orders/")
  public static class Orders {

    /** With a pattern in its path. */
    @POST
    @Path("/{id: [0-9]{1,3}(/.*)?}/cancel/")
    public void cancel() {}

    /** With a verb of its own. */
    @Merge
    public void merge() {}

    /** Not to be called over HTTP. */
    public void noResourceMethod() {}
  }

  /** A verb that JAX-RS does not know. */
  @HttpMethod("MERGE")
  @Retention(RetentionPolicy.RUNTIME)
  public @interface Merge {}

  /** Two resources inherit a method whose class has no path of its own. */
  public abstract static class Base {

    /** Inherited. */
    @POST
    @Path("touch")
    public void touch() {}
  }

  /** The first. */
  @Path("one")
  public static class One extends Base {}

  /** The second. */
  @Path("two")
  public static class Two extends Base {}

  /** Reached through a locator of its own only. */
  public static class Loop {

    /** Never reached. */
    @POST
    public void run() {}

    /** Leads back. */
    @Path("again")
    public Loop again() {
      return this;
    }
  }

  @Test
  void ofAMethodOfAResource() throws IOException {
    assertThat(paths(Map.of(), "cancel", Orders.class))
        .containsExactly(new Endpoint("POST", "/orders/{id}/cancel"));
  }

  @Test
  void underTheVerbOfAnAnnotationOfOnesOwn() throws IOException {
    assertThat(paths(Map.of(), "merge", Orders.class, Merge.class))
        .containsExactly(new Endpoint("MERGE", "/orders"));
  }

  @Test
  void thereIsNoneOfAnOrdinaryMethod() throws IOException {
    assertThat(paths(Map.of(), "noResourceMethod", Orders.class)).isEmpty();
  }

  @Test
  void belowServerAndApplication() throws IOException {
    Map<String, String> config =
        Map.of("quarkus.http.root-path", "/shop", "quarkus.rest.path", "v1");
    assertThat(paths(config, "cancel", Orders.class))
        .containsExactly(new Endpoint("POST", "/shop/v1/orders/{id}/cancel"));
  }

  @Test
  void belowTheApplicationsOwnPathBeforeTheConfiguredOne() throws IOException {
    Indexer indexer = new Indexer();
    indexer.index(new ByteArrayInputStream(applicationAt("/api/")));
    indexer.indexClass(Orders.class);
    assertThat(paths(Map.of("quarkus.rest.path", "v1"), "cancel", indexer.complete(), Orders.class))
        .containsExactly(new Endpoint("POST", "/api/orders/{id}/cancel"));
  }

  @Test
  void ofAnInheritedMethodInEachClassThatInheritsIt() throws IOException {
    assertThat(paths(Map.of(), "touch", Base.class, One.class, Two.class))
        .containsExactlyInAnyOrder(
            new Endpoint("POST", "/one/touch"), new Endpoint("POST", "/two/touch"));
  }

  @Test
  void thereIsNoneInACircleOfLocatorsThatNobodyEnters() throws IOException {
    assertThat(paths(Map.of(), "run", Loop.class)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', /",
    "/, /",
    "//a///b/, /a/b",
    "a, /a",
    "'/{ a : [^/]+ }/b', /{a}/b",
    "'/{a:x{2}}-{b}', /{a}-{b}",
  })
  void haveOneSpelling(String path, String normal) {
    assertThat(ResourcePaths.normal(path)).isEqualTo(normal);
  }

  private static List<Endpoint> paths(
      Map<String, String> config, String method, Class<?> declaring, Class<?>... others)
      throws IOException {
    Class<?>[] all = new Class<?>[others.length + 1];
    all[0] = declaring;
    System.arraycopy(others, 0, all, 1, others.length);
    return paths(config, method, Index.of(all), declaring);
  }

  private static List<Endpoint> paths(
      Map<String, String> config, String method, IndexView index, Class<?> declaring) {
    return new ResourcePaths(index, new SmallRyeConfigBuilder().withDefaultValues(config).build())
        .of(index.getClassByName(declaring).firstMethod(method));
  }

  /** Made of bytes: were it a class of its own, it would move all resources of these tests. */
  private static byte[] applicationAt(String path) {
    ClassWriter application = new ClassWriter(0);
    application.visit(
        Opcodes.V21, Opcodes.ACC_PUBLIC, "Shop", null, "jakarta/ws/rs/core/Application", null);
    AnnotationVisitor annotation =
        application.visitAnnotation(Type.getDescriptor(ApplicationPath.class), true);
    annotation.visit("value", path);
    annotation.visitEnd();
    application.visitEnd();
    return application.toByteArray();
  }
}
