import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { eventually } from '../support/api.ts'
import { buildTestHub } from '../support/hub.ts'
import { hasProgram } from '../support/interpreters.ts'
import { cheapestMode } from '../support/modes.ts'
import { temporaryFolder } from '../support/npm-project.ts'
import { repository } from '../support/project.ts'
import { runShell } from '../support/shell.ts'

interface Sender {
  heading: string
  language: string
  file: string
  command: string
  /** The programs that it needs beside those of the shell. */
  programs: readonly string[]
}

interface Sent {
  code: number | null
  /** The first line of its standard output: status, delivery id and problem. */
  line: string
  /** Its standard error. */
  errors: string
}

const senders: readonly Sender[] = [
  { heading: 'PHP', language: 'php', file: 'send.php', command: 'php', programs: ['php'] },
  { heading: 'Python', language: 'python', file: 'send.py', command: 'python3', programs: ['python3'] },
  { heading: 'Node', language: 'js', file: 'send.mjs', command: 'node', programs: [] },
  { heading: 'curl and openssl', language: 'sh', file: 'send.sh', command: 'sh', programs: ['curl'] }
]

async function extract ({ heading, language }: Sender): Promise<string> {
  const page = await readFile(join(repository, 'runtime/WEBHOOKS.md'), 'utf8')
  const [, chapter = ''] = page.split(`\n### ${heading}\n`)
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(chapter.split('\n### ')[0] ?? '')?.[1] ?? ''
}

/** Starts a server that answers every request with 503, as a hub without its database does. */
async function startBusyServer (t: Test): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(503, { 'retry-after': '5' }).end()
    })
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

t.test('the senders of the page', async t => {
  const hub = await buildTestHub(t, { mode: cheapestMode(process.env) })
  const connection = await hub.connect('shopa')
  const address = `${hub.url}/webhooks/shopa/${connection}`
  const busy = await startBusyServer(t)
  const directory = await temporaryFolder(t)

  async function send (
    { command, file }: Sender,
    url: string,
    secret: string,
    eventType = 'stock.changed'
  ): Promise<Sent> {
    const shell = runShell(
      t,
      `${command} ${file} ${eventType} stock 27 2>errors.txt`,
      { HUB_URL: url, HUB_SECRET: secret },
      directory
    )
    const code = await shell.ended
    return { code, line: shell.lines[0] ?? '', errors: await readFile(join(directory, 'errors.txt'), 'utf8') }
  }

  for (const sender of senders) {
    t.test(`${sender.heading} sends an event, and knows what to do with every answer`, async t => {
      await writeFile(join(directory, sender.file), await extract(sender))
      if (!sender.programs.every(name => hasProgram(t, name))) return

      const accepted = await send(sender, address, hub.keys.webhook)
      t.match(accepted, { code: 0, line: /^202 [0-9a-f-]{36} *$/ })
      t.equal(accepted.errors, '')
      const deliveryId = accepted.line.split(' ')[1] ?? ''
      const job = await eventually('the job of the event', async () => {
        const { status, json } = await hub.call('GET', `/jobs/${deliveryId}`)
        return status === 200 ? json : undefined
      })
      t.match(job, { id: deliveryId, jobType: 'shopa.inventory.syncByExternalId', connectionId: connection })

      t.match(await send(sender, address, hub.keys.webhook, 'stock.change'), {
        code: 0,
        line: /^202 [0-9a-f-]{36} *$/,
        errors: 'X-Linker-Ignored: unknown-event-type\n'
      })
      t.match(await send(sender, address, 'another-secret'), {
        code: 1,
        line: /^401 [0-9a-f-]{36} \{.*"LNK_SIGNATURE_MISMATCH"/,
        errors: /^$/
      })
      t.match(await send(sender, busy, hub.keys.webhook), { code: 75, line: /^503 / })
      const unanswered = await send(sender, 'http://127.0.0.1:1/', hub.keys.webhook)
      t.match(unanswered, { code: 75, line: /^0/, errors: /\S/ })
      const usage = { code: 1, line: '', errors: /^.*HUB_URL.*HUB_SECRET.*\n$/ }
      t.match(await send(sender, '', hub.keys.webhook), usage)
      t.match(await send(sender, address, ''), usage)
      t.match(await send(sender, address, hub.keys.webhook, ''), usage, 'an argument is missing')
    })
  }
})
