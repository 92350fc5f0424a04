import type { Pause } from '../connections/pauses/schemas.ts'
import { argumentOf, endSentence } from '../words.ts'
import { directionOfCapability } from './directions.ts'
import type { ConnectionFacts, Facts } from './facts.ts'
import type { Finding } from './schemas.ts'

/** Finds what stops a connection as a whole, or one of its capabilities. */
export function findConnectionProblems (facts: Facts): Finding[] {
  return [
    ...findStatus(facts),
    ...findAdapter(facts),
    ...findCredentials(facts),
    ...facts.connection.pauses.map(pause => describePause(facts.connection, pause)),
    ...findMove(facts)
  ]
}

function findStatus ({ connection, adapter: { isAuthorised } }: Facts): Finding[] {
  const { id, name, status, statusReason, statusChange } = connection
  const by = statusChange === undefined ? '' : ` by ${statusChange.by.name} at ${statusChange.at}`
  const since = statusChange === undefined ? '' : ` since ${statusChange.at}`
  const all = {
    severity: 'blocking',
    direction: 'both',
    ...(statusChange === undefined ? {} : { since: statusChange.at, evidence: { at: statusChange.at } })
  } as const
  switch (status) {
    case 'deleted':
      return [{
        code: 'connection-deleted',
        ...all,
        title: 'The connection is deleted',
        detail: sentence(`'${name}' was deleted${by}`),
        nextAction: 'Create it again with `linker connections create`, because nothing restores it; ' +
          `\`linker audit --connection ${id} --action connection.delete\` has its settings.`
      }]
    case 'disabled':
      return [{
        code: 'connection-disabled',
        ...all,
        title: 'The connection is disabled',
        detail: statusReason === null
          ? sentence(`'${name}' was disabled${by}`, 'its webhooks are refused and its jobs wait')
          : `${sentence(`'${name}' was disabled${by}`, statusReason)} Its webhooks are refused and its jobs wait.`,
        nextAction: `Enable it: \`linker connections enable ${argumentOf(connection)}\`.`
      }]
    case 'error':
      return [{
        code: 'connection-error',
        ...all,
        title: 'The platform refuses the connection',
        detail: sentence(`'${name}' is in error${since}`, statusReason),
        nextAction: isAuthorised
          ? `Authorise it again: \`linker connections authorise ${argumentOf(connection)}\`.`
          : `Give it new credentials: \`linker connections credentials ${argumentOf(connection)}\`; when the old ` +
            `ones are right, \`linker connections test ${argumentOf(connection)}\` makes it active again.`
      }]
    case 'active':
      return []
  }
}

function findAdapter ({ connection, adapter }: Facts): Finding[] {
  const { adapterKey, adapterVersion, status } = connection
  const { state, message, isolation, loadedVersions: [newest] } = adapter
  if (status === 'deleted' || state === 'ready') return []
  const name = `${adapterKey}@${adapterVersion ?? 'latest'}`
  const all = { direction: 'both' } as const
  const move = (version: string): string => `\`linker connections move ${argumentOf(connection)} --to ${version}\``
  switch (state) {
    case 'missing':
      return [{
        code: 'adapter-missing',
        severity: 'blocking',
        ...all,
        title: 'Its adapter is not loaded',
        detail: sentence(`${name} serves '${connection.name}' and is not loaded`, message),
        nextAction: 'Install it with `linker add <package>` and restart the hub' +
          (newest === undefined ? '.' : `, or use the loaded version: ${move(newest)}.`)
      }]
    case 'crashed':
      return [{
        code: 'adapter-crashed',
        severity: 'blocking',
        ...all,
        title: 'Its adapter has stopped',
        detail: sentence(`${name} is not available any more`, message),
        nextAction: `Restart the hub, or move to another version: ${move('<version>')}.`
      }]
    case 'degraded':
      return [{
        code: 'adapter-degraded',
        severity: 'warning',
        ...all,
        title: 'Its adapter crashed lately',
        detail: `${name} crashed within the last minutes and was started again${
          isolation === 'worker' ? ', in its own thread' : ''
        }.`,
        nextAction: 'Read why in the log of the hub; `GET /adapters` shows its state.'
      }]
  }
}

function findCredentials ({ connection, credentials, adapter: { isAuthorised } }: Facts): Finding[] {
  const give = isAuthorised
    ? `linker connections authorise ${argumentOf(connection)}`
    : `linker connections credentials ${argumentOf(connection)}`
  const all = { severity: 'blocking', direction: 'both' } as const
  switch (credentials.state) {
    case 'missing':
      return [{
        code: 'credentials-missing',
        ...all,
        title: 'It has no credentials',
        detail: `The hub has no credentials for '${connection.name}', and its adapter needs some.`,
        nextAction: `Give them: \`${give}\`.`
      }]
    case 'unreadable':
      return [{
        code: 'credentials-unreadable',
        ...all,
        title: 'Its credentials cannot be read',
        detail: sentence(`The hub cannot read the credentials of '${connection.name}'`, credentials.message),
        nextAction: `Add the key to LINKER_CREDENTIALS_KEY and restart the hub, or give them again: \`${give}\`.`
      }]
    default:
      return []
  }
}

function describePause (connection: ConnectionFacts, { capability, reason, until, since, by }: Pause): Finding {
  const others = connection.capabilities.filter(name => !connection.pauses.some(pause => pause.capability === name))
  const how = `by ${by.name} at ${since} until ${until ?? 'somebody resumes it'}`
  const resume = `linker connections resume ${argumentOf(connection)}`
  const times = { since, evidence: { at: since } }
  if (capability === null) {
    return {
      code: 'connection-paused',
      severity: 'blocking',
      direction: 'both',
      title: 'The connection is paused',
      detail: sentence(`'${connection.name}' was paused ${how}`, reason),
      ...times,
      nextAction: `Resume it: \`${resume}\`.`
    }
  }
  return {
    code: 'capability-paused',
    severity: others.length === 0 ? 'blocking' : 'warning',
    direction: directionOfCapability(capability),
    title: `${capability} is paused`,
    detail: sentence(`${capability} of '${connection.name}' was paused ${how}`, reason),
    ...times,
    nextAction: `Resume it: \`${resume} --capability ${capability}\`.`
  }
}

function findMove ({ connection }: Facts): Finding[] {
  if (!connection.isMoving) return []
  return [{
    code: 'connection-moving',
    severity: 'warning',
    direction: 'both',
    title: 'The connection is being moved',
    detail: `'${connection.name}' is being moved to another adapter version, or one of its cursors is being changed; ` +
      'its jobs go on after that.',
    nextAction: `Wait a minute; \`linker connections moves ${argumentOf(connection)}\` lists the moves.`
  }]
}

/** Makes a sentence of a claim and, when it is known, the reason. */
function sentence (claim: string, reason: string | null = null): string {
  return endSentence(reason === null ? claim : `${claim}: ${reason}`)
}
