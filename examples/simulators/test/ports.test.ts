import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { readOptions, type Options } from '../src/options.ts'
import { describeFailure, readPorts } from '../src/ports.ts'

function optionsOf (...args: string[]): Options {
  const options = readOptions(args)
  if (options === undefined) throw new Error('these options ask for the help')
  return options
}

t.test('each server has a port of its own, unless any port will do', async t => {
  t.match(readPorts(optionsOf()), { 'shopa-port': 4010, 'mktb-port': 4020, 'control-port': 4040 })
  t.match(readPorts(optionsOf('--shopa-port', '0', '--mktb-port', '0')), { 'shopa-port': 0, 'mktb-port': 0 })
  t.throws(() => readPorts(optionsOf('--mktb-port', '4010')), { message: /--shopa-port and --mktb-port are both 4010/ })
  t.throws(() => readPorts(optionsOf('--mktb-port', '70000')), { message: /--mktb-port .*65535/ })
})

t.test('a failure names the port, the simulator and the option', async t => {
  const ports = readPorts(optionsOf())
  const failure = (code: string, port: number) => Object.assign(new Error(`listen ${code}`), { code, port })

  t.match(describeFailure(failure('EADDRINUSE', 4031), ports), /^port 4031 of .*mktA.* in use .*--mkta-rest-port$/)
  t.match(describeFailure(failure('EACCES', 4020), ports), /^port 4020 of .*mktB.* \(EACCES\).*--mktb-port$/)
  t.equal(describeFailure(failure('EADDRINUSE', 5000), ports), 'listen EADDRINUSE')
  t.equal(describeFailure(new TypeError('--seed must be a whole number'), undefined), '--seed must be a whole number')
})

t.test('a busy port ends the command with one line, although the shop listens already', async t => {
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  t.teardown(() => {
    busy.close()
  })
  const { port } = busy.address() as AddressInfo
  const main = join(import.meta.dirname, '..', 'src', 'main.ts')
  const args = ['--conditions=@linker/source', main, '--shopa-port', '0', '--mkta-web-port', String(port)]

  const ended = await promisify(execFile)(process.execPath, args).catch((error: unknown) => error)

  t.match(ended, { code: 1, stdout: '' })
  const { stderr } = ended as { stderr: string }
  t.match(stderr, new RegExp(`^simulators: port ${port} of .*--mkta-web-port\\n$`))
})
