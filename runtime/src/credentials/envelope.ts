import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { createCipheriv, createDecipheriv, randomBytes, type DecipherGCM } from 'node:crypto'
import { InvalidConfigurationError } from '../errors.ts'

/**
 * The content of an encrypted credential row: AES-256-GCM, every member base64. `kid` names the
 * key.
 */
const Envelope = Type.Object({
  v: Type.Literal(1),
  kid: Type.String(),
  nonce: Type.String(),
  ciphertext: Type.String(),
  tag: Type.String()
})
export type Envelope = Static<typeof Envelope>

export interface Keyring {
  /** Newest first. */
  ids: readonly string[]
  /**
   * Encrypts with the newest key. `context` (table, row, platform) is bound to the result: the
   * envelope opens with the same context only.
   */
  seal(plain: unknown, context: string): Envelope
  /**
   * Throws when the value is no envelope, the key is unknown, the context is another one, or a byte
   * was changed.
   */
  open(envelope: unknown, context: string): unknown
}

/** Reads `LINKER_CREDENTIALS_KEY`: `id:base64` of 32 bytes each, comma-separated, newest first. */
export function createKeyring (text: string): Keyring {
  const keys = new Map(text.split(',').map(parseKey))
  const [newest] = keys.keys()
  if (newest === undefined) throw new InvalidConfigurationError('LINKER_CREDENTIALS_KEY contains no key')
  return {
    ids: [...keys.keys()],
    seal (plain, context) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyOf(keys, newest), nonce).setAAD(Buffer.from(context))
      const ciphertext = Buffer.concat([cipher.update(JSON.stringify(plain), 'utf8'), cipher.final()])
      return {
        v: 1,
        kid: newest,
        nonce: nonce.toString('base64'),
        ciphertext: ciphertext.toString('base64'),
        tag: cipher.getAuthTag().toString('base64')
      }
    },
    open (envelope, context) {
      if (!Value.Check(Envelope, envelope)) {
        throw new TypeError('stored credentials are marked as encrypted but do not have the encrypted form')
      }
      const decipher = createDecipheriv('aes-256-gcm', keyOf(keys, envelope.kid), Buffer.from(envelope.nonce, 'base64'))
        .setAAD(Buffer.from(context)).setAuthTag(Buffer.from(envelope.tag, 'base64'))
      const opened = decipher.update(Buffer.from(envelope.ciphertext, 'base64'))
      return JSON.parse(Buffer.concat([opened, finish(decipher, envelope.kid, context)]).toString('utf8'))
    }
  }
}

/**
 * Ends the decryption. Here GCM reports that the key, the context or the content is not the sealed
 * one.
 */
function finish (decipher: DecipherGCM, keyId: string, context: string): Buffer {
  try {
    return decipher.final()
  } catch (error) {
    const message =
      `cannot decrypt '${context}' with key '${keyId}' of LINKER_CREDENTIALS_KEY: another key encrypted it, or the ` +
      'row was changed or moved'
    throw Object.assign(new InvalidConfigurationError(message), { cause: error })
  }
}

function parseKey (entry: string): [string, Buffer] {
  const separator = entry.indexOf(':')
  const id = entry.slice(0, separator).trim()
  const key = Buffer.from(entry.slice(separator + 1).trim(), 'base64')
  if (separator < 1 || key.length !== 32) {
    throw new InvalidConfigurationError('LINKER_CREDENTIALS_KEY must be `id:base64` of 32 bytes; separate several ' +
      'keys with commas')
  }
  return [id, key]
}

function keyOf (keys: ReadonlyMap<string, Buffer>, id: string): Buffer {
  const key = keys.get(id)
  if (key === undefined) {
    throw new InvalidConfigurationError(`credentials are encrypted with key '${id}', which is missing in ` +
      'LINKER_CREDENTIALS_KEY')
  }
  return key
}
