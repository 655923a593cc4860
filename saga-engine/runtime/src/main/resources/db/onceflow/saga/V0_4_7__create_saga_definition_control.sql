-- What operators have set for a definition, while that differs from how its build is configured: a hold of all its sagas,
-- and the version of new ones. There is a row as long as one of them is set. Every replica reads it every second while the
-- table has rows, and nothing while it has none.
CREATE TABLE saga_definition_control (
  definition    text        COLLATE "C" PRIMARY KEY,
  hold          json,                                  -- as in saga_instance; its sagas are put on hold, and new ones made so
  resuming      text,                                  -- who and why: its sagas are being resumed
  start_version int,                                   -- of so many of its new sagas
  start_share   int,                                   --   in a hundred; the others follow the configured version
  start_by      text,
  start_reason  text,
  start_since   timestamptz,
  CONSTRAINT saga_definition_control_share CHECK (start_share BETWEEN 0 AND 100),
  CONSTRAINT saga_definition_control_start_as_a_whole
    CHECK ((start_version IS NULL) = (start_share IS NULL) AND (start_version IS NULL) = (start_by IS NULL)
           AND (start_version IS NULL) = (start_since IS NULL))
);
