package io.onceflow.quarkus.runtime;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.onceflow.inbox.internal.participant.ParticipantRepository;
import io.onceflow.participant.internal.CompositeRepository;
import io.onceflow.participant.internal.HandlerMethods;
import io.onceflow.saga.internal.jpa.JpaParticipantRepository;
import io.onceflow.saga.internal.jpa.LockedEntities;
import io.onceflow.saga.internal.jpa.SavedEntities;
import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import io.quarkus.arc.InstanceHandle;
import jakarta.enterprise.util.TypeLiteral;
import jakarta.validation.Validator;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The beans of the application that handle commands, and those that keep their rows.
 *
 * @param handlers their methods
 * @param needJta whether steps are recorded in JTA transactions: some of the rows may be JPA
 *     entities, or handlers may write by themselves
 */
record HandlerBeans(HandlerMethods handlers, boolean needJta) {

  private static final String ENTITY_MANAGER = "jakarta.persistence.EntityManager";

  static HandlerBeans of(OnceflowModel model, ObjectMapper json) {
    ArcContainer container = Arc.container();
    CompositeRepository rows = new CompositeRepository();
    List<InstanceHandle<ParticipantRepository<?>>> kept =
        container.listAll(new TypeLiteral<ParticipantRepository<?>>() {});
    kept.forEach(bean -> add(rows, bean));
    List<Class<?>> entities = Entities.of(model.handlers().stream().map(HandlerBeans::load));
    entities.forEach(type -> addEntities(rows, type));
    boolean hasPersistenceUnit = hasPersistenceUnit(container);
    if (hasPersistenceUnit) {
      saveOtherEntities(rows);
    }
    HandlerMethods handlers =
        new HandlerMethods(
            rows, json, new ValidatingInvoker(container.instance(Validator.class).get()));
    for (String name : model.handlers()) {
      Class<?> type = load(name);
      handlers.and(type, container.instance(type).get());
    }
    boolean needJta =
        hasPersistenceUnit
            || StepTransactions.needJta(model.handlers().stream().map(HandlerBeans::load));
    return new HandlerBeans(handlers, needJta);
  }

  /** By name, as JPA is optional. */
  private static boolean hasPersistenceUnit(ArcContainer container) {
    try {
      return container
          .instance(Thread.currentThread().getContextClassLoader().loadClass(ENTITY_MANAGER))
          .isAvailable();
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static void saveOtherEntities(CompositeRepository rows) {
    rows.saving(Entities::isEntity, SavedEntities.ofApplication());
  }

  private static <S> void add(
      CompositeRepository kinds, InstanceHandle<ParticipantRepository<?>> bean) {
    bean.getBean().getTypes().stream()
        .map(HandlerBeans::rowType)
        .filter(type -> type != null)
        .forEach(type -> kinds.with(unchecked(type), unchecked(bean.get())));
  }

  private static <S> void addEntities(CompositeRepository rows, Class<S> type) {
    rows.with(type, new JpaParticipantRepository<>(LockedEntities.of(type)));
  }

  /** The type argument says which rows the bean keeps. */
  @SuppressWarnings("unchecked")
  private static <T> T unchecked(Object value) {
    return (T) value;
  }

  private static @Nullable Class<?> rowType(Type beanType) {
    return beanType instanceof ParameterizedType rows
            && rows.getRawType() == ParticipantRepository.class
            && rows.getActualTypeArguments()[0] instanceof Class<?> type
        ? type
        : null;
  }

  static Class<?> load(String name) {
    try {
      return Thread.currentThread().getContextClassLoader().loadClass(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the build found " + name + ", which is not there now", e);
    }
  }
}
