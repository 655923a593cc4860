-- Leases: a claim that is committed before its method runs is its owner's until lease_expires_at, and is completed only
-- under its fencing token. Tokens come from a sequence, since a row that expired and was made anew must not bear the
-- number that an owner of the old one still holds.
CREATE SEQUENCE idempotency_fencing_token;

ALTER TABLE idempotency_record
  ADD COLUMN operation        text   NOT NULL DEFAULT '',      -- what is done under the key, as the application names it
  ADD COLUMN fencing_token    bigint NOT NULL DEFAULT nextval('idempotency_fencing_token'),
  ADD COLUMN lease_expires_at timestamptz,                     -- only while STARTED, and only if claimed by a lease
  ADD COLUMN accepted_at      timestamptz,                     -- when the caller was told 202 and the work went on
  ADD CONSTRAINT idempotency_record_lease_only_while_started CHECK
    (status = 'STARTED' OR lease_expires_at IS NULL);

ALTER SEQUENCE idempotency_fencing_token OWNED BY idempotency_record.fencing_token;

-- Recovery looks for leases that ended long ago.
CREATE INDEX idempotency_record_abandoned ON idempotency_record (lease_expires_at)
  WHERE lease_expires_at IS NOT NULL;
