-- What a definition declares that operators find its sagas by, such as an order number: written with the saga, never
-- changed, deleted with it. A table of its own, since an index of the saga's row would be written with each of its steps.
-- No foreign key, as in saga_journal.
CREATE TABLE saga_attribute (
  saga_id uuid NOT NULL,
  name    text COLLATE "C" NOT NULL,
  value   text COLLATE "C" NOT NULL CHECK (length(value) <= 200),
  PRIMARY KEY (name, value, saga_id)                   -- which is the order of time, since ids are UUIDv7
);

-- Read where a saga is shown, and where it is deleted.
CREATE INDEX saga_attribute_by_saga ON saga_attribute (saga_id);
