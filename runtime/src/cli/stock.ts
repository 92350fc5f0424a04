import { Option, type Command } from 'commander'
import type { ReconcilePreview } from '../offers/reconcile/schemas.ts'
import type { StockConfirmation, StockView } from '../stock/schemas.ts'
import { print, printHint } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import { countOf } from '../words.ts'
import { findConnection, readConnectionNames, type ConnectionNames } from './connection-name.ts'
import { withHub } from './connections.ts'
import { explainOffer, formatExplanation } from './explain-offer.ts'
import { findVariant } from './find-variant.ts'
import { createHubClient, HubError, type HubOptions } from './hub-client.ts'

interface ListOptions extends HubOptions {
  drift?: boolean
  jumped?: boolean
  variant?: string
  connection?: string
  search?: string
  explain?: string
  json?: boolean
}
interface ReconcileOptions extends HubOptions {
  connection?: string
  dryRun?: boolean
  acceptMissing?: boolean
  json?: boolean
}

export function addStock (program: Command): void {
  const client = (options: HubOptions) => createHubClient(process.env, process.cwd(), options)

  const stock = withHub(program.command('stock').description('stock of a running hub and what its offers show')
    .option('--drift', 'only offers whose written or shown quantity is wrong').option(
      '--variant <id>',
      'only this variant'
    )
    .option('--jumped', 'only variants whose stock has jumped and waits for a person')
    .option('--connection <connection>', 'only variants of this shop or marketplace, by its name or id')
    .option('--search <text>', 'only variants with this EAN, product id, or beginning of a name or SKU')
    .option('--json', 'print JSON')
    .addOption(new Option('--explain <offer>', 'say why this offer shows its quantity: its id, SKU or EAN')
      .conflicts(['drift', 'jumped', 'variant', 'search'])))
    .action(async (options: ListOptions) => {
      const { connection, explain } = options
      const hub = await client(options)
      if (explain !== undefined) {
        const found = await explainOffer(hub, explain, connection)
        print(options.json === true ? JSON.stringify(found, null, 2) : formatExplanation(found))
        return
      }
      const found = await hub.list('/stock', {
        drift: options.drift === true ? 'true' : undefined,
        jumped: options.jumped === true ? 'true' : undefined,
        variantId: options.variant,
        connectionId: connection === undefined ? undefined : await findConnection(hub, connection),
        q: options.search
      }) as StockView[]
      print(options.json === true ? JSON.stringify(found, null, 2) : formatStock(found, await readConnectionNames(hub)))
    })

  withHub(stock.command('reconcile')
    .description('compare all stock with the shops and the marketplaces, and repair what differs')
    .option('--connection <connection>', 'only this connection, by its name or id; default: all active connections')
    .option('--dry-run', 'only print what would change at the connection; needs --connection')
    .option(
      '--accept-missing',
      'accept that all variants are gone that the shop no longer lists; needs --connection'
    )
    .option('--json', 'print JSON'))
    .action(async (_options: ReconcileOptions, command: Command) => {
      // `stock` has the options `--connection` and `--json`, too, and they may come before
      // `reconcile`.
      const options: ReconcileOptions & Pick<ListOptions, 'explain'> = command.optsWithGlobals()
      if (options.explain !== undefined) throw new HubError('--explain belongs to `linker stock` alone')
      if (options.connection === undefined && (options.dryRun === true || options.acceptMissing === true)) {
        throw new HubError('--dry-run and --accept-missing need --connection')
      }
      const hub = await client(options)
      // A dry run reads everything before it answers; without it, the hub only makes jobs.
      if (options.dryRun === true) createProgress(process.stderr)('the hub reads and compares')
      const answer = await hub.call('POST', '/stock/reconcile', {
        connectionId: options.connection === undefined ? undefined : await findConnection(hub, options.connection),
        dryRun: options.dryRun,
        acceptMissing: options.acceptMissing
      }) as ReconcilePreview | { jobIds: string[] }
      if (options.json === true) print(JSON.stringify(answer, null, 2))
      else if ('jobIds' in answer) reportJobs(answer.jobIds)
      else print(formatPreview(answer))
    })

  addConfirm(stock)
}

