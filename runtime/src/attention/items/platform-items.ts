import { describePart } from '../../upstream/describe.ts'
import type { BreakerEvidence, RestEvidence } from '../../upstream/evidence.ts'
import {
  adviseOnUnknown,
  needPerson,
  replayEndOf,
  type UnknownEvents
} from '../../webhooks/deliveries/unknown-events.ts'
import { findInstallDoubt } from '../../webhooks/install-doubt.ts'
import { isDoubtful, ownFaults } from '../../webhooks/refusals/blame.ts'
import { remedyOf } from '../../webhooks/refusals/remedies.ts'
import type { RefusalRow } from '../../webhooks/refusals/store.ts'
import type { DoubtfulInstall } from '../../webhooks/store.ts'
import { argumentOf, countOf, describeLength, endSentence } from '../../words.ts'
import type { AttentionItem } from '../schemas.ts'
import { newItem, shortText, type Names } from './new-item.ts'

const longOpenMs = 900_000

/** A circuit breaker that is not closed. Its failure holds no secrets. */
export interface OpenBreaker extends BreakerEvidence {
  connectionId: string
}

/** A long rest. Its reason holds no secrets. */
export interface LongRest extends RestEvidence {
  connectionId: string
}

export function breakerItems (breakers: readonly OpenBreaker[], names: Names, nowMs: number): AttentionItem[] {
  return breakers.flatMap(({ connectionId, area, openedAt, failure }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    const ageMs = Math.max(0, nowMs - openedAt)
    return [newItem({
      kind: 'breaker-open',
      severity: ageMs < longOpenMs ? 'warning' : 'error',
      since: new Date(openedAt).toISOString(),
      connection,
      ...(area === undefined ? {} : { of: area }),
      title: `The platform of '${connection.name}' does not work${inArea(area)}`,
      detail:
        `${
          endSentence(`Calls of '${connection.name}'${inArea(area)} have failed for ${
            describeLength(ageMs)
          }, the last with ` +
            shortText(failure))
        } The hub tries again by itself; \`linker connections test ` +
        `${argumentOf(connection)}\` tries at once, and the jobs go on if the platform works.`,
      target: `/connections/${connectionId}/upstream`
    })]
  })
}

function inArea (area: string | undefined): string {
  return area === undefined ? '' : ` in its area '${area}'`
}

export function restItems (rests: readonly LongRest[], names: Names): AttentionItem[] {
  return rests.flatMap(({ connectionId, area, since, until, reason, isAway }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    const name = argumentOf(connection)
    const others = area === undefined ? '' : `; those that need only the rest of the platform go on`
    return [newItem({
      kind: 'platform-resting',
      severity: 'warning',
      since: new Date(since).toISOString(),
      connection,
      ...(area === undefined ? {} : { of: area }),
      title: `The platform of '${connection.name}' ${isAway ? 'is away' : 'asked for a rest'}: ${shortText(reason)}`,
      detail:
        `The jobs of '${connection.name}' that need ${describePart(area)} wait${others}. The hub tries again at ` +
        `${new Date(until).toISOString()}, and by itself after that; \`linker connections upstream reset ${name}\` ` +
        'tries at once.',
      target: `/connections/${connectionId}/upstream`
    })]
  })
}

/** Refusals of webhooks are shown for so long, unless one is accepted before. */
export const refusedMs = 86_400_000

/** Makes an item of each kind of refusal after which no webhook of the connection was accepted. */
export function refusedWebhookItems (
  refusals: readonly RefusalRow[],
  lastDeliveries: ReadonlyMap<string, string>,
  names: Names
): AttentionItem[] {
  return refusals.flatMap(({ connectionId, code, count, firstAt, lastAt, lastDetail }) => {
    const connection = names.get(connectionId)
    const accepted = lastDeliveries.get(connectionId) ?? null
    const isOver = accepted !== null && accepted >= lastAt
    if (connection === undefined || isOver || ownFaults.has(code) || isDoubtful(code, accepted)) return []
    const said = lastDetail === null ? '' : `, with the answer: ${shortText(lastDetail)}`
    // The count is that of all refusals since the first one.
    const isCounted = accepted === null || accepted <= firstAt
    const webhooks = isCounted ? countOf(count, 'webhook') : 'Webhooks'
    return [newItem({
      kind: 'refused-webhooks',
      severity: 'error',
      since: isCounted ? firstAt : accepted,
      count: isCounted ? count : 1,
      connection,
      code,
      of: code,
      title: `The hub refuses the webhooks of '${connection.name}'`,
      detail: `${
        endSentence(`${webhooks} of '${connection.name}' ${
          isCounted && count === 1 ? 'was' : 'were'
        } refused and none was accepted since, the last at ${lastAt}${said}`)
      } ${remedyOf(code)} \`linker deliveries refusals ${argumentOf(connection)}\` lists them.`,
      target: `/connections/${connectionId}/diagnostics`
    })]
  })
}

