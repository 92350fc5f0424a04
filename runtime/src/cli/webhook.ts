import { escapeUnprintable } from '@linker/sdk/host/text'
import type { Command } from 'commander'
import { print } from '../terminal/print.ts'
import { createProgress } from '../terminal/progress.ts'
import type { Installed, WebhookStatus, WebhookTest } from '../webhooks/install-schemas.ts'
import { connectionArgument, findConnection } from './connection-name.ts'
import { withHub } from './connections.ts'
import { createHubClient, type HubOptions } from './hub-client.ts'
import type { SendOptions } from './send-as-platform.ts'
import { reportJson } from './try-settings.ts'

interface JsonOptions extends HubOptions {
  json?: boolean
}

export function addWebhook (program: Command): void {
  const webhook = program.command('webhook').description('webhooks')
  addInstalls(webhook)
  withHub(webhook.command('send')
    .description('send a webhook to a hub as the platform would: in its form and with its proof, as the adapter of ' +
      'this project declares; exits with 1 when the hub does not accept it')
    .argument('[connection]', 'name or id of the connection; the hub says its platform')
    .option('--provider <platform>', 'without the argument: platform type in the address')
    .option('--connection <id>', 'without the argument: connection id in the address; needs no token')
    .requiredOption('--type <eventType>', 'such as stock.changed, or a topic of the platform')
    .option('--object <type>', 'object type; default: the first word of the event type, such as stock')
    .requiredOption('--external-id <id>', 'external id of the object')
    .option('--event-id <id>', 'unique event id; default: a new one')
    .option('--payload <json>', 'payload as JSON; in the form of a platform, the other members of the body')
    .option(
      '--secret-file <file>',
      'file with the secret of the connection, `-` for standard input; default: ' +
        'LINKER_WEBHOOK_SECRET__… from the environment, else a question on a terminal'
    )
    .option('--secret <secret>', 'the secret itself, which other users of this machine can see')
    .option('--json', 'print JSON'))
    .action(async (name: string | undefined, options: SendOptions) => {
      const { sendAsPlatform } = await import('./send-as-platform.ts')
      const { text, isAccepted } = await sendAsPlatform(name, options)
      print(text)
      if (!isAccepted) process.exitCode = 1
    })
}

function addInstalls (webhook: Command): void {
  const addressOf = (id: string, action: string): string => `/connections/${encodeURIComponent(id)}/webhooks/${action}`

  withHub(webhook.command('install').description('make the platform send its webhooks to the hub, with a new secret')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: JsonOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      createProgress(process.stderr)('the hub tells the platform and waits for a test event')
      const installed = await hub.call(
        'POST',
        addressOf(await findConnection(hub, connection), 'install')
      ) as Installed
      if (options.json === true) return print(JSON.stringify(installed, null, 2))
      const { testPingTriggered, warning } = installed
      print(`installed${testPingTriggered ? ', and a test event arrived' : ''}${
        warning === undefined ? '' : `\nwarning: ${escapeUnprintable(warning)}`
      }`)
    })

  withHub(webhook.command('test')
    .description('send a test event through the public address of the hub; exits with 1 when it does not arrive')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: JsonOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const result = await hub.call(
        'POST',
        addressOf(await findConnection(hub, connection), 'test')
      ) as WebhookTest
      const { arrived, problem, callbackUrl } = result
      if (options.json === true) return reportJson(result, arrived)
      print(escapeUnprintable(arrived
        ? `a test event arrived through ${callbackUrl}`
        : `the test event did not arrive through ${callbackUrl}: ${problem}`))
      if (!arrived) process.exitCode = 1
    })

  withHub(webhook.command('status').description('show whether webhooks are set up, and the result of the last one')
    .argument(...connectionArgument)
    .option('--json', 'print JSON'))
    .action(async (connection: string, options: JsonOptions) => {
      const hub = await createHubClient(process.env, process.cwd(), options)
      const status = await hub.call('GET', addressOf(await findConnection(hub, connection), 'status')) as WebhookStatus
      if (options.json === true) return print(JSON.stringify(status, null, 2))
      print(Object.entries(status).map(([name, value]) => escapeUnprintable(`${name}  ${String(value ?? '-')}`))
        .join('\n'))
    })
}
