import type { ScheduleView } from '../schedules/schemas.ts'
import { parseEvery } from '../schedules/slots.ts'
import { adviseOnUnknown, needPerson, replayEndOf } from '../webhooks/deliveries/unknown-events.ts'
import { findInstallDoubt } from '../webhooks/install-doubt.ts'
import { isDoubtful, ownFaults } from '../webhooks/refusals/blame.ts'
import type { RefusalView } from '../webhooks/refusals/schemas.ts'
import { argumentOf, countOf, describeLength, endSentence } from '../words.ts'
import { hasCapabilityFor, readersOf } from './directions.ts'
import { ageOf, type EventJob, type Facts, type WebhookFacts } from './facts.ts'
import type { Finding } from './schemas.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A platform that sends nothing for so long may be quiet; after a week it is worth a look. */
const quietMs = dayMs
const silentMs = 7 * dayMs
/** A platform that is read so often needs no webhooks. */
const frequentMs = 300_000

/** Finds why webhooks of the platform do not arrive, or start nothing. */
export function findWebhookProblems (facts: Facts): Finding[] {
  const { webhooks, connection } = facts
  if (webhooks === null) return []
  const refused = webhooks.refusals
    .filter(refusal => isCurrent(facts, webhooks, refusal))
    .map(refusal => describeRefusal(facts, webhooks, refusal))
  // A disabled connection refuses its webhooks, so their absence says nothing.
  const absent = connection.status === 'disabled' ? [] : findAbsence(facts, webhooks, refused.length > 0)
  const elsewhere = connection.status === 'disabled' ? [] : findOtherAddress(facts, webhooks)
  return [...refused, ...absent, ...elsewhere, ...describeUnknown(facts, webhooks)]
}

/** Whether a refusal may still be a problem: it is fresh, or nothing was accepted after it. */
function isCurrent (facts: Facts, { lastDeliveryAt }: WebhookFacts, { lastAt }: RefusalView): boolean {
  return ageOf(facts, lastAt) < dayMs || lastDeliveryAt === null || lastDeliveryAt < lastAt
}

function describeRefusal (facts: Facts, webhooks: WebhookFacts, refusal: RefusalView): Finding {
  const { code, count, firstAt, lastAt, lastDetail, remedy } = refusal
  const said = lastDetail === null ? '' : `, with the answer: ${lastDetail}`
  return {
    code: 'webhooks-refused',
    severity: !ownFaults.has(code) && isOnlyRefused(webhooks, refusal) && !isDoubtful(code, webhooks.lastDeliveryAt)
      ? 'blocking'
      : 'warning',
    direction: 'in',
    title: `Webhooks are refused: ${code}`,
    detail: endSentence(`${countOf(count, 'webhook')} ${count === 1 ? 'was' : 'were'} refused with ${code} since ` +
      `${firstAt}, the last at ${lastAt}${said}`),
    since: firstAt,
    count,
    evidence: { at: lastAt },
    nextAction: `${remedy} \`linker deliveries refusals ${argumentOf(facts.connection)}\` lists the refusals.`
  }
}

/** Whether the platform seems to get nothing but refusals: none was accepted for an hour before. */
function isOnlyRefused ({ lastDeliveryAt }: WebhookFacts, { lastAt }: RefusalView): boolean {
  return lastDeliveryAt === null || Date.parse(lastAt) - Date.parse(lastDeliveryAt) > hourMs
}

function findAbsence (facts: Facts, webhooks: WebhookFacts, areRefused: boolean): Finding[] {
  const { lastDeliveryAt, webhooksConfigured, secretAgeSeconds } = webhooks
  // A missing adapter cannot say whether its platform sends webhooks at all.
  if (!webhooksConfigured) return facts.adapter.state === 'missing' ? [] : [describeMissing(facts, webhooks)]
  const unreached = findUnreached(facts, webhooks)
  if (unreached !== undefined) return [unreached]
  if (areRefused) return []
  if (lastDeliveryAt === null) {
    // A secret of the environment may be older than the connection, so its age says nothing.
    const setUpForMs = secretAgeSeconds === null ? ageOf(facts, facts.connection.createdAt) : secretAgeSeconds * 1_000
    return setUpForMs < hourMs ? [] : [describeNever(facts, webhooks)]
  }
  const ageMs = ageOf(facts, lastDeliveryAt)
  if (ageMs < quietMs) return []
  return [{
    code: 'webhooks-silent',
    severity: ageMs < silentMs ? 'info' : 'warning',
    direction: 'in',
    title: 'No webhook came lately',
    detail: `The last webhook came ${describeLength(ageMs)} ago, at ${lastDeliveryAt}.`,
    since: lastDeliveryAt,
    evidence: { at: lastDeliveryAt },
    nextAction: installAgain(facts, webhooks, 'Check whether the platform has changed since.')
  }]
}

