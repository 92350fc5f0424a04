import { escapeUnprintable } from '@linker/sdk/host/text'
import { InvalidArgumentError, type Command } from 'commander'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AdapterView } from '../adapters/view.ts'
import type { AuditView } from '../audit/schemas.ts'
import type { ConnectionView } from '../connections/schemas.ts'
import { print, printError } from '../terminal/print.ts'
import { isUuid } from '../text-patterns.ts'
import { canAuthoriseAgain, fillForm, type FilledForm } from './authorisation-form.ts'
import { findConnection, refuseTakenName } from './connection-name.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { askSecret, readSecret } from './read-secret.ts'
import { describeTakeOver } from './take-over.ts'

interface AuthoriseOptions extends HubOptions {
  name?: string
  set: ReadonlyMap<string, string>
  secret: ReadonlyMap<string, string>
  wait: boolean
  timeout: number
  json?: boolean
}

const none: ReadonlyMap<string, string> = new Map()
const longestSeconds = 86_400
const pollMs = 1_000
/** The exit code when the authorisation was begun and did not end in time. */
const notEnded = 2

/** `linker connections authorise`. */
export function addAuthorise (connections: Command, withHub: (command: Command) => Command): void {
  withHub(connections.command('authorise')
    .description('begin the authorisation of an account in a browser, print the address to open, and wait for the ' +
      `connection; exits with ${notEnded} when it does not come in time`)
    .argument('<account>', 'with --name: platform type; otherwise the name or id of a connection to authorise again')
    .option('--name <name>', 'display name of the new connection, which no other connection has')
    .option('--set <member=value>', 'member of the form of the platform; may be repeated', addPair, none)
    .option('--secret <member=file>', 'the same for a secret, from a file; `-` reads standard input', addPair, none)
    .option('--no-wait', 'end when the address is printed')
    .option('--timeout <seconds>', 'how long to wait for the connection', parseSeconds, 600)
    .option('--json', 'print JSON'))
    .action(async (account: string, options: AuthoriseOptions) => {
      await authorise(await createHubClient(process.env, process.cwd(), options), account, options)
    })
}

async function authorise (hub: HubClient, account: string, options: AuthoriseOptions): Promise<void> {
  const { name, set, secret, wait, timeout, json = false } = options
  const adapters = await hub.call('GET', '/adapters') as AdapterView[]
  const connection = name === undefined ? await findAgain(hub, adapters, account) : undefined
  const { path, schema, adapterKey } = findAuthorisation(adapters, connection?.platformType ?? account, account)
  if (connection !== undefined && !canAuthoriseAgain(schema)) {
    throw new HubError(`an account of ${connection.platformType} cannot be authorised again`)
  }
  const form = fillForm(schema, {
    texts: set,
    secrets: new Set(secret.keys()),
    canAsk: process.stdin.isTTY && process.stderr.isTTY,
    known: connection === undefined
      ? { connectionName: name }
      : { ...connection.config, connectionName: connection.name, connectionId: connection.id }
  })
  // Nobody should type a secret for a name that is then refused.
  if (name !== undefined) await refuseTakenName(hub, name)
  const body = { ...form.values, ...await readSecrets(form, secret) }
  const end = createEnd(hub, { adapterKey, name, connection })
  const known = new Set((await end.list()).map(({ id }) => id))
  const authorizationUrl = addressOf(await hub.call('POST', path, body))
  if (!wait) {
    print(json ? JSON.stringify({ authorizationUrl, connection: null }, null, 2) : authorizationUrl)
    return
  }
  if (json) printError(authorizationUrl)
  else print(authorizationUrl)
  printError('Open this address in a browser and log in with the account. Waiting for the connection …')
  const ended = await end.wait(known, timeout)
  if (ended === undefined) {
    printError(`linker: the authorisation did not end within ${timeout} seconds. If the browser shows an error, ` +
      'correct its cause and run this command again. If the page is still open, you can go on: ' +
      '`linker connections list` shows the connection')
    process.exitCode = notEnded
    return
  }
  print(json ? JSON.stringify({ authorizationUrl, connection: ended }, null, 2) : `${ended.id}  ${ended.name}`)
  for (const hint of await describeTakeOver(hub, ended)) printError(hint)
}

