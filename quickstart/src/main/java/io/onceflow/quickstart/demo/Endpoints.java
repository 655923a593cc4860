package io.onceflow.quickstart.demo;

import java.net.URI;

/** Where the three services are; base URLs without a path. */
public record Endpoints(URI orders, URI payments, URI shipments) {}
