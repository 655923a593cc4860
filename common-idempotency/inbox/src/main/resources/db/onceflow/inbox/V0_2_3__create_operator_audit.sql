-- What operators did, and why. Entries are added and never changed. Each carries the hash of the one before it: a change or
-- removal made all the same, with the rights of the table's owner, breaks the chain.
CREATE TABLE operator_audit (
  seq           bigint      PRIMARY KEY,              -- 1, 2, 3 without a gap; given out under an advisory lock
  at            timestamptz NOT NULL,
  actor         text        COLLATE "C" NOT NULL,     -- the subject of the token
  action        text        COLLATE "C" NOT NULL,
  subject_kind  text        COLLATE "C" NOT NULL,     -- saga, repair, definition, parked-message, participant
  subject_id    text        COLLATE "C" NOT NULL,
  reason        text,                                 -- in the operator's words
  detail        text,
  previous_hash bytea       NOT NULL,                 -- of the entry before; 32 zeros in the first
  hash          bytea       NOT NULL,                 -- SHA-256 of all columns above, as docs/reference/http.md has it
  CONSTRAINT operator_audit_from_one CHECK (seq > 0),
  CONSTRAINT operator_audit_hashes   CHECK (octet_length(previous_hash) = 32 AND octet_length(hash) = 32)
);

-- Read by GET /operator-audit, which filters by each of these.
CREATE INDEX operator_audit_by_subject ON operator_audit (subject_kind, subject_id, seq);
CREATE INDEX operator_audit_by_actor   ON operator_audit (actor, seq);
CREATE INDEX operator_audit_by_action  ON operator_audit (action, seq);

CREATE FUNCTION refuse_change_of_operator_audit() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operator_audit is append-only: % is refused', TG_OP
    USING ERRCODE = 'insufficient_privilege';
END
$$;

CREATE TRIGGER operator_audit_append_only
  BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_operator_audit();