/** Reads the connection that is authorised again. */
async function findAgain (
  hub: HubClient,
  adapters: readonly AdapterView[],
  account: string
): Promise<ConnectionView> {
  const id = await findConnection(hub, account).catch((error: unknown) => {
    throw error instanceof HubError && adapters.some(({ platformType }) => platformType === account)
      ? new HubError(`${error.message}\n  for a new connection to ${account}, add --name`, { cause: error })
      : error
  })
  return await hub.call('GET', `/connections/${encodeURIComponent(id)}`) as ConnectionView
}

/** Finds the authorisation of the platform's default version, which serves its route. */
function findAuthorisation (
  adapters: readonly AdapterView[],
  platformType: string,
  account: string
): NonNullable<AdapterView['authorisation']> & { adapterKey: string } {
  const serving = adapters.filter(({ isDefault }) => isDefault)
  const { adapterKey, authorisation } = serving.find(adapter => adapter.platformType === platformType) ?? {}
  if (authorisation !== undefined && authorisation !== null && typeof adapterKey === 'string') {
    return { ...authorisation, adapterKey }
  }
  const able = serving.filter(adapter => adapter.authorisation !== null).map(adapter => adapter.platformType)
  throw new HubError([
    adapterKey === undefined
      ? `no adapter serves the platform '${platformType}'`
      : `an account of ${platformType} is not authorised in a browser: enter its credentials instead`,
    `platforms with an authorisation: ${able.join(', ') || 'none'}`,
    ...isUuid(account) || account === platformType ? [] : [`'${account}' is a connection to ${platformType}`]
  ].join('; '))
}

async function readSecrets (
  { asked }: FilledForm,
  files: ReadonlyMap<string, string>
): Promise<Record<string, string>> {
  if ([...files.values()].filter(path => path === '-').length > 1) {
    throw new HubError('standard input holds one secret: give the others from files')
  }
  const secrets: [string, string][] = []
  for (const [name, path] of files) secrets.push([name, await readSecret(name, path, process.stdin)])
  for (const name of asked) {
    secrets.push([name, await askSecret(escapeUnprintable(name), { input: process.stdin, output: process.stderr })])
  }
  return Object.fromEntries(secrets)
}

function addressOf (answer: unknown): string {
  const { authorizationUrl } = (answer ?? {}) as { authorizationUrl?: unknown }
  const address = typeof authorizationUrl === 'string' ? URL.parse(authorizationUrl) : null
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new HubError('the adapter answered without the address of a page to open')
  }
  return address.href
}

interface Wanted {
  adapterKey: string
  name: string | undefined
  connection: ConnectionView | undefined
}

/**
 * Finds the end of an authorisation in the audit: the adapter, and no token, has created a
 * connection of the name, or has replaced the credentials of the connection.
 */
function createEnd (hub: HubClient, { adapterKey, name, connection }: Wanted) {
  const query = new URLSearchParams({
    limit: '200',
    ...connection === undefined
      ? { action: 'connection.create' }
      : { action: 'credentials.replace', connectionId: connection.id }
  })

  async function list (): Promise<AuditView[]> {
    const entries = await hub.call('GET', `/audit?${query}`) as AuditView[]
    return entries.filter(({ actor, objectName }) =>
      actor.kind === 'adapter' && actor.name.startsWith(`${adapterKey}@`) &&
      (connection !== undefined || objectName === name)
    )
  }

  async function look (known: ReadonlySet<string>): Promise<ConnectionView | undefined> {
    const entry = (await list()).find(({ id }) => !known.has(id))
    return entry === undefined
      ? undefined
      : await hub.call('GET', `/connections/${entry.connectionId ?? ''}`) as ConnectionView
  }

  return {
    /** The ends of earlier authorisations. */
    list,
    /** Waits for an end that is not known yet. Answers undefined when it does not come in time. */
    async wait (known: ReadonlySet<string>, seconds: number): Promise<ConnectionView | undefined> {
      const until = Date.now() + seconds * 1_000
      for (;;) {
        const found = await look(known).catch((error: unknown) => {
          // The hub may restart while the browser is open.
          if (error instanceof HubError && error.notAsked === 'unreachable') return undefined
          throw error
        })
        if (found !== undefined || Date.now() >= until) return found
        await sleep(pollMs)
      }
    }
  }
}

function addPair (given: string, pairs: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('It must be member=value.')
  if (pairs.has(name)) throw new InvalidArgumentError(`'${name}' is given twice.`)
  return new Map([...pairs, [name, value]])
}

function parseSeconds (text: string): number {
  const seconds = Number(text)
  if (!(Number.isInteger(seconds) && seconds >= 1 && seconds <= longestSeconds)) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${longestSeconds}.`)
  }
  return seconds
}