/** The last install says that webhooks may not arrive, and nothing has come since. */
function findUnreached (facts: Facts, webhooks: WebhookFacts): Finding | undefined {
  const { testPingAt, testPingProblem, installWarning, installWarningAt, lastDeliveryAt, refusals } = webhooks
  const doubt = findInstallDoubt(
    { pingedAt: testPingAt, pingProblem: testPingProblem, installWarning, warnedAt: installWarningAt },
    [lastDeliveryAt, ...refusals.map(({ lastAt }) => lastAt)]
  )
  if (doubt === undefined) return undefined
  const { since, isAddressDoubtful, reasons } = doubt
  const install = `last webhook install of '${facts.connection.name}'`
  const finding = { code: 'webhooks-unreached', direction: 'in', since, evidence: { at: since } } as const
  if (!isAddressDoubtful) {
    return {
      ...finding,
      // An adapter may warn of something that does not keep webhooks from arriving.
      severity: 'warning',
      title: 'The last install of webhooks ended with a warning',
      detail: endSentence(`The ${install} ended with a warning at ${since}, and no webhook has come since: ` +
        reasons.join('; ')),
      nextAction: reachAddress(facts, webhooks)
    }
  }
  return {
    ...finding,
    severity: isReadInstead(facts, webhooks) ? 'warning' : 'blocking',
    title: 'The test event of the last install did not arrive',
    detail: endSentence(`The test event of the ${install} did not arrive at ${since}, and no webhook has come since: ` +
      reasons.join('; ')),
    nextAction: correctAddress(facts, webhooks)
  }
}

const endOfDoubt = 'This ends with the first webhook that arrives, too.'

function correctAddress ({ connection }: Facts, webhooks: WebhookFacts): string {
  const name = argumentOf(connection)
  if (!webhooks.canInstall) {
    return `Compare the address with the platform: \`linker webhook status ${name}\`. ${endOfDoubt}`
  }
  return `Correct the public address of this hub: ${
    addressCommand(name, webhooks)
  }. Then install the webhooks again: ` +
    `\`linker webhook install ${name}\`. ${endOfDoubt}`
}

/** The hub reached its own address, so the cause lies between the platform and that address. */
function reachAddress ({ connection }: Facts, { callbackUrl }: WebhookFacts): string {
  return `Check on the server of the platform that it reaches ${callbackUrl ?? 'the address of the hub'}: it must ` +
    'find its name (DNS), pass firewalls and proxies, and trust the authority (CA) of its certificate. Then install ' +
    `the webhooks again: \`linker webhook install ${argumentOf(connection)}\`. ${endOfDoubt}`
}

/**
 * The platform is given another address than the hub's own. That is no mistake when two addresses
 * lead to the hub, which webhooks that come prove.
 */
