package io.onceflow.launcher.mcp;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JsonSchema;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import io.onceflow.launcher.operators.Reads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * One command of the operators as a tool: its options and parameters are the tool's arguments, and
 * what the API answers is its result. So a new command is a new tool, and both do the same.
 */
final class CommandTool {

  private static final String JSON = "--json";
  private static final String DETACH = "--detach";

  /** The server's settings name the service and the user, and a call does not wait for a repair. */
  private static final Set<String> NOT_THE_CALLERS =
      Set.of("--help", JSON, DETACH, "--url", "--as", "--follow");

  private final CommandSpec command;
  private final Supplier<CommandLine> commands;

  /**
   * @param commands makes the command line that the command is run by
   */
  CommandTool(CommandSpec command, Supplier<CommandLine> commands) {
    this.command = command;
    this.commands = commands;
  }

  /** Whether it can be one: it prints what the API answers. */
  static boolean isPossible(CommandSpec command) {
    return command.findOption(JSON) != null;
  }

  boolean reads() {
    AnnotatedElement declared =
        command.userObject() instanceof Method method ? method : command.userObject().getClass();
    return declared.isAnnotationPresent(Reads.class);
  }

  Tool tool() {
    return Tool.builder()
        .name(String.join("_", path()).replace('-', '_'))
        .description(String.join(" ", command.usageMessage().description()))
        .inputSchema(schema())
        .annotations(new ToolAnnotations(null, reads(), !reads(), null, false, null))
        .build();
  }

  private List<String> path() {
    List<String> path = new ArrayList<>(List.of(command.name()));
    for (CommandSpec it = command.parent(); it.parent() != null; it = it.parent()) {
      path.addFirst(it.name());
    }
    return path;
  }

  private JsonSchema schema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    Set<String> required = new TreeSet<>();
    for (ArgSpec argument : arguments()) {
      properties.put(name(argument), property(argument));
      // The audit keeps why something was changed.
      if (argument.required() || (name(argument).equals("because") && !reads())) {
        required.add(name(argument));
      }
    }
    return new JsonSchema("object", properties, List.copyOf(required), false, null, null);
  }

  private List<ArgSpec> arguments() {
    List<ArgSpec> arguments = new ArrayList<>(command.positionalParameters());
    command.options().stream()
        .filter(option -> !NOT_THE_CALLERS.contains(option.longestName()))
        .forEach(arguments::add);
    return arguments;
  }

  private static String name(ArgSpec argument) {
    String name =
        argument instanceof OptionSpec option
            ? option.longestName().substring(2)
            : argument.paramLabel().toLowerCase(Locale.ROOT);
    return name.replace('-', '_');
  }

  private static Map<String, Object> property(ArgSpec argument) {
    Map<String, Object> property = new LinkedHashMap<>();
    List<String> choices = new ArrayList<>();
    if (argument.isMultiValue()) {
      property.put("type", "array");
      property.put("items", Map.of("type", "string"));
    } else {
      property.put("type", type(argument.type()));
    }
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(choices::add);
      property.put("enum", choices);
    }
    if (argument.description().length > 0) {
      property.put("description", description(argument, choices));
    }
    return property;
  }

  private static String description(ArgSpec argument, List<String> choices) {
    return String.join(" ", argument.description())
        .replace("${DEFAULT-VALUE}", String.valueOf(argument.defaultValue()))
        .replace("${COMPLETION-CANDIDATES}", String.join(", ", choices));
  }

  private static String type(Class<?> type) {
    if (type == boolean.class || type == Boolean.class) {
      return "boolean";
    }
    return type == int.class || type == Integer.class ? "integer" : "string";
  }

  /** Runs the command, and answers what it prints; an error has what it says is wrong. */
  CallToolResult call(Map<String, Object> given) {
    StringWriter out = new StringWriter();
    StringWriter errors = new StringWriter();
    int exitCode =
        commands
            .get()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(errors))
            // What an assistant says is a value, and never a file of this machine.
            .setExpandAtFiles(false)
            .execute(commandLine(given).toArray(String[]::new));
    return CallToolResult.builder()
        .addTextContent(exitCode == 0 ? out.toString() : out.toString() + errors)
        .isError(exitCode != 0)
        .build();
  }

  /** An option has its value behind a sign, and what is behind -- is no option. */
  private List<String> commandLine(Map<String, Object> given) {
    List<String> line = new ArrayList<>(path());
    line.add(JSON);
    if (command.findOption(DETACH) != null) {
      line.add(DETACH);
    }
    List<String> positional = new ArrayList<>(List.of("--"));
    for (ArgSpec argument : arguments()) {
      for (Object value : values(given.get(name(argument)))) {
        if (argument instanceof PositionalParamSpec) {
          positional.add(value.toString());
        } else {
          line.add(((OptionSpec) argument).longestName() + "=" + value);
        }
      }
    }
    line.addAll(positional);
    return line;
  }

  private static Collection<?> values(@Nullable Object given) {
    if (given == null) {
      return List.of();
    }
    return given instanceof Collection<?> several ? several : List.of(given);
  }
}
