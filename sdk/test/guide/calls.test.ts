import t from 'tap'
import { methods } from '../../src/testing/conformance/methods.ts'
import { readPage } from './guide.ts'

t.test('the page names every method of every capability', async t => {
  const page = readPage('docs/calls.md')
  const named = new Set([...page.matchAll(/`(?:\w+\.)?(\w+)`/g)].map(([, name]) => name))

  for (const [capability, ofCapability] of Object.entries(methods)) {
    for (const method of Object.keys(ofCapability)) t.ok(named.has(method), `${capability}.${method}`)
  }
})
