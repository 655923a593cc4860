package io.onceflow.participant.internal;

import io.onceflow.inbox.internal.participant.ParticipantRepository;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/** The business rows of a participant whose handlers have rows of several kinds, or none. */
public final class CompositeRepository {

  /** For handlers without a row. */
  private static final ParticipantRepository<Object> NONE =
      new ParticipantRepository<>() {
        @Override
        public Map<UUID, List<Object>> load(Connection connection, Set<UUID> subjects) {
          return Map.of();
        }

        @Override
        public void save(Connection connection, Collection<Object> rows) {
          throw new IllegalStateException("rows of no kind cannot be saved: " + rows);
        }
      };

  private final Map<Class<?>, ParticipantRepository<Object>> kinds = new LinkedHashMap<>();
  private Predicate<Class<?>> isSaved = type -> false;
  private ParticipantRepository<Object> saved = NONE;

  /** As these, and rows of this type as well. */
  @SuppressWarnings("unchecked") // rows are told apart by their class before they are handed on
  public <S> CompositeRepository with(Class<S> type, ParticipantRepository<? extends S> rows) {
    kinds.put(type, (ParticipantRepository<Object>) rows);
    return this;
  }

  /** As these, and rows of further types, which handlers save and do not take. */
  public CompositeRepository saving(Predicate<Class<?>> types, ParticipantRepository<Object> rows) {
    isSaved = types;
    saved = rows;
    return this;
  }

  static ParticipantRepository<Object> none() {
    return NONE;
  }

  ParticipantRepository<Object> of(Class<?> type) {
    ParticipantRepository<Object> rows = kinds.get(type);
    if (rows == null) {
      throw new IllegalArgumentException(
          type.getName()
              + " is neither a JPA entity nor kept by a bean of type ParticipantRepository");
    }
    return rows;
  }

  /** Inserts or updates, in one go for each kind. */
  public void save(Connection connection, Collection<Object> rows) throws SQLException {
    Map<ParticipantRepository<Object>, List<Object>> byKind = new LinkedHashMap<>();
    for (Object row : rows) {
      byKind.computeIfAbsent(kindOf(row), its -> new ArrayList<>()).add(row);
    }
    for (Map.Entry<ParticipantRepository<Object>, List<Object>> kind : byKind.entrySet()) {
      kind.getKey().save(connection, kind.getValue());
    }
  }

  /** By its class or a superclass: JPA may hand out subclasses of an entity. */
  private ParticipantRepository<Object> kindOf(Object row) {
    return kinds.entrySet().stream()
        .filter(kind -> kind.getKey().isInstance(row))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(() -> isSaved.test(row.getClass()) ? saved : of(row.getClass()));
  }
}
