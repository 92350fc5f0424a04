import { parseArgs } from 'node:util'

// `npm run demo`: hub and simulators, then one stock change from the shop to the marketplace. With
// --once it ends there.

const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } })
console.log('The demo starts a shop, a marketplace and a hub of its own; that takes some seconds\n')
try {
  // Only now: what they import takes longer than a reader waits for a first word.
  const [{ startDemo }, { tellStory }] = await Promise.all([import('./demo.ts'), import('./story.ts')])
  const demo = await startDemo(process.env)
  await tellStory(demo, line => {
    console.log(line)
  })
  if (!values.once) {
    console.log(`\nThe hub goes on at ${demo.hubUrl} (API at ${demo.hubUrl}/api/docs). Ctrl-C ends it.`)
    console.log(`Its token: ${demo.keys.admin}`)
    await new Promise(resolve => {
      process.once('SIGINT', resolve).once('SIGTERM', resolve)
    })
  }
  await demo.close()
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`)
  // Some of the three servers may be listening still.
  process.exit(1)
}
