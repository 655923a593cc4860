package io.onceflow.web.internal.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import jakarta.validation.constraints.Size;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list and stops at the first element beyond the {@link Size} of its property: a list that
 * is too long is neither built nor validated.
 */
final class BoundedList extends StdDeserializer<List<?>> implements ContextualDeserializer {

  private static final long serialVersionUID = 1L;

  private final int most;
  private final transient @Nullable JsonDeserializer<Object> elements;

  private BoundedList(int most, @Nullable JsonDeserializer<Object> elements) {
    super(List.class);
    this.most = most;
    this.elements = elements;
  }

  /** Has every list with a {@link Size} read so, unless its property says how it is read. */
  static final class Introspector extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable Object findDeserializer(Annotated property) {
      Size size = property.getAnnotation(Size.class);
      Class<?> type = property.getRawType();
      return size != null
              && (type == List.class || type == Collection.class)
              && !property.hasAnnotation(JsonDeserialize.class)
          ? new BoundedList(size.max(), null)
          : null;
    }
  }

  @Override
  public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property)
      throws JsonMappingException {
    return new BoundedList(
        most,
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
