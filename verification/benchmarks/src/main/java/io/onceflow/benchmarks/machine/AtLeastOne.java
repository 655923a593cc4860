package io.onceflow.benchmarks.machine;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the number of an option, and refuses one that is not positive. */
public final class AtLeastOne implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // is refused with the same words
    }
    throw new TypeConversionException("'" + value + "' must be at least 1");
  }
}