function findOtherAddress (facts: Facts, webhooks: WebhookFacts): Finding[] {
  const { callbackUrl, publicUrl, lastDeliveryAt, canInstall } = webhooks
  if (callbackUrl === null || publicUrl === null) return []
  const { origin } = new URL(callbackUrl)
  const ownOrigin = new URL(publicUrl).origin
  if (origin === ownOrigin) return []
  const name = argumentOf(facts.connection)
  const isProven = lastDeliveryAt !== null && ageOf(facts, lastDeliveryAt) < quietMs
  return [{
    code: 'webhooks-other-address',
    severity: isProven ? 'info' : 'warning',
    direction: 'in',
    title: 'The platform is given another address than that of the hub',
    detail: `The webhooks of '${facts.connection.name}' go to ${origin}, as \`callbackBaseUrl\` says, and ` +
      `LINKER_PUBLIC_URL of this hub is ${ownOrigin}.`,
    nextAction: `If ${origin} does not lead to this hub, correct it: ${addressCommand(name, webhooks)}. ${
      canInstall
        ? `Then install the webhooks again: \`linker webhook install ${name}\`.`
        : `Then give the platform the new address, which \`linker webhook status ${name}\` shows.`
    }`
  }]
}

function isReadInstead ({ schedules, connection: { capabilities } }: Facts, webhooks: WebhookFacts): boolean {
  return isReadOften({ ...webhooks, schedules, capabilities })
}

function describeMissing (facts: Facts, webhooks: WebhookFacts): Finding {
  return {
    code: 'webhooks-not-set-up',
    severity: isReadInstead(facts, webhooks) ? 'info' : 'warning',
    direction: 'in',
    title: 'Webhooks are not set up',
    detail: `The hub has no secret for webhooks of '${facts.connection.name}', so it learns of changes only when a ` +
      'schedule reads them.',
    nextAction: setUp(facts, webhooks)
  }
}

export interface Reading {
  schedules: readonly Pick<ScheduleView, 'enabled' | 'every' | 'job'>[]
  /** Those of the connection. */
  capabilities: readonly string[]
  eventJobs: readonly EventJob[]
}

/** Whether schedules often read everything that the webhooks of the platform would tell. */
export function isReadOften ({ schedules, capabilities, eventJobs }: Reading): boolean {
  const frequent = schedules.filter(({ enabled, every }) => enabled && parseEvery(every) <= frequentMs)
  const jobs = new Set(frequent.map(({ job }) => job))
  return eventJobs
    .filter(({ jobType }) => hasCapabilityFor(jobType, capabilities))
    .every(({ eventType, jobType }) => readersOf(eventType, jobType).some(reader => jobs.has(reader)))
}

function setUp ({ connection }: Facts, webhooks: WebhookFacts): string {
  const { canInstall, hasCallbackBaseUrl, secretVariable } = webhooks
  const name = argumentOf(connection)
  const install = `\`linker webhook install ${name}\``
  if (!canInstall) {
    return `Set ${secretVariable} and restart the hub; \`linker webhook status ${name}\` shows the result.`
  }
  // An install needs the public address of the hub.
  return hasCallbackBaseUrl
    ? `Set them up: ${install}.`
    : `Set the public address of this hub: ${addressCommand(name, webhooks)}. Then set up the webhooks: ${install}.`
}

function describeNever (facts: Facts, webhooks: WebhookFacts): Finding {
  return {
    code: 'webhooks-never',
    severity: 'warning',
    direction: 'in',
    title: 'No webhook ever came',
    detail: `Webhooks of '${facts.connection.name}' are set up, but none was ever accepted or refused.`,
    nextAction: installAgain(facts, webhooks, 'Check the address and the events that the platform has.')
  }
}

/** Says after what to check how the webhooks are installed again. */
function installAgain ({ connection }: Facts, webhooks: WebhookFacts, check: string): string {
  const { canInstall, hasCallbackBaseUrl } = webhooks
  const name = argumentOf(connection)
  const install = `\`linker webhook install ${name}\``
  if (!canInstall) {
    return `${check} \`linker webhook status ${name}\` shows what the hub knows; compare it with the platform.`
  }
  return hasCallbackBaseUrl
    ? `${check} ${install} installs the webhooks again and sends a test.`
    : `${check} To install the webhooks again, set the public address of this hub: ${
      addressCommand(name, webhooks)
    }. ` +
      `Then ${install} installs them and sends a test.`
}

function addressCommand (name: string, { publicUrl }: Pick<WebhookFacts, 'publicUrl'>): string {
  const address = publicUrl === null ? 'https://hub.example' : new URL(publicUrl).href.replace(/\/$/, '')
  return `\`linker connections edit ${name} --config callbackBaseUrl=${address}\``
}

function describeUnknown (facts: Facts, { unknownEvents }: WebhookFacts): Finding[] {
  const [most] = unknownEvents
  if (most === undefined) return []
  const count = unknownEvents.reduce((sum, events) => sum + events.count, 0)
  const types = unknownEvents.map(({ eventType }) => `'${eventType}'`).join(', ')
  return [{
    code: 'events-unknown',
    severity: unknownEvents.some(needPerson) ? 'warning' : 'info',
    direction: 'in',
    title: 'Accepted webhooks start nothing',
    detail: `${countOf(count, 'accepted event')} started no job, because the hub knew no job for the type, and ` +
      `${count === 1 ? 'was' : 'were'} not replayed: ${types}. The first can be replayed until ${
        replayEndOf(unknownEvents)
      }.`,
    count,
    evidence: { deliveryId: most.lastDeliveryId, at: most.lastAt },
    nextAction: adviseOnUnknown(facts.connection, unknownEvents)
  }]
}
