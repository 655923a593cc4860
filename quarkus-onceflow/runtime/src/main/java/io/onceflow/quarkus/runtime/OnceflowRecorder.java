package io.onceflow.quarkus.runtime;

import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.annotations.Recorder;
import java.util.List;

/** Passes on to the running application what the build has found. */
@Recorder
public class OnceflowRecorder {

  /** The model as a bean. */
  public RuntimeValue<OnceflowModel> model(
      List<String> handlers,
      List<String> commands,
      List<String> bindings,
      List<String> migrations) {
    return new RuntimeValue<>(new OnceflowModel(handlers, commands, bindings, migrations));
  }
}