/** `linker stock confirm`. */
function addConfirm (stock: Command): void {
  withHub(stock.command('confirm')
    .description('let the offers follow stock that has jumped')
    .argument('[variant]', 'SKU, EAN or id of the variant')
    .option('--connection <connection>', 'all variants of this shop, by its name or id')
    .option('--json', 'print JSON'))
    .action(async (variant: string | undefined, _options: HubOptions, command: Command) => {
      const options: ListOptions = command.optsWithGlobals()
      const { connection } = options
      if ((variant === undefined) === (connection === undefined)) throw new HubError('give a variant or --connection')
      const hub = await createHubClient(process.env, process.cwd(), options)
      const answer = await hub.call('POST', '/stock/confirm', {
        variantId: variant === undefined ? undefined : (await findVariant(hub, variant)).variantId,
        connectionId: connection === undefined ? undefined : await findConnection(hub, connection)
      }) as StockConfirmation
      if (options.json === true) return print(JSON.stringify(answer, null, 2))
      print(answer.confirmed === 0
        ? 'no stock waits for a confirmation there'
        : `confirmed the stock of ${countOf(answer.confirmed, 'variant')}; its offers follow`)
    })
}

type Pieces = Pick<StockView, 'quantity' | 'isCounted' | 'isSellable' | 'confirmedQuantity' | 'missingSince'>

function piecesOf ({ quantity, isCounted, isSellable, confirmedQuantity, missingSince }: Pieces): string {
  if (missingSince !== null) return `${quantity} (missing)`
  const jump = confirmedQuantity === null ? [] : [`jumped, offers go by ${confirmedQuantity}`]
  const notes = [...jump, ...isSellable ? [] : ['switched off']]
  const counted = isCounted ? String(quantity) : 'not counted'
  return notes.length === 0 ? counted : `${counted} (${notes.join('; ')})`
}

/** Standard output has the ids alone, for scripts. */
function reportJobs (jobIds: readonly string[]): void {
  print(jobIds.join('\n'))
  const [first] = jobIds
  printHint(first === undefined
    ? 'no active connection has stock to compare'
    : `\`linker jobs show ${first}\` tells how the ${jobIds.length === 1 ? '' : 'first '}comparison ends`)
}

function formatStock (found: readonly StockView[], names: ConnectionNames): string {
  return formatTable(
    ['name', 'sku', 'quantity', 'reserved', 'offered at', 'wanted', 'sent', 'shown', 'warnings', 'variant', 'offer'],
    found.flatMap(({ variantId, name, sku, reserved, offers, ...stock }) => {
      const own = [
        name ?? '',
        sku ?? '',
        piecesOf(stock),
        String(reserved)
      ]
      if (offers.length === 0) return [[...own, '', '', '', '', '', variantId, '']]
      return offers.map(offer => [
        ...own,
        names.get(offer.connectionId) ?? offer.connectionId,
        String(offer.wantedQuantity),
        String(offer.sentQuantity ?? ''),
        String(offer.upstreamQuantity ?? ''),
        offer.warnings.map(({ code }) => code).join(', '),
        variantId,
        offer.offerId
      ])
    })
  )
}

function formatPreview (preview: ReconcilePreview): string {
  const { complete, seen, changed, kept, linked, missing, held, changes, keeps } = preview
  const rows = [...changes.map(rowOf), ...keeps.map(keep => [...rowOf(keep), keep.because])]
  const headings = ['product', 'variant or offer', 'from', 'to', ...keeps.length === 0 ? [] : ['stays because']]
  const summary = [
    `${seen} seen${complete ? '' : ' (not all)'}`,
    `${changed} would change`,
    ...kept === 0 ? [] : [`${kept} would stay different`],
    ...linked === 0 ? [] : [`${linked} would be linked`],
    `${missing} missing${held ? ': too many, --accept-missing confirms it' : ''}`
  ].join(', ')
  return rows.length === 0 ? summary : `${formatTable(headings, rows)}\n${summary}`
}

function rowOf ({ productExternalId, externalId, from, to }: ReconcilePreview['changes'][number]): string[] {
  return [productExternalId ?? '', externalId, String(from ?? ''), String(to)]
}
