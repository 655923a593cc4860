// Reads messages: the envelope, its keys, and packs of several messages (docs/reference/protocol.md, docs/messages/README.md).
import { createHash } from 'node:crypto';

const PACK = 'application/vnd.onceflow.pack';

/** A message that no repetition makes better: it is parked with the reason. */
export class Unprocessable extends Error {
  constructor(reason, detail) {
    super(detail);
    this.reason = reason;
  }
}

/** Reads the envelope of a command; throws Unprocessable if something is missing. */
export function readCommand({ properties, content }) {
  const headers = properties.headers ?? {};
  const text = (name) => (typeof headers[name] === 'string' ? headers[name] : undefined);
  if (!properties.type) {
    throw new Unprocessable('unknown-type', 'the AMQP property type is missing');
  }
  const version = text('x-message-version') ?? '1';
  if (version !== '1') {
    throw new Unprocessable('unsupported-version', `version ${version}; this service reads version 1`);
  }
  const rootKey = text('x-idempotency-key');
  const scope = text('x-idempotency-scope');
  if (!rootKey?.trim() || rootKey.length > 255 || !scope?.trim()) {
    throw new Unprocessable('no-idempotency-key', 'key or scope are missing or too long');
  }
  const expiresAt = text('x-expires-at');
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) {
    throw new Unprocessable('malformed', `x-expires-at is ${expiresAt}`);
  }
  return {
    type: properties.type,
    correlationId: properties.correlationId,
    replyTo: properties.replyTo,
    headers,
    rootKey,
    scope,
    origin: text('x-saga-origin'),
    step: text('x-saga-step'),
    undoes: text('x-saga-undoes'),
    expiresAt,
    payload: payload(content),
    fingerprint: createHash('sha256').update(properties.type).update('\0').update(content).digest(),
  };
}

/** The key under which a step is remembered. A sender that is no saga may name no origin. */
export function stepKey(command, step) {
  return command.origin ? `${command.rootKey}:${step}@${command.origin}` : `${command.rootKey}:${step}`;
}

function payload(content) {
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch (e) {
    throw new Unprocessable('malformed', `no JSON: ${e.message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unprocessable('malformed', 'not a JSON object');
  }
  return value;
}

/** The messages of a delivery in their order: those of a pack, or the message itself. */
export function unpack(delivery) {
  if (delivery.properties.contentType !== PACK) {
    return [delivery];
  }
  try {
    return readPack(delivery.content);
  } catch (e) {
    throw new Unprocessable('malformed', `no pack of version 1: ${e.message}`);
  }
}

function readPack(content) {
  let at = 1;
  const number = () => {
    at += 4;
    return content.readInt32BE(at - 4);
  };
  const bytes = () => {
    const length = number();
    if (length === -1) {
      return undefined;
    }
    if (length < 0 || at + length > content.length) {
      throw new RangeError(`a text of ${length} bytes at ${at}`);
    }
    at += length;
    return content.subarray(at - length, at);
  };
  const text = () => bytes()?.toString('utf8');
  if (content[0] !== 1) {
    throw new RangeError(`version ${content[0]}`);
  }
  const messages = [];
  for (let left = number(); left > 0; left--) {
    const properties = { messageId: text(), type: text(), correlationId: text(), replyTo: text(), headers: {} };
    for (let more = number(); more > 0; more--) {
      const name = text();
      properties.headers[name] = text();
    }
    messages.push({ properties, content: bytes() });
  }
  if (messages.length === 0 || at !== content.length) {
    throw new RangeError(`${messages.length} messages end at ${at} of ${content.length}`);
  }
  return messages;
}
