package io.onceflow.service.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list and stops at the first element beyond the {@link Size} with which its property is
 * annotated: what is too long is neither built nor validated. Named by {@code @JsonDeserialize} on
 * the property.
 */
public final class BoundedList extends StdDeserializer<List<?>> implements ContextualDeserializer {

  private static final long serialVersionUID = 1L;

  private final int most;
  private final transient @Nullable JsonDeserializer<Object> elements;

  /** For Jackson, which asks it for one that knows its property. */
  public BoundedList() {
    this(0, null);
  }

  private BoundedList(int most, @Nullable JsonDeserializer<Object> elements) {
    super(List.class);
    this.most = most;
    this.elements = elements;
  }

  @Override
  public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property)
      throws JsonMappingException {
    Size size = property.getAnnotation(Size.class);
    if (size == null) {
      throw new IllegalStateException(property.getName() + " has no @Size to be bounded by");
    }
    return new BoundedList(
        size.max(),
        context.findContextualValueDeserializer(property.getType().getContentType(), property));
  }

  @Override
  public @Nullable List<?> deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    if (!parser.isExpectedStartArrayToken()) {
      return (List<?>) context.handleUnexpectedToken(List.class, parser);
    }
    List<@Nullable Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (list.size() == most) {
        throw new TooManyElements(parser, most);
      }
      list.add(element(parser, context, list.size()));
    }
    return list;
  }

  private @Nullable Object element(JsonParser parser, DeserializationContext context, int index)
      throws IOException {
    if (parser.hasToken(JsonToken.VALUE_NULL)) {
      return null;
    }
    try {
      return elements.deserialize(parser, context);
    } catch (JsonMappingException e) {
      throw JsonMappingException.wrapWithPath(e, List.class, index);
    }
  }
}
