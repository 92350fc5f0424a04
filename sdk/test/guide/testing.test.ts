import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { startUpstream } from '../http/support.ts'
import { codeOf, packageJson } from './guide.ts'

t.test('the test of the example passes, and fails when the platform answers with another product', async t => {
  const directory = t.testdir({
    'package.json': packageJson,
    src: { 'index.ts': codeOf('README.md'), test: { 'requests.test.ts': codeOf('docs/testing.md') } }
  })
  let title = 'Lamp'
  const upstream = await startUpstream(
    t,
    (_request, response) => response.end(JSON.stringify({ id: 27, title, active: true, price: '119.99' }))
  )
  // Remove it from the environment: it would make the process a part of another runner and hide its
  // exit code.
  const { NODE_TEST_CONTEXT: _runner, ...environment } = process.env
  const run = () =>
    promisify(execFile)(process.execPath, ['--conditions=@linker/source', '--test', 'src/test/requests.test.ts'], {
      cwd: directory,
      env: { ...environment, FEEDSHOP_URL: upstream.baseUrl },
      timeout: 60_000
    })

  await t.resolves(run())
  t.equal(upstream.requests.at(-1)?.headers['x-api-key'], 'feed-key')
  title = 'Table'
  const failure: unknown = await run().catch((error: unknown) => error)
  t.match(failure, { stdout: /Lamp/ })
})
