-- An option for large installations, beside db/onceflow/idempotency: partitions of idempotency_record by the day (UTC),
-- so that expired days are dropped instead of deleted row by row. Garbage collection notices, makes the days to come and
-- drops those that have expired. docs/adr/0009 says how, and what it costs.
--
-- What is there stays where it is: the table as it was becomes the first partition, for all rows made until the day after
-- tomorrow, and is dropped like any other when they have expired. The table cannot be used while this runs: one scan of it.
LOCK TABLE idempotency_record IN ACCESS EXCLUSIVE MODE;
ALTER TABLE idempotency_record RENAME TO idempotency_record_undivided;

CREATE TABLE idempotency_record
  (LIKE idempotency_record_undivided INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
  PARTITION BY RANGE (created_at);

-- Else it would be dropped with the first partition.
ALTER SEQUENCE idempotency_fencing_token OWNED BY idempotency_record.fencing_token;

DO $$
DECLARE
  index       record;
  primary_key text;
  midnight    timestamptz := (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '2 days') AT TIME ZONE 'UTC';
BEGIN
  -- The first partition keeps its indexes under other names; every partition gets the same.
  FOR index IN
    SELECT c.relname AS name, pg_get_indexdef(c.oid) AS definition
    FROM   pg_index i
    JOIN   pg_class c ON c.oid = i.indexrelid
    WHERE  i.indrelid = 'idempotency_record_undivided'::regclass
    AND    NOT i.indisunique
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, left(index.name, 50) || '_undivided');
    EXECUTE replace(index.definition, 'idempotency_record_undivided', 'idempotency_record');
  END LOOP;
  EXECUTE format('ALTER TABLE idempotency_record ATTACH PARTITION idempotency_record_undivided
                  FOR VALUES FROM (MINVALUE) TO (%L)', midnight);

  -- A row for which no partition was made in time (garbage collection stood still for days) is inserted here instead of
  -- failing its transaction. Garbage collection moves it when it makes the partition of its day; a row of a day that is past
  -- expires here, and is deleted like any other.
  SELECT pg_get_constraintdef(oid)
  INTO   primary_key
  FROM   pg_constraint
  WHERE  conrelid = 'idempotency_record_undivided'::regclass
  AND    contype = 'p';
  EXECUTE format('CREATE TABLE idempotency_record_default
                    (LIKE idempotency_record INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE, %s)', primary_key);
  ALTER TABLE idempotency_record ATTACH PARTITION idempotency_record_default DEFAULT;
END
$$;

-- A unique index holds within its partition only: the same key just before and just after midnight are two of them.
-- An insert takes the lock of the key, the one that a claim takes too, and then looks in all partitions. The look
-- is a statement of its own, in a volatile function, so at READ COMMITTED it sees what was committed before the lock was
-- given; the snapshot of the INSERT itself may be older. A row that is there already is passed over, as by ON CONFLICT
-- DO NOTHING.
--
-- Every look-up costs as much as there are partitions to ask, and those made ahead hold nothing: the look passes them over.
-- A comparison with a variable does that when the statement starts. An hour more, since the clock of a server that takes
-- over may be behind.
CREATE FUNCTION idempotency_record_once() RETURNS trigger LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  latest timestamptz := clock_timestamp() + interval '1 h';
BEGIN
  IF current_setting('transaction_isolation') NOT IN ('read committed', 'read uncommitted') THEN
    RAISE EXCEPTION 'rows of idempotency_record are made at READ COMMITTED only: at % an older one could go unseen',
      current_setting('transaction_isolation');
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.key, hashtext(NEW.scope)));
  PERFORM FROM idempotency_record WHERE scope = NEW.scope AND key = NEW.key AND created_at < latest;
  IF FOUND THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER idempotency_record_once BEFORE INSERT ON idempotency_record
  FOR EACH ROW EXECUTE FUNCTION idempotency_record_once();
