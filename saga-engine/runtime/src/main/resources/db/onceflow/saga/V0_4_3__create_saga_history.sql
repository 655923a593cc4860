-- What happened to a saga, in its order. Rows are added and never changed. No foreign key, as in saga_step.
CREATE TABLE saga_history (
  saga_id  uuid        NOT NULL,
  revision bigint      NOT NULL,   -- of the saga after the write that added the row
  position int         NOT NULL,   -- within that write, from 0
  at       timestamptz NOT NULL,
  event    text        NOT NULL,   -- a word of io.onceflow.saga.HistoryEvent
  step     text,                   -- null where it is about the saga
  detail   text,
  PRIMARY KEY (saga_id, revision, position)
);
