import semver from 'semver'
import { pickVersion } from '../../adapters/registry.ts'
import type { Config } from '../../config.ts'
import type { Pause } from '../../connections/pauses/schemas.ts'
import type { EventJob } from '../../diagnostics/facts.ts'
import { isReadOften, type Reading } from '../../diagnostics/webhook-findings.ts'
import { secretNamesOf } from '../../webhooks/secrets.ts'
import { describePause } from '../pauses.ts'
import { failed, ok, warning, type Finding } from './finding.ts'

/** An adapter as a running hub or a scan reports it. */
export interface AdapterFact {
  packageName: string
  adapterKey: string | null
  platformType: string | null
  version: string | null
  state: string
  isDefault: boolean
  /** How its webhooks are authenticated; null when it takes none. */
  webhooks: string | null
  /** The events of its platform that start jobs. Only a scan tells them. */
  eventJobs?: readonly EventJob[]
  error?: { code: string, message: string } | undefined
  /** The text in which its author says what to use in its place. */
  deprecated?: string | undefined
  /** Only a running hub tells: its folder holds newer code. */
  changed?: { message: string, remedy: string } | undefined
}

/** A connection as a running hub or the database reports it. */
export interface ConnectionFact {
  id: string
  name: string
  platformType: string
  status: string
  statusReason: string | null
  adapterKey: string
  adapterVersion: string | null
  capabilities: readonly string[]
  /** Those of the running hub or, without one, of its next start. */
  schedules: Reading['schedules']
  /** A running hub reports this. Without a hub, the database and the environment tell. */
  webhooksConfigured?: boolean
  /** Whether the database holds a webhook secret of it. Absent when nobody looked. */
  hasStoredSecret?: boolean
  /** Absent when the database is too old to have pauses. */
  pauses?: readonly Pause[]
}

const serving = new Set(['ready', 'degraded'])

export function checkAdapters (
  adapters: readonly AdapterFact[],
  defaults: Readonly<Record<string, string>>
): Finding[] {
  if (adapters.length === 0) return [warning('adapters', 'none is installed', 'linker add <package>')]
  return [...adapters.map(describeAdapter), ...checkDefaults(adapters, defaults)]
}

/**
 * Finds adapters that serve in the running hub and would not serve after the next start, and the
 * other way round. Finds those whose folder holds newer code than the hub serves.
 */
export function compareAdapters (next: readonly AdapterFact[], running: readonly AdapterFact[]): Finding[] {
  const [now, then] = [servedOf(running), servedOf(next)]
  return [
    ...[...now].filter(name => !then.has(name)).map(name =>
      failed(
        'adapter',
        `the running hub has ${name}; the next start would not load it`,
        'install it again, or move its connections'
      )
    ),
    ...[...then].filter(name => !now.has(name)).map(name =>
      warning(
        'adapter',
        `the running hub does not have ${name}; the next start would load it`,
        'restart the hub'
      )
    ),
    ...running.flatMap(({ adapterKey, version, changed }) =>
      changed === undefined
        ? []
        : [
          warning(
            'adapter',
            `the running hub serves older code of ${adapterKey ?? ''}@${version ?? ''}: ${changed.message}`,
            changed.remedy
          )
        ]
    )
  ]
}

function servedOf (adapters: readonly AdapterFact[]): Set<string> {
  return new Set(adapters.filter(({ state }) => serving.has(state)).map(({ adapterKey, version }) =>
    `${adapterKey ?? ''}@${version ?? ''}`
  ))
}

function describeAdapter ({ packageName, adapterKey, version, state, error, deprecated }: AdapterFact): Finding {
  const name = adapterKey === null ? packageName : `${adapterKey}@${version ?? ''}`
  if (state === 'ready' && deprecated !== undefined) {
    return warning('adapter', `${name} is ready, but deprecated: ${deprecated}`, 'move its connections, then remove it')
  }
  if (state === 'ready') return ok('adapter', `${name} is ready`)
  const message = `${name} is ${state}${error === undefined ? '' : `. ${error.code}: ${error.message}`}`
  return serving.has(state)
    ? warning('adapter', message, 'see the log of the hub')
    : failed('adapter', message, 'correct or remove the adapter; see docs/adapters.md of @linker/runtime')
}

