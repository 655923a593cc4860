import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';
import { readCommand, stepKey, Unprocessable, unpack } from '../src/messages.js';

const MESSAGES = new URL('../../../docs/messages/', import.meta.url);
const golden = Buffer.from((await readFile(new URL('Pack.hex', MESSAGES), 'utf8')).replaceAll(/\s/g, ''), 'hex');
const pack = (content) => ({ properties: { contentType: 'application/vnd.onceflow.pack' }, content });

test('the golden pack holds two messages', () => {
  const messages = unpack(pack(golden));
  assert.equal(messages.length, 2);
  assert.equal(messages[0].properties.type, 'ProcessPayment');
  assert.ok(messages[0].properties.headers['x-idempotency-key']);
});

test('what is no whole pack is malformed', () => {
  for (let length = 0; length < golden.length; length++) {
    assert.throws(() => unpack(pack(golden.subarray(0, length))), Unprocessable, `cut at ${length}`);
  }
  assert.throws(() => unpack(pack(Buffer.concat([golden, Buffer.of(0)]))), Unprocessable);
});

test('the step key ends with step and origin', () => {
  assert.equal(stepKey({ rootKey: 'k', origin: 'order-service/place-order' }, 's'), 'k:s@order-service/place-order');
  assert.equal(stepKey({ rootKey: 'k' }, 's'), 'k:s');
});

test('a command without a key is not read', () => {
  const message = { properties: { type: 'CancelShipment', headers: {} }, content: Buffer.from('{}') };
  assert.throws(() => readCommand(message), { reason: 'no-idempotency-key' });
});
