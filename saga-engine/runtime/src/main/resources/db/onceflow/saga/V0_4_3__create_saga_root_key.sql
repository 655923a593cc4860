-- Ended sagas are deleted after their retention. Participants, and the systems that they call, may remember the step keys
-- of a deleted saga for longer: a saga that starts under the same root key must still get another one. Eight bytes of a
-- hash are enough: two keys with one hash cost a suffix that was not needed.
CREATE TABLE saga_root_key (
  hash       bigint      PRIMARY KEY,                  -- the first eight bytes of SHA-256 of scope and root key
  expires_at timestamptz NOT NULL                      -- by the hour, so that many entries of the index are one
);

-- Read by garbage collection, for the keys that have expired.
CREATE INDEX saga_root_key_expired ON saga_root_key (expires_at);
