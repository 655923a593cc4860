package io.onceflow.systemtests;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A class that takes minutes and seldom tells what no other class does. {@code ./onceflow test}
 * runs it; CI leaves it to the night.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("nightly")
public @interface Nightly {}
