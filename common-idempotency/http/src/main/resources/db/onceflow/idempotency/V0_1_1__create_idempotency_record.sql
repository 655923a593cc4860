-- One row per key of a caller: claimed by the first request, kept with its answer for the repeats.
--
--   (no row) ──claim──▶ STARTED ──answer, under the fencing token──▶ COMPLETED ──expires──▶ (no row)
--                         │ lease over: a successor takes the next token
--                         └─ the request failed: (no row), and the key may be tried again

-- Tokens come from a sequence: a row that expired and was made anew must not bear the number that an owner of the old one
-- still holds.
CREATE SEQUENCE idempotency_fencing_token;

-- Keys are compared byte by byte: a new version of the operating system's locales would reorder their indexes otherwise.
CREATE TABLE idempotency_record (
  scope            text        COLLATE "C" NOT NULL,   -- whose key it is: the authenticated subject
  key              text        COLLATE "C" NOT NULL,
  fingerprint      bytea       NOT NULL,               -- SHA-256 of method, path, query and body
  operation        text        NOT NULL DEFAULT '',    -- what is done under the key, as the application names it
  status           text        NOT NULL,
  fencing_token    bigint      NOT NULL DEFAULT nextval('idempotency_fencing_token'),
  lease_expires_at timestamptz,                        -- only while STARTED, and only if the claim is committed before its method runs
  accepted_at      timestamptz,                        -- when the caller was answered 202 and the work went on
  response_status  smallint,
  response_headers json,                               -- in the order they were set
  response_body    bytea,                              -- byte for byte as it was first sent
  created_at       timestamptz NOT NULL DEFAULT now(),
  completed_at     timestamptz,
  expires_at       timestamptz NOT NULL,               -- after this the key is as new
  PRIMARY KEY (scope, key),
  CONSTRAINT idempotency_record_status CHECK (status IN ('STARTED', 'COMPLETED')),
  CONSTRAINT idempotency_record_key_length CHECK (length(key) BETWEEN 1 AND 255),
  CONSTRAINT idempotency_record_lease_only_while_started CHECK (status = 'STARTED' OR lease_expires_at IS NULL),
  CONSTRAINT idempotency_record_response_once_done CHECK
    ((status = 'COMPLETED') = (response_status IS NOT NULL
                               AND response_headers IS NOT NULL
                               AND response_body IS NOT NULL
                               AND completed_at IS NOT NULL))
);

ALTER SEQUENCE idempotency_fencing_token OWNED BY idempotency_record.fencing_token;

-- Read by garbage collection: what has expired, oldest first.
CREATE INDEX idempotency_record_expired ON idempotency_record (expires_at);

-- Read by recovery: leases that ended long ago.
CREATE INDEX idempotency_record_abandoned ON idempotency_record (lease_expires_at) WHERE lease_expires_at IS NOT NULL;
