-- One row per execution of the handler: what the benchmark counts.
CREATE TABLE note (
  id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subject  text        NOT NULL,             -- the request's key, so that a second execution shows
  taken_at timestamptz NOT NULL DEFAULT now()
);