/** Installs after which webhooks may not arrive. Their texts hold no secrets. */
export function unreachedWebhookItems (
  installs: readonly DoubtfulInstall[],
  lastDeliveries: ReadonlyMap<string, string>,
  names: Names
): AttentionItem[] {
  return installs.flatMap(({ connectionId, ...outcome }) => {
    const connection = names.get(connectionId)
    const doubt = findInstallDoubt(outcome, [lastDeliveries.get(connectionId) ?? null])
    if (connection === undefined || doubt === undefined) return []
    const { since, isAddressDoubtful, reasons } = doubt
    const said = isAddressDoubtful ? 'the test event of the hub did not arrive' : 'the install ended with a warning'
    return [newItem({
      kind: 'unreached-webhooks',
      severity: 'warning',
      since,
      connection,
      title: isAddressDoubtful
        ? `The test event of '${connection.name}' did not arrive`
        : `The last install of webhooks of '${connection.name}' ended with a warning`,
      detail: `${
        endSentence(`No webhook of '${connection.name}' has come since the last install, and ${said}: ` +
          shortText(reasons.join('; ')))
      } \`linker connections diagnose ` +
        `${argumentOf(connection)}\` says what to do.`,
      target: `/connections/${connectionId}/diagnostics`
    })]
  })
}

/** A platform that used to send webhooks and has sent none for so long is worth a look. */
export const silentMs = 7 * 86_400_000

export function silentWebhookItems (
  silent: readonly { connectionId: string, since: string }[],
  names: Names,
  nowMs: number
): AttentionItem[] {
  return silent.flatMap(({ connectionId, since }) => {
    const connection = names.get(connectionId)
    if (connection === undefined) return []
    return [newItem({
      kind: 'silent-webhooks',
      severity: 'warning',
      since,
      connection,
      title: `No webhook of '${connection.name}' came lately`,
      detail: `The last webhook of '${connection.name}' came ${describeLength(nowMs - Date.parse(since))} ago; ` +
        `\`linker connections diagnose ${argumentOf(connection)}\` says what may keep them from arriving.`,
      target: `/connections/${connectionId}/diagnostics`
    })]
  })
}

const mostNamed = 3

/** Events of types that no installed version knows, and that came once or twice, are left out. */
export function ignoredEventItems (
  byConnection: ReadonlyMap<string, readonly UnknownEvents[]>,
  names: Names
): AttentionItem[] {
  return [...byConnection].flatMap(([connectionId, ofTypes]) => {
    const connection = names.get(connectionId)
    const found = ofTypes.filter(needPerson)
    const since = found.map(({ firstAt }) => firstAt).toSorted()[0]
    if (connection === undefined || since === undefined) return []
    const count = found.reduce((sum, events) => sum + events.count, 0)
    return [newItem({
      kind: 'ignored-events',
      severity: 'warning',
      since,
      count,
      connection,
      title: `${countOf(count, 'event')} of '${connection.name}' started no job`,
      detail: `The hub accepted ${countOf(count, 'event')} of '${connection.name}' and knew no job for ` +
        `${nameTypes(found)}; the first can be replayed until ${replayEndOf(found)}. ${
          adviseOnUnknown(connection, found)
        }`,
      target: `/webhook-deliveries?status=ignored&connectionId=${connectionId}`
    })]
  })
}

function nameTypes (found: readonly UnknownEvents[]): string {
  const named = found.slice(0, mostNamed).map(({ eventType, count }) => `'${shortText(eventType)}' (${count})`)
  const left = found.length - named.length
  return `${named.join(', ')}${left > 0 ? ` and ${countOf(left, 'more type')}` : ''}`
}
