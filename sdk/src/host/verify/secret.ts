import { createSecretKey, type KeyObject } from 'node:crypto'
import type { WebhookSecretForm } from '../../webhooks.ts'
import type { DescribedVerification } from '../describe.ts'
import { decode } from './encoding.ts'
import { WebhookRefusal } from './received.ts'

const secretBytes = 32

/** Makes a secret that the hub gives to a platform, in the form that its declaration asks for. */
export function createWebhookSecret (random: (bytes: number) => Buffer, declared?: DescribedVerification): string {
  const { encoding = 'text', prefix = '' } = formOf(declared)
  const isUserAndPassword = declared?.kind === 'basic' && declared.user === undefined
  return (isUserAndPassword ? 'linker:' : prefix) +
    random(secretBytes).toString(encoding === 'text' ? 'base64url' : encoding)
}

function formOf (declared: DescribedVerification | undefined): WebhookSecretForm {
  return declared !== undefined && 'secret' in declared ? declared.secret ?? {} : {}
}

/**
 * Returns the function that makes what a kind of verification needs of a secret, once for each
 * secret. Secrets that cannot be used are left out, and refused when no other is there.
 */
export function createPreparation<Prepared> (
  prepare: (secret: string) => Prepared | undefined,
  form: string
): (secrets: readonly KeyObject[]) => Prepared[] {
  const known = new WeakMap<KeyObject, { prepared: Prepared | undefined }>()

  function find (secret: KeyObject): Prepared | undefined {
    const entry = known.get(secret) ?? { prepared: prepare(secret.export().toString('utf8')) }
    known.set(secret, entry)
    return entry.prepared
  }

  return function prepareAll (secrets) {
    if (secrets.length === 0) throw new WebhookRefusal('secret', 'No webhook secret is set for this connection')
    const prepared = secrets.map(find).filter(item => item !== undefined)
    if (prepared.length === 0) {
      throw new WebhookRefusal('secret', `The webhook secret of this connection is not ${form}`)
    }
    return prepared
  }
}

/** The preparation of secrets that sign: the key in the declared form. */
export function createKeys (form: WebhookSecretForm = {}): (secrets: readonly KeyObject[]) => KeyObject[] {
  const { encoding = 'text', prefix = '' } = form
  return createPreparation(secret => keyOf(secret, form), encoding === 'text' ? `a text after '${prefix}'` : encoding)
}

/** Returns undefined for an empty key, because anybody could sign with it. */
export function keyOf (
  secret: string,
  { encoding = 'text', prefix = '' }: WebhookSecretForm = {}
): KeyObject | undefined {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const bytes = encoding === 'text' ? Buffer.from(text) : decode(text, encoding)
  return bytes === undefined || bytes.length === 0 ? undefined : createSecretKey(bytes)
}
