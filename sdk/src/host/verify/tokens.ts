import { createHash, timingSafeEqual } from 'node:crypto'
import type { WebhookBasic, WebhookBearer, WebhookQueryToken } from '../../webhooks.ts'
import { decode } from './encoding.ts'
import { headerOf, WebhookRefusal, type ReceivedWebhook, type Verify } from './received.ts'
import { createPreparation } from './secret.ts'

export function createBearerVerify ({ header, word }: WebhookBearer): Verify {
  return createTokenVerify({
    name: `The token in header ${header}`,
    read: ({ rawHeaders }) => Buffer.from(wordless(headerOf(rawHeaders, header, 'mismatch'), word, header), 'latin1'),
    expect: secret => secret,
    form: 'a text'
  })
}

export function createBasicVerify ({ user }: WebhookBasic): Verify {
  return createTokenVerify({
    name: 'The user or the password in header Authorization',
    read: ({ rawHeaders }) =>
      decode(wordless(headerOf(rawHeaders, 'Authorization', 'mismatch'), 'Basic', 'Authorization'), 'base64'),
    expect: secret => user === undefined ? secret.includes(':') ? secret : undefined : `${user}:${secret}`,
    form: 'user:password'
  })
}

export function createQueryVerify ({ parameter }: WebhookQueryToken): Verify {
  return createTokenVerify({
    name: `The query parameter ${parameter}`,
    read ({ query }) {
      const values = new URLSearchParams(query).getAll(parameter)
      if (values.length > 1) {
        throw new WebhookRefusal('malformed', `The query parameter ${parameter} came ${values.length} times`)
      }
      return Buffer.from(values[0] ?? '')
    },
    expect: secret => secret,
    form: 'a text'
  })
}

/**
 * Removes the word before a token. Its case does not matter (RFC 9110, section 11.1).
 */
export function wordless (header: string, word: string | undefined, name: string): string {
  if (word === undefined) return header
  const [first = '', rest = ''] = header.split(/ +(.*)/, 2)
  if (first.toLowerCase() !== word.toLowerCase() || rest === '') {
    throw new WebhookRefusal('mismatch', `Header ${name} must be '${word}', a blank and the secret`)
  }
  return rest
}

interface Token {
  name: string
  read(received: ReceivedWebhook): Buffer | undefined
  expect(secret: string): string | undefined
  form: string
}

/** Compares hashes: their length is the same for every token. */
function createTokenVerify ({ name, read, expect, form }: Token): Verify {
  const hashesOf = createPreparation(secret => {
    const expected = expect(secret)
    return expected === undefined || expected === '' ? undefined : hash(Buffer.from(expected))
  }, form)
  return function verifyToken (received, secrets) {
    const given = hash(read(received) ?? Buffer.alloc(0))
    if (hashesOf(secrets).filter(expected => timingSafeEqual(expected, given)).length === 0) {
      throw new WebhookRefusal('mismatch', `${name} is missing or is not a secret of this connection`)
    }
    return undefined
  }
}

function hash (bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
