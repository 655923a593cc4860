package io.onceflow.systemtests;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Asks a service's JVM what it holds: by JMX over a connection that is attached to the process, so
 * that the service needs no configuration for it.
 */
final class ServiceInspector implements AutoCloseable {

  /** Between two tags; their values may be as long as a path. */
  private static final Pattern BETWEEN = Pattern.compile("(?<=\"),");

  private final ServiceProcess service;
  private final JMXConnector connector;

  private ServiceInspector(ServiceProcess service, JMXConnector connector) {
    this.service = service;
    this.connector = connector;
  }

  static ServiceInspector attach(ServiceProcess service) {
    try {
      VirtualMachine jvm = VirtualMachine.attach(Long.toString(service.pid()));
      try {
        JMXServiceURL url = new JMXServiceURL(jvm.startLocalManagementAgent());
        return new ServiceInspector(service, JMXConnectorFactory.connect(url));
      } finally {
        jvm.detach();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (AttachNotSupportedException e) {
      throw new IllegalStateException(service + " cannot be attached to", e);
    }
  }

  ServiceProcess service() {
    return service;
  }

  /** Has the service collect its garbage and returns what is left. */
  Resources look() {
    try {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      ObjectName memory = new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME);
      beans.invoke(memory, "gc", null, null);
      List<String> series = Metrics.series(service);
      return new Resources(
          MemoryUsage.from((CompositeData) beans.getAttribute(memory, "HeapMemoryUsage")).getUsed(),
          number(beans, ManagementFactory.THREAD_MXBEAN_NAME, "ThreadCount"),
          series.size(),
          tagValues(series),
          number(beans, ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME, "OpenFileDescriptorCount"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JMException e) {
      throw new IllegalStateException(service + " does not tell what it holds", e);
    }
  }

  private static long number(MBeanServerConnection beans, String bean, String attribute)
      throws IOException, JMException {
    return ((Number) beans.getAttribute(new ObjectName(bean), attribute)).longValue();
  }

  private static long tagValues(List<String> series) {
    return series.stream()
        .filter(it -> it.contains("{"))
        .map(it -> it.substring(it.indexOf('{') + 1, it.lastIndexOf('}')))
        .flatMap(BETWEEN::splitAsStream)
        .filter(tag -> !tag.startsWith("le="))
        .distinct()
        .count();
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The service may have ended, which others report.
    }
  }
}
