import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import t from 'tap'
import { startSimulator } from '../../../src/cli/dev/simulator.ts'

const server = "require('node:http').createServer((_, r) => r.end('up')).listen(0, '127.0.0.1', function () {" +
  " console.log('it listens on http://127.0.0.1:' + this.address().port + '/api with a key') })"
const node = JSON.stringify(process.execPath)

t.test('the first printed address is the origin, and the server ends when it is stopped', async t => {
  const { origin, stop } = await startSimulator(`${node} -e ${JSON.stringify(server)}`, tmpdir())
  t.teardown(stop)
  t.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/)
  const { port } = new URL(origin)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  // A server that is killed may reset its connections.
  const closed = new Promise(resolve => socket.on('error', () => undefined).once('close', resolve))

  stop()

  await closed
  t.pass('the connection ended with the server')
})

t.test('a command that ends without an address is an error with its output', async t => {
  await t.rejects(startSimulator("echo 'no such script' && exit 3", tmpdir()), {
    message: /ended with 3 before it printed an address:\nno such script/
  })
})
