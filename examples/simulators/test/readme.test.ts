import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { basic, eventOf, openHub, send, type Sending } from './support.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')

function block (language: string, index = 0): string {
  const found = [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))][index]?.[1]
  if (found === undefined) throw new Error(`the README has no ${language} block`)
  return found
}

t.test('the examples of the README print what the README says', async t => {
  for (const index of [0, 1]) {
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--conditions=@linker/source',
      '--input-type=module',
      '--eval',
      block('js', index)
    ], { cwd: root, timeout: 300_000 })

    t.equal(stdout, block('text', index))
  }
})

/** Reads a curl command of the README as the request that curl sends. */
function parseCurl (line: string): Sending & { url: string } {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const option = (name: string) => words.includes(name) ? words[words.indexOf(name) + 1] : undefined
  const [user, method, body] = [option('-u'), option('-X'), option('-d')]
  return {
    url: words.at(-1) ?? '',
    ...method === undefined ? {} : { method },
    ...body === undefined ? {} : { body },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...user === undefined ? {} : { authorization: `Basic ${btoa(user)}` }
    }
  }
}

t.test('the README commands start all three, change stock, deliver its webhook and stop', async t => {
  const hub = await openHub(t)
  const [, given = ''] = /^npm run simulators -- (.+)$/.exec(block('sh').trim()) ?? []
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: { simulators: string }
  }
  const parameters = [...scripts.simulators.replace(/^node /, '').split(' '), ...given.split(' ')]
  const ports = ['--shopa-port', '--mkta-web-port', '--mkta-rest-port', '--mktb-port', '--control-port']
  const overridden = ['--hub-url', hub.url, ...ports.flatMap(port => [port, '0'])]
  const child = spawn(process.execPath, [...parameters, ...overridden], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (/mktB .*\n/.test(output)) break
  }
  const [, shopUrl = '', shopKey = ''] = /^shopA +(\S+) +key (\S+)$/m.exec(output) ?? []
  const [, webUrl, clientId = '', redirectUri = ''] =
    /^mktA +web (\S+)  rest \S+  client (\S+)  secret \S+  redirect (\S+)$/m.exec(output) ?? []
  const [, marketUrl, marketKey = ''] = /^mktB +(\S+) +key (\S+)$/m.exec(output) ?? []

  t.equal((await send(`${shopUrl}/products`, { headers: { authorization: basic(shopKey) } })).status, 200)
  const countries = await send(`${shopUrl}/countries?filter[iso_code]=PL&display=[active]&output_format=JSON`, {
    headers: { authorization: basic(shopKey) }
  })
  t.match(countries.json(), { countries: [{ active: '1' }] }, 'orders from Poland reach the shop')
  t.equal((await send(`${marketUrl}/me`, { headers: { authorization: `Bearer ${marketKey}` } })).status, 200)
  const consent = new URLSearchParams({ client_id: clientId, response_type: 'code', redirect_uri: redirectUri })
  t.match(await send(`${webUrl}/auth/oauth/authorize?${consent}`), {
    status: 200,
    text: /<button [^>]*>Allow<\/button>/
  })
  for (const line of block('sh', 1).trim().split('\n')) {
    const { url, ...sending } = parseCurl(line)
    t.equal((await send(url.replace('http://127.0.0.1:4010', new URL(shopUrl).origin), sending)).status, 200, line)
  }
  t.match(eventOf(hub.received[0]), { eventType: 'stock.changed', object: { externalId: '27' } })
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.strictSame(await exited, [0, null])
})

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const run = (...parameters: string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=@linker/source', main, ...parameters], {
    cwd: root,
    timeout: 300_000
  })

t.test('--help starts nothing and lists every option of the README', async t => {
  const { stdout } = await run('--help')
  const [, table = ''] = /^\| Option \|.*?\n\|---.*?\n(.*?)\n\n/ms.exec(readme) ?? []
  const options = [...table.matchAll(/--[a-z-]+/g)].map(([option]) => option)

  t.ok(options.length > 10)
  t.strictSame(options.filter(option => !new RegExp(`^ {2}${option} {2}`, 'm').test(stdout)), [])
  t.notMatch(stdout, 'http://127.0.0.1', 'no server was started')
})

t.test('an invalid value of an option is refused, and the error names the option', async t => {
  await t.rejects(run('--mktb-port', 'x'), { message: /--mktb-port must be a whole number, not 'x'/ })
  await t.rejects(run('--mkta-consent', 'never'), {
    message: /--mkta-consent must be ask, grant or refuse, not 'never'/
  })
  await t.rejects(run('--mktb-prot', '1'), { message: /Unknown option '--mktb-prot'/ })
})
