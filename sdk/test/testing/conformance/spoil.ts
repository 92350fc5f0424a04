import { declaredProof, type AdapterPackage } from './good-adapter.ts'

// Small changes of the good adapter. Each returns a changed copy, so that they can be combined.

export type Spoil = (good: AdapterPackage) => AdapterPackage
export type Json = Record<string, unknown>

export const manifest = (change: Json): Spoil => good => ({
  ...good,
  packageJson: { ...good.packageJson, ...change }
})

export const linker = (change: Json): Spoil => good =>
  manifest({ linker: { ...good.packageJson.linker as Json, ...change } })(good)

export const settings = (change: Json): Spoil => good => ({ ...good, settings: { ...good.settings, ...change } })

export const append = (code: string): Spoil => good => ({ ...good, source: `${good.source}\n${code}` })

/** Puts code before the other code. */
export const prepend = (code: string): Spoil => good => ({ ...good, source: `${code}\n${good.source}` })

export const replace = (from: string | RegExp, to: string): Spoil => good => {
  const source = good.source.replace(from, to)
  if (source === good.source) throw new Error(`the good adapter has no '${from}'`)
  return { ...good, source }
}

/** Makes changes one after the other. */
export const all = (...changes: readonly Spoil[]): Spoil => good => changes.reduce((made, change) => change(made), good)

/** Adds a member to the definition, or replaces one of `init` and `checkConfig`. */
export const member = (code: string): Spoil => replace('routes: [authorised', `${code},\n  routes: [authorised`)

/** Imports one more error class of the SDK. */
export const withImport = (name: string): Spoil => replace('TransientError }', `TransientError, ${name} }`)

/**
 * Lets a function judge the deliveries. The hub signs no challenge then, because the function might
 * take the signature for the proof of a delivery.
 */
export const judgedBy = (code: string): Spoil =>
  all(
    replace(declaredProof, `verify: { kind: 'function', isGenuine: ${code} },`),
    replace(/\{ hmac: \{.*\} \}(?= \},\n)/, "{ query: 'crc_token' }")
  )

/**
 * Replaces getProduct. The code can use `client`, `externalId` and `good`, which does the same as
 * the original.
 */
export const product = (code: string): Spoil =>
  replace(
    'async getProduct (externalId) { return readProduct(client, externalId) }',
    `async getProduct (externalId) {
  const good = () => readProduct(client, externalId)
  ${code}
}`
  )

/** Runs this code before the account is read; the code can use `client`. */
export const account = (code: string): Spoil =>
  replace('account: async client => {', `account: async client => {\n  ${code}`)

/** Replaces the errors of getProduct. */
export const errors = (code: string): Spoil => product(`try { return await good() } catch (error) { ${code} }`)

/** Lets listProducts read something else when its request fails; code that does not end throws. */
export const listErrors = (code: string): Spoil =>
  replace('await client.json(request)', `await client.json(request).catch(async error => { ${code}\nthrow error })`)

/** Replaces the error of listProducts for one status. */
export const onStatus = (status: number, code: string): Spoil => listErrors(`if (error.status === ${status}) ${code}`)

/**
 * Makes the client a good client plus the context, so that a method can misuse the context. It
 * connects at the first request.
 */
export const withContext = replace(
  'connect: context => connect(context)',
  'connect: context => ({ context, json: request => connect(context).json(request) })'
)

/** Replaces getProduct by code that can also use `secret`. */
export const leaky = (code: string): Spoil =>
  all(withContext, product(`const secret = client.context.credentials.apiKey\n${code}`))

/** Runs this code when the platform has no such order. */
export const missingOrder = (code: string): Spoil =>
  replace(
    /client\.json\(.*'orders\/'.*\)/,
    `$&.catch(error => { if (error.status === 404) { ${code} }\nthrow error })`
  )
