import { Command } from 'commander'
import { createRequire } from 'node:module'
import { explainEnvironment } from '../config.ts'
import { addAdd } from './add.ts'
import { addAdapters } from './adapters.ts'
import { addConformance } from './conformance.ts'
import { addConnections } from './connections.ts'
import { addDoctor } from './doctor.ts'
import { addMigrate } from './migrate.ts'
import { addOffers } from './offers.ts'
import { addOrders } from './orders.ts'
import { addScan } from './scan.ts'
import { addStart } from './start.ts'
import { addStock } from './stock.ts'
import { print, printError } from '../terminal/print.ts'
import { addToken } from './token.ts'
import { addUpgrade } from './upgrade.ts'
import { addWebhook } from './webhook.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

const program = new Command('linker').description('Keeps a webshop and its marketplaces in step').version(version)
addStart(program)
addMigrate(program)
addDoctor(program)
addAdd(program)
addAdapters(program)
addScan(program)
addConformance(program)
addConnections(program)
addStock(program)
addOffers(program)
addOrders(program)
addUpgrade(program)
addWebhook(program)
addToken(program)
program.command('config').description('settings of the hub').option(
  '--explain',
  'list every variable of the environment'
)
  .action(() => {
    print(explainEnvironment().join('\n'))
  })

try {
  await program.parseAsync()
} catch (error) {
  printError(`linker: ${describeFailure(error)}`)
  process.exit(1)
}

/**
 * Adds the code of the error table when the error has one: for each code the README says what to
 * do.
 */
function describeFailure (error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error && typeof error.code === 'string' && error.code.startsWith('LNK_')
    ? `${error.code}: `
    : ''
  return code + error.message
}
