import { escapeUnprintable } from '@linker/sdk/host/text'
import { InvalidArgumentError, type Command } from 'commander'
import { createInterface } from 'node:readline/promises'
import type { ShownJob } from '../jobs/show-jobs.ts'
import type { FoundOffer } from '../offers/reconcile/describe-found.ts'
import type { OfferView } from '../offers/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { findOffer, offerArgument } from './find-offer.ts'
import { followJob } from './follow-job.ts'
import { formatFound } from './format-found.ts'
import { createHubClient, HubError, type HubClient, type HubOptions } from './hub-client.ts'
import { parsePrice } from './parse-price.ts'

interface LimitOptions extends HubOptions {
  buffer?: number
  maxListed?: number | 'none'
  json?: boolean
}

interface ChangeOptions extends HubOptions {
  price?: { amount: string, currency: string }
  title?: string
  yes?: boolean
  json?: boolean
}

/** `linker offers refresh`, `limit`, `change`, `unlink` and `end`. */
export function addOfferChanges (offers: Command, withHub: (command: Command) => Command): void {
  withHub(offers.command('refresh')
    .description('read an offer at its marketplace again, tell what is there, and write a wrong quantity again; ' +
      'exits with 1 when the job died')
    .argument(...offerArgument)
    .option('--json', 'print JSON'))
    .action(async (offer: string, options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findOffer(hub, offer, { isLinked: true })
      const { jobId } = await hub.call('POST', `/offers/${id}/refresh`) as { jobId: string }
      const job = await followJob(hub, jobId, createProgress(process.stderr))
      if (job.status === 'dead') process.exitCode = 1
      print(options.json === true ? JSON.stringify(job, null, 2) : describeRefresh(id, job))
    })

  withHub(offers.command('limit').description('change how much of the stock an offer shows')
    .argument(...offerArgument)
    .option('--buffer <pieces>', 'pieces of the stock that the offer does not show', parsePieces)
    .option('--max-listed <pieces>', 'largest quantity that it shows, or `none`', parseMost)
    .option('--json', 'print the offer as JSON'))
    .action(async (offer: string, { buffer, maxListed, json, ...options }: LimitOptions) => {
      if (buffer === undefined && maxListed === undefined) throw new HubError('give --buffer or --max-listed')
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findOffer(hub, offer, { isLinked: true })
      const limits = { buffer, maxListed: maxListed === 'none' ? null : maxListed }
      const changed = await hub.call('PATCH', `/offers/${id}`, limits) as OfferView
      const most = changed.maxListed === null ? 'no limit' : `at most ${changed.maxListed}`
      print(json === true ? JSON.stringify(changed, null, 2) : `${changed.id}  buffer ${changed.buffer}, ${most}`)
    })

  withHub(offers.command('change')
    .description('change the price or the title of an offer at its marketplace, and wait until it is done; exits ' +
      'with 1 when the job died')
    .argument(...offerArgument)
    .option('--price <price>', 'such as "12.90 EUR"', parsePrice)
    .option('--title <title>', 'the new title')
    .option('--yes', 'do not ask when the price changes by 30 % or more')
    .option('--json', 'print the job as JSON'))
    .action(async (offer: string, { price, title, yes, json, ...options }: ChangeOptions) => {
      if (price === undefined && title === undefined) throw new HubError('give --price or --title')
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findOffer(hub, offer, { isLinked: true })
      const change = (confirm?: true) => follow(hub, id, 'fields', { price, title, confirm })
      const job = await change(yes === true ? true : undefined).catch(async (error: unknown) => {
        if (!(error instanceof HubError) || error.problem?.code !== 'LNK_PRICE_NOT_CONFIRMED') throw error
        if (!await isConfirmed(error.problem.detail ?? '')) {
          throw new HubError(`nothing was changed: ${error.message}; on the command line: --yes`, { cause: error })
        }
        return change(true)
      })
      printJob(job, json)
    })

  withHub(offers.command('unlink')
    .description('stop an offer from following the stock of its variant; nothing changes at the marketplace')
    .argument(...offerArgument)
    .option('--json', 'print the offer as it was before, as JSON'))
    .action(async (offer: string, options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findOffer(hub, offer, { isLinked: true })
      const before = await hub.call('GET', `/offers/${id}`) as OfferView
      await hub.call('DELETE', `/offers/${id}`)
      if (options.json === true) print(JSON.stringify(before, null, 2))
      else print(escapeUnprintable(`${id}  unlinked '${before.externalId}'; nothing changes at the marketplace`))
    })

  withHub(offers.command('end')
    .description('take an offer off its marketplace, and wait until it is done; exits with 1 when the job died')
    .argument(...offerArgument)
    .option('--json', 'print the job as JSON'))
    .action(async (offer: string, options: HubOptions & { json?: boolean }) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const id = await findOffer(hub, offer, { isLinked: true })
      printJob(await follow(hub, id, 'end'), options.json)
    })
}

/** Asks the person at the terminal. Without a terminal, nobody confirms. */
async function isConfirmed (detail: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${escapeUnprintable(detail)}\nChange it? [y/N] `)
  terminal.close()
  return /^y(?:es)?$/i.test(answer.trim())
}

/** Starts a command on an offer and waits for its job. */
async function follow (hub: HubClient, id: string, action: 'fields' | 'end', body?: object): Promise<ShownJob> {
  const { connectionId } = await hub.call('GET', `/offers/${id}`) as OfferView
  const { jobId } = await hub.call('POST', `/listings/connections/${connectionId}/offers/${id}/${action}`, body) as {
    jobId: string
  }
  return followJob(hub, jobId, createProgress(process.stderr))
}

function printJob (job: ShownJob, asJson = false): void {
  if (job.status === 'dead') process.exitCode = 1
  print(asJson ? JSON.stringify(job, null, 2) : `${job.id}  ${describeEnd(job)}`)
}

function describeRefresh (id: string, job: ShownJob): string {
  const line = `${job.id}  ${describeEnd(job)}`
  const { result } = job
  return typeof result === 'object' && result !== null && 'found' in result
    ? `${line}\n\n${formatFound(id, result.found as FoundOffer)}`
    : line
}

function describeEnd ({ status, problem, waitsFor, result }: ShownJob): string {
  if (problem !== null) return `${status}: ${escapeUnprintable(`${problem.code}: ${problem.message}`)}`
  if (waitsFor !== null) return `${status}: ${escapeUnprintable(waitsFor.detail)}`
  const skipped = typeof result === 'object' && result !== null && 'skipped' in result
    ? `: ${String(result.skipped)}`
    : ''
  return `${status}${skipped}`
}

function parsePieces (text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('must be a number of pieces, 0 or more')
  return Number(text)
}

// Not null for `none`: commander replaces null by an empty text.
function parseMost (text: string): number | 'none' {
  return text === 'none' ? text : parsePieces(text)
}
