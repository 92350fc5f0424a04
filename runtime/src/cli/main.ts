import { Command } from 'commander'
import { packageJson } from '../package-folder.ts'
import { printError } from '../terminal/print.ts'

// Without a listener, an output that nobody reads any more (`linker start | head -1`), or that goes
// to a full disk, would end the process.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)

// A command and its subcommands may have options of the same names.
const program = new Command('linker').description('Keeps a webshop and its marketplaces in step')
  .enablePositionalOptions()
  .version(packageJson.version)

/** The commands, in the order of the help text. Each function loads the modules of one command. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  start: async () => (await import('./start.ts')).addStart,
  migrate: async () => (await import('./migrate.ts')).addMigrate,
  attention: async () => (await import('./attention.ts')).addAttention,
  alerts: async () => (await import('./alerts.ts')).addAlerts,
  backup: async () => (await import('./backup.ts')).addBackup,
  restore: async () => (await import('./restore.ts')).addRestore,
  transfer: async () => (await import('./transfer.ts')).addTransfer,
  doctor: async () => (await import('./doctor.ts')).addDoctor,
  report: async () => (await import('./report.ts')).addReport,
  add: async () => (await import('./add.ts')).addAdd,
  adapters: async () => (await import('./adapters.ts')).addAdapters,
  scan: async () => (await import('./scan.ts')).addScan,
  conformance: async () => (await import('./conformance.ts')).addConformance,
  dev: async () => (await import('./dev.ts')).addDev,
  publish: async () => (await import('./publish.ts')).addPublish,
  docs: async () => (await import('./docs.ts')).addDocs,
  connections: async () => (await import('./connections.ts')).addConnections,
  invoke: async () => (await import('./invoke.ts')).addInvoke,
  record: async () => (await import('./record.ts')).addRecord,
  credentials: async () => (await import('./credentials.ts')).addCredentials,
  stock: async () => (await import('./stock.ts')).addStock,
  offers: async () => (await import('./offers.ts')).addOffers,
  orders: async () => (await import('./orders.ts')).addOrders,
  export: async () => (await import('./export.ts')).addExport,
  apply: async () => (await import('./apply.ts')).addApply,
  search: async () => (await import('./search.ts')).addSearch,
  jobs: async () => (await import('./jobs.ts')).addJobs,
  upgrade: async () => (await import('./upgrade.ts')).addUpgrade,
  webhook: async () => (await import('./webhook.ts')).addWebhook,
  deliveries: async () => (await import('./deliveries.ts')).addDeliveries,
  console: async () => (await import('./console.ts')).addConsole,
  figures: async () => (await import('./figures.ts')).addFigures,
  system: async () => (await import('./system.ts')).addSystem,
  'log-level': async () => (await import('./log-level.ts')).addLogLevel,
  tokens: async () => (await import('./tokens.ts')).addTokens,
  audit: async () => (await import('./audit.ts')).addAudit,
  token: async () => (await import('./token.ts')).addToken,
  config: async () => (await import('./config.ts')).addConfig
}

try {
  // Load only the named command: loading all takes longer than most commands run. Help, completion
  // and a mistyped name need all.
  const words = process.argv.slice(2)
  const [name = ''] = words
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined
  const needsAll = named === undefined && name !== '-V' && name !== '--version'
  if (named !== undefined) (await named())(program)
  if (needsAll) {
    for (const load of Object.values(commands)) (await load())(program)
    await (await import('./completion.ts')).addCompletion(program, words)
  }
  await program.parseAsync()
} catch (error) {
  printError(`linker: ${describeFailure(error)}`)
  process.exit(1)
}

/**
 * Adds the code of the error table when the error has one: for each code the table says what to do.
 */
function describeFailure (error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' && error.code.startsWith('LNK_')
    ? `${error.code}: `
    : ''
  return code + error.message
}
