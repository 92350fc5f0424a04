import { escapeUnprintable } from '@linker/sdk/host/text'
import { Option, type Command } from 'commander'
import type { LinkSummary, MarketplaceOffer } from '../offers/marketplace/schemas.ts'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { countOf, shellWord } from '../words.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, HubError, type HubOptions } from './hub-client.ts'

interface MarketplaceOptions extends HubOptions {
  state?: string
  search?: string
  json?: boolean
}
interface LinkCertainOptions extends HubOptions {
  offer?: string[]
  search?: string
  dryRun?: boolean
  json?: boolean
}

const mostInSample = 10

const states = ['linked', 'unlinked', 'certain', 'ambiguous', 'none']

export function addMarketplaceOffers (offers: Command): void {
  withHub(offers.command('marketplace')
    .description('list the offers that a marketplace has, linked or not, with the variants that may be theirs')
    .argument(...connectionArgument)
    .addOption(new Option('--state <state>', 'linked; or unlinked: with a certain, an ambiguous or no variant')
      .choices(states))
    .option('--search <text>', 'only offers with this text in their title, id, reference, SKU or EAN')
    .option('--json', 'print JSON'))
    .action(async (connection: string, { state, search: q, json, ...options }: MarketplaceOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const path = `/connections/${await findConnection(hub, connection)}/marketplace-offers`
      const found = await hub.list(path, { state, q }) as MarketplaceOffer[]
      print(json === true ? JSON.stringify(found, null, 2) : formatFound(found, connection))
    })

  withHub(offers.command('link-certain')
    .description('link all offers of a marketplace whose variant is certain; exits with 1 when there is none')
    .argument(...connectionArgument)
    .option('--offer <id...>', 'only offers with these ids at the marketplace')
    .option('--search <text>', 'only offers with this text in their title, id, reference, SKU or EAN')
    .option('--dry-run', 'only tell what would be linked')
    .option('--json', 'print JSON'))
    .action(async (connection: string, { offer, search, dryRun = false, json, ...options }: LinkCertainOptions) => {
      if (offer !== undefined && search !== undefined) throw new HubError('give --offer or --search, but not both')
      const hub = await createHubClient(process.env, process.cwd(), options)
      const path = `/connections/${await findConnection(hub, connection)}/marketplace-offers/link`
      const filter = search === undefined ? undefined : { q: search }
      const show = (summary: LinkSummary): void =>
        print(json === true ? JSON.stringify(summary, null, 2) : formatSummary(summary))
      const ask = async (after?: string): Promise<LinkSummary> =>
        await hub.call('POST', path, { dryRun, externalIds: offer, filter, after }) as LinkSummary
      const progress = createProgress(process.stderr)
      let summary = await ask()
      try {
        while (summary.next !== null) {
          progress(`${countOf(dryRun ? summary.eligible : summary.linked, 'offer')} of ${summary.matched} so far`)
          summary = addSummaries(summary, await ask(summary.next))
        }
      } catch (error) {
        show(summary)
        throw error
      }
      if ((dryRun ? summary.eligible : summary.linked) === 0) process.exitCode = 1
      show(summary)
    })
}

/** Adds the summary of a request that went on where another one had ended. */
export function addSummaries (first: LinkSummary, second: LinkSummary): LinkSummary {
  const skipped = new Map(first.skipped.map(({ reason, count }) => [reason, count]))
  for (const { reason, count } of second.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + count)
  const [oldest = null] = [first.readAt, second.readAt].filter(at => at !== null).toSorted()
  return {
    dryRun: first.dryRun,
    matched: first.matched + second.matched,
    eligible: first.eligible + second.eligible,
    linked: first.linked + second.linked,
    skipped: [...skipped].map(([reason, count]) => ({ reason, count })),
    sample: [...first.sample, ...second.sample].slice(0, mostInSample),
    readAt: oldest,
    next: second.next,
    atMost: second.atMost
  }
}

function formatFound (found: readonly MarketplaceOffer[], connection: string): string {
  if (found.length === 0) {
    return escapeUnprintable('the hub has read no such offers. `linker stock reconcile --connection ' +
      `${shellWord(connection)}\` reads them again`)
  }
  return formatTable(
    ['offer there', 'title', 'sku', 'ean', 'quantity', 'link', 'variant', 'variant sku', 'reason', 'read at'],
    found.flatMap(({ externalId, title, sku, ean, quantity, readAt, link }) => {
      const own = [externalId, title ?? '', sku ?? '', ean ?? '', String(quantity ?? '')]
      const read = readAt ?? ''
      const { state, variant, suggestions: [best, ...others] } = link
      if (best === undefined) return [[...own, state, variant?.name ?? '', variant?.sku ?? '', '', read]]
      const ofOffer = [...own, state, best.name ?? best.variantId, best.sku ?? '', best.reason, read]
      const ofOthers = others.map(other => [
        '',
        '',
        '',
        '',
        '',
        '',
        other.name ?? other.variantId,
        other.sku ?? '',
        other.reason
      ])
      return [ofOffer, ...ofOthers]
    })
  )
}

function formatSummary ({ dryRun, matched, eligible, linked, skipped, sample, readAt, atMost }: LinkSummary): string {
  const lines = [
    `${countOf(matched, 'offer')} ${matched === 1 ? 'matches' : 'match'}${atMost ? ', and there are more' : ''}`,
    dryRun ? `${eligible} would be linked` : `${linked} ${linked === 1 ? 'was' : 'were'} linked`,
    ...skipped.map(({ reason, count }) => `${count} skipped: ${reason}`),
    ...readAt === null ? [] : [`oldest reading: ${readAt}`]
  ]
  if (!dryRun || sample.length === 0) return lines.join('\n')
  const table = formatTable(
    ['offer there', 'title', 'variant', 'sku', 'matched by'],
    sample.map(({ externalId, title, name, variantId, sku, matchedBy }) => [
      externalId,
      title ?? '',
      name ?? variantId,
      sku ?? '',
      matchedBy
    ])
  )
  return `${lines.join('\n')}\n\n${table}`
}
