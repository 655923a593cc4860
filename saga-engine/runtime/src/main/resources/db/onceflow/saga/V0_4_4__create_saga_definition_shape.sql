-- A saga keeps the version that it was started with. A build that has other steps under the same number would execute them
-- in sagas under way, so each version's steps are remembered, and compared when a service starts.
CREATE TABLE saga_definition_shape (
  definition  text        COLLATE "C" NOT NULL,
  version     int         NOT NULL,
  shape       text        NOT NULL,                    -- its steps in their order, with their kinds and compensations
  recorded_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (definition, version)
);
