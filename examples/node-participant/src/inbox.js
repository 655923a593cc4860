// Takes each step once: one transaction remembers the step with its reply and does what the step asks for.
import { readCommand, stepKey, Unprocessable } from './messages.js';

export class Inbox {
  constructor(pool, handlers) {
    this.pool = pool;
    this.handlers = handlers;
  }

  /**
   * Settles a command and returns the reply: a new one, or the stored one of a repeat. It is committed then.
   * Throws Unprocessable for what is to be parked; any other error leaves nothing behind.
   */
  async settle(message) {
    const command = readCommand(message);
    const handler = this.handlers[command.type];
    if (!handler) {
      throw new Unprocessable('unknown-type', `no handler for ${command.type}`);
    }
    handler.check(command.payload);
    const key = { scope: command.scope, stepKey: stepKey(command, command.step ?? handler.step) };
    const row = await this.#inTransaction((tx) =>
      handler.undoes ? compensate(tx, handler, command, key) : act(tx, handler, command, key),
    );
    return reply(command, key, row);
  }

  /** Keeps a message aside for an operator. */
  async park(queue, { properties, content }, reason, detail) {
    await this.pool.query(
      `INSERT INTO parked_message
         (queue, message_id, type, correlation_id, reply_to, headers, payload, reason, detail)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        queue,
        properties.messageId,
        properties.type,
        properties.correlationId,
        properties.replyTo,
        JSON.stringify(properties.headers ?? {}).replaceAll('\\u0000', '�'),
        content,
        reason,
        detail.slice(0, 1000),
      ],
    );
  }

  async #inTransaction(work) {
    const tx = await this.pool.connect();
    let failure;
    try {
      await tx.query('BEGIN');
      const result = await work(tx);
      await tx.query('COMMIT');
      return result;
    } catch (e) {
      failure = e;
      await tx.query('ROLLBACK').then(() => (failure = e instanceof Unprocessable ? undefined : e), () => {});
      throw e;
    } finally {
      tx.release(failure); // A connection that may be broken is not used again.
    }
  }
}

/** An action: not begun when it has expired; refused when its compensation came first. */
async function act(tx, handler, command, key) {
  if (!(await claim(tx, key, command.fingerprint))) {
    const before = await find(tx, key);
    return before.reply_type === null
      ? { ...before, ...refusal(handler, command, 'CANCELLED') }
      : expectSame(before, command);
  }
  const result = (await hasExpired(tx, command))
    ? refusal(handler, command, 'EXPIRED')
    : await handler.carryOut(tx, key, command.payload);
  return complete(tx, key, result);
}

/**
 * A compensation: it never expires, and never misses. Its claim of the action's key waits for an action that runs,
 * and is the tombstone of one that has not come.
 */
async function compensate(tx, handler, command, key) {
  const action = { scope: key.scope, stepKey: stepKey(command, command.undoes ?? handler.undoes) };
  await tx.query('INSERT INTO inbox (scope, step_key) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    action.scope,
    action.stepKey,
  ]);
  if (!(await claim(tx, key, command.fingerprint))) {
    return expectSame(await find(tx, key), command);
  }
  return complete(tx, key, await handler.carryOut(tx, action, command.payload));
}

/** Whether the step is new. Waits for a transaction that has just claimed it; false when that one commits. */
async function claim(tx, { scope, stepKey: step }, fingerprint) {
  const { rowCount } = await tx.query(
    `INSERT INTO inbox (scope, step_key, fingerprint, reply_type, outcome, reply)
     VALUES ($1, $2, $3, '', '', '')
     ON CONFLICT DO NOTHING`,
    [scope, step, fingerprint],
  );
  return rowCount === 1;
}

async function complete(tx, { scope, stepKey: step }, { type, outcome, payload }) {
  const { rows } = await tx.query(
    `UPDATE inbox
     SET    reply_type = $3, outcome = $4, reply = $5
     WHERE  scope = $1
     AND    step_key = $2
     RETURNING *`,
    [scope, step, type, outcome, JSON.stringify(payload)],
  );
  return rows[0];
}

async function find(tx, { scope, stepKey: step }) {
  const { rows } = await tx.query('SELECT * FROM inbox WHERE scope = $1 AND step_key = $2', [scope, step]);
  return rows[0];
}

function expectSame(before, command) {
  if (!before.fingerprint.equals(command.fingerprint)) {
    throw new Unprocessable('fingerprint-mismatch', 'another payload was settled under this step key');
  }
  return before;
}

/** By the database's clock, which all replicas share. */
async function hasExpired(tx, { expiresAt }) {
  if (expiresAt === undefined) {
    return false;
  }
  const { rows } = await tx.query('SELECT clock_timestamp() > $1::timestamptz AS expired', [expiresAt]);
  return rows[0].expired;
}

function refusal(handler, command, reason) {
  const { type, payload } = handler.refuse(reason, command.payload);
  return { type, outcome: reason.toLowerCase(), payload, reply_type: type, reply: JSON.stringify(payload) };
}

/** What is sent, or undefined when nobody asked for an answer. */
function reply(command, key, row) {
  if (!command.replyTo) {
    return undefined;
  }
  const headers = { 'x-outcome': row.outcome, 'x-message-version': '1' };
  for (const name of ['x-idempotency-key', 'x-idempotency-scope', 'x-saga-origin', 'x-saga-step', 'traceparent']) {
    if (command.headers[name] !== undefined) {
      headers[name] = command.headers[name];
    }
  }
  return {
    to: command.replyTo,
    content: Buffer.from(row.reply),
    properties: {
      messageId: row.reply_id,
      type: row.reply_type,
      correlationId: command.correlationId,
      contentType: 'application/json',
      persistent: true,
      headers,
    },
  };
}