function checkDefaults (adapters: readonly AdapterFact[], defaults: Readonly<Record<string, string>>): Finding[] {
  const served = adapters.filter(({ state }) => serving.has(state))
  const unknown = Object.entries(defaults).filter(([, key]) => !served.some(({ adapterKey }) => adapterKey === key))
  const byPlatform = Map.groupBy(served, ({ platformType }) => platformType)
  const ambiguous = [...byPlatform].filter(([platform, ofPlatform]) =>
    !Object.hasOwn(defaults, platform ?? '') && !ofPlatform.some(({ isDefault }) => isDefault)
  )
  return [
    ...unknown.map(([platform, key]) =>
      failed(
        'defaults',
        `the default of '${platform}' is ${key}, but no loaded adapter has this key`,
        'correct `defaults` in linker.config.json'
      )
    ),
    ...ambiguous.map(([platform, ofPlatform]) =>
      warning(
        'defaults',
        `no loaded adapter is the default of '${platform}': ${
          [...new Set(ofPlatform.map(({ adapterKey }) => adapterKey))].join(', ')
        }`,
        'set one in `defaults` of linker.config.json, or an `adapterKey` for each connection'
      )
    )
  ]
}

export function checkConnections (
  connections: readonly ConnectionFact[],
  adapters: readonly AdapterFact[],
  webhookSecrets: Config['webhookSecrets']
): Finding[] {
  const wanted = connections.filter(({ status }) => status !== 'disabled')
  const problems = wanted.flatMap(connection => checkConnection(connection, adapters, webhookSecrets))
  return [
    ...(problems.length === 0
      ? [ok('connections', `${wanted.length} of ${connections.length} enabled, all with their adapter`)]
      : problems),
    ...wanted.flatMap(describePauses)
  ]
}

/** A pause may be forgotten, be it with an end or without. */
function describePauses ({ id, name, pauses = [] }: ConnectionFact): Finding[] {
  return pauses.map(pause =>
    warning(
      'connection',
      `${name} (${id}) is ${describePause(pause)}; its jobs wait`,
      `linker connections resume ${id}${pause.capability === null ? '' : ` --capability ${pause.capability}`}`
    )
  )
}

function checkConnection (
  connection: ConnectionFact,
  adapters: readonly AdapterFact[],
  webhookSecrets: Config['webhookSecrets']
): Finding[] {
  const { id, name, adapterKey, adapterVersion, status, statusReason, schedules, capabilities } = connection
  const ofKey = adapters.filter(adapter => adapter.adapterKey === adapterKey && serving.has(adapter.state))
  const title = `${name} (${id})`
  const adapter = pickVersion(
    ofKey.flatMap(adapter => adapter.version === null ? [] : [{ ...adapter, version: adapter.version }])
      .toSorted((a, b) => semver.rcompare(a.version, b.version)),
    adapterVersion ?? 'latest'
  )
  if (adapter === undefined) {
    const there = ofKey.length === 0
      ? 'which is not loaded'
      : `but only ${ofKey.map(({ version }) => version).join(', ')} is loaded`
    return [
      failed(
        'connection',
        `${title} needs ${adapterKey}@${adapterVersion ?? 'latest'}, ${there}: its jobs wait`,
        'install that version; the hub then runs the jobs'
      )
    ]
  }
  const { webhooks, eventJobs = [] } = adapter
  const needsSecret = webhooks !== null && !isReadOften({ schedules, capabilities, eventJobs })
  return [
    ...(status === 'error'
      ? [warning('connection', `${title} is in error: ${statusReason ?? 'no reason'}`, `linker connections test ${id}`)]
      : []),
    ...(needsSecret && !hasSecret(connection, webhookSecrets)
      ? [
        warning(
          'connection',
          `${title} accepts no webhooks: it has no secret`,
          `set ${secretNamesOf(connection).join(' or ')}`
        )
      ]
      : [])
  ]
}

function hasSecret (connection: ConnectionFact, webhookSecrets: Config['webhookSecrets']): boolean {
  const { webhooksConfigured, hasStoredSecret = false } = connection
  if (webhooksConfigured !== undefined) return webhooksConfigured
  return hasStoredSecret || secretNamesOf(connection).some(name => webhookSecrets.has(name))
}
