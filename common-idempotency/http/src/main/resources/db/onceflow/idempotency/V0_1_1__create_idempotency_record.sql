-- One row per key of a caller: claimed by the first request, kept with its answer for the repeats.
CREATE TABLE idempotency_record (
  scope            text        NOT NULL,               -- whose key it is: the authenticated subject
  key              text        NOT NULL,
  fingerprint      bytea       NOT NULL,               -- SHA-256 of method, path, query and body
  status           text        NOT NULL,
  response_status  smallint,
  response_headers json,                                -- in the order they were set
  response_body    bytea,                              -- byte for byte as it was first sent
  created_at       timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  expires_at       timestamptz NOT NULL,               -- after this the key is as new
  PRIMARY KEY (scope, key),
  CONSTRAINT idempotency_record_status CHECK (status IN ('STARTED', 'COMPLETED')),
  CONSTRAINT idempotency_record_key_length CHECK (length(key) BETWEEN 1 AND 255),
  CONSTRAINT idempotency_record_response_once_done CHECK
    ((status = 'COMPLETED') = (response_status IS NOT NULL
                               AND response_headers IS NOT NULL
                               AND response_body IS NOT NULL
                               AND completed_at IS NOT NULL))
);

-- Garbage collection looks for what has expired, oldest first.
CREATE INDEX idempotency_record_expired ON idempotency_record (expires_at);
