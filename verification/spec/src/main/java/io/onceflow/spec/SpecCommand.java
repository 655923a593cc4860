package io.onceflow.spec;

import io.onceflow.spec.Specification.Size;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;

/** Checks the specifications, which {@code ./onceflow spec} passes to. */
public final class SpecCommand {

  private static final String USAGE =
      """
      Usage: ./onceflow spec [--deep | --without]

      Checks the TLA+ specifications of the protocol by TLC: invariants, and that every saga, command, request and
      message ends.

        --deep      more faults and copies; takes longer, and 2 GB
        --without   removes each rule in turn and prints the counterexample

      Exit code 0 when everything holds, and with --without when each removal is noticed, else 1. docs/proof has the
      results.
      """;

  private SpecCommand() {}

  /** Ends this JVM with the exit code. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments), System.out));
  }

  static int run(List<String> arguments, PrintStream out) throws InterruptedException {
    Tlc tlc = new Tlc(Runtime.getRuntime().availableProcessors(), "2g");
    return switch (String.join(" ", arguments)) {
      case "" -> check(tlc, List.of(Size.SAFETY, Size.LIVENESS), out);
      case "--deep" -> check(tlc, List.of(Size.DEEP), out);
      case "--without" -> remove(out);
      default -> {
        out.print(USAGE);
        yield arguments.contains("--help") || arguments.contains("-h") ? 0 : 2;
      }
    };
  }

  private static int check(Tlc tlc, List<Size> sizes, PrintStream out) throws InterruptedException {
    boolean hold = true;
    for (Specification specification : Specification.values()) {
      for (Size size : sizes) {
        TlcResult result = tlc.run(ModelCheck.of(specification, size));
        hold &= result.holds();
        out.printf(
            "%-15s %-10s %s, %s s%n",
            specification.page(),
            size,
            result.holds()
                ? "holds: " + result.distinctStates() + " distinct states"
                : "BREAKS " + result.violated() + "\n" + result.output(),
            result.took().toSeconds());
      }
    }
    return hold ? 0 : 1;
  }

  private static int remove(PrintStream out) throws InterruptedException {
    boolean isEachNoticed = true;
    Tlc tlc = new Tlc(1, "1g");
    for (RemovedRule rule : Arrays.asList(RemovedRule.values())) {
      TlcResult result = tlc.run(ModelCheck.without(rule));
      isEachNoticed &= !result.holds();
      out.printf(
          "%nRule %s, %s: %s%n  %s%n",
          rule.number(),
          rule.specification().page(),
          rule.loss(),
          result.holds() ? "NOT NOTICED" : "breaks " + result.violated());
      result
          .steps()
          .forEach(step -> out.printf("  %s -> %s: %s%n", step.from(), step.to(), step.text()));
    }
    return isEachNoticed ? 0 : 1;
  }
}
